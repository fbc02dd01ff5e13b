/** A DynamoDB item or key in the wire's form: attribute name → `{S: …}`, `{N: …}`, … */
export type AttributeMap = Record<string, unknown>;

/** The answer of one DynamoDB request. */
export interface DynamoAnswer {
  readonly statusCode: number;
  readonly body: Record<string, unknown>;
}

/**
 * Adds what dynalite lacks: with `ReturnValuesOnConditionCheckFailure: ALL_OLD` a failed condition answers with the
 * item that the condition was evaluated against. The caller holds the item's lock, so `readItem` sees that very item.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html
 */
export async function withOldItem(
  request: Record<string, unknown>,
  answer: DynamoAnswer,
  readItem: () => Promise<AttributeMap | undefined>,
): Promise<DynamoAnswer> {
  if (request.ReturnValuesOnConditionCheckFailure !== 'ALL_OLD') return answer;
  if (!String(answer.body.__type).endsWith('#ConditionalCheckFailedException')) return answer;
  const item = await readItem();
  return item ? { ...answer, body: { ...answer.body, Item: item } } : answer;
}
