import { NotAws } from '../errors.ts';

/** What the middleware stacks of all AWS clients have in common. */
interface Client {
  readonly middlewareStack: { add(middleware: unknown, options: unknown): void };
}

interface Answer {
  readonly response?: {
    readonly headers?: Readonly<Record<string, string | undefined>>;
    readonly body?: { readonly destroy?: () => void };
  };
}

/**
 * Makes a client take answers of AWS alone. Everything else that answers over HTTP could pass for a table without items (`{}`) or
 * for a function's result; only AWS, and what stands in for it, names the request in `x-amzn-RequestId`.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/CommonErrors.html
 */
export function onlyAws<T extends Client>(client: T): T {
  const check = (next: (call: unknown) => Promise<Answer>) => async (call: unknown) => {
    const answer = await next(call);
    const { headers = {}, body } = answer.response ?? {};
    if (headers['x-amzn-requestid'] || headers['x-amz-request-id']) return answer;
    // Unread it would hold its connection, and with it this process.
    body?.destroy?.();
    throw new NotAws();
  };
  // Next to the wire: before anything reads the answer.
  client.middlewareStack.add(check, { step: 'deserialize', priority: 'low', name: 'onlyAws' });
  return client;
}
