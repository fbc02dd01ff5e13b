import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  paginateQuery,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { LedgerUnavailable } from '../../ports/ledger.ts';
import type { Item } from './items.ts';

type Condition = Pick<
  PutItemCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

export type Update = Condition & Pick<UpdateItemCommandInput, 'UpdateExpression'>;

/**
 * The items of one DynamoDB table. A condition that does not hold is an answer; every other failure is thrown as
 * `LedgerUnavailable`. Reads of the table are strongly consistent; those of an index cannot be.
 */
export class ItemTable {
  readonly #client: DynamoDBClient;
  readonly #table: string;

  constructor(client: DynamoDBClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async get(pk: string, sk: string): Promise<Item | null> {
    try {
      const { Item } = await this.#client.send(
        new GetItemCommand({ TableName: this.#table, Key: keyOf(pk, sk), ConsistentRead: true }),
      );
      return Item ?? null;
    } catch (error) {
      throw new LedgerUnavailable('read', error);
    }
  }

  async put(item: Item): Promise<void> {
    try {
      await this.#client.send(new PutItemCommand({ TableName: this.#table, Item: item }));
    } catch (error) {
      throw new LedgerUnavailable('write', error);
    }
  }

  /**
   * Null when written; otherwise the item that stood in the way, where DynamoDB returned it.
   *
   * `ReturnValuesOnConditionCheckFailure: ALL_OLD` hands back the item that beat us, so a lost race needs no second read
   * (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html).
   */
  async putIf(item: Item, condition: Condition): Promise<{ item: Item | null } | null> {
    try {
      await this.#client.send(
        new PutItemCommand({
          TableName: this.#table,
          Item: item,
          ...condition,
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return null;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return { item: error.Item ?? null };
      throw new LedgerUnavailable('write', error);
    }
  }

  /** False where the condition does not hold: then nothing is written. */
  async update(pk: string, sk: string, update: Update): Promise<boolean> {
    try {
      await this.#client.send(
        new UpdateItemCommand({ TableName: this.#table, Key: keyOf(pk, sk), ...update }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw new LedgerUnavailable('update', error);
    }
  }

  /** Adds one to a number that starts at 0, and returns what it is then. */
  async increment(pk: string, sk: string, attribute: string): Promise<number> {
    try {
      const { Attributes } = await this.#client.send(
        new UpdateItemCommand({
          TableName: this.#table,
          Key: keyOf(pk, sk),
          UpdateExpression: 'ADD #number :one',
          ExpressionAttributeNames: { '#number': attribute },
          ExpressionAttributeValues: { ':one': { N: '1' } },
          ReturnValues: 'UPDATED_NEW',
        }),
      );
      return Number(Attributes?.[attribute]?.N);
    } catch (error) {
      throw new LedgerUnavailable('increment', error);
    }
  }

  async remove(pk: string, sk: string): Promise<void> {
    try {
      await this.#client.send(new DeleteItemCommand({ TableName: this.#table, Key: keyOf(pk, sk) }));
    } catch (error) {
      throw new LedgerUnavailable('remove', error);
    }
  }

  async partition(pk: string): Promise<Item[]> {
    return this.#query({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: pk } },
      ConsistentRead: true,
    });
  }

  /** What the index of waiting work holds under a key, oldest first. */
  async waiting(waitingKey: string): Promise<Item[]> {
    return this.#query({
      IndexName: 'waiting',
      KeyConditionExpression: 'waitingKey = :key',
      ExpressionAttributeValues: { ':key': { S: waitingKey } },
    });
  }

  async #query(input: {
    IndexName?: string;
    KeyConditionExpression: string;
    ExpressionAttributeValues: Item;
    ConsistentRead?: boolean;
  }): Promise<Item[]> {
    const items: Item[] = [];
    try {
      const pages = paginateQuery({ client: this.#client }, { TableName: this.#table, ...input });
      for await (const page of pages) items.push(...(page.Items ?? []));
    } catch (error) {
      throw new LedgerUnavailable('query', error);
    }
    return items;
  }
}

function keyOf(pk: string, sk: string): Item {
  return { pk: { S: pk }, sk: { S: sk } };
}
