import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:lead-handoff-local';

/** What Step Functions answers to a call: a status and a body. */
export type Reply = readonly [status: number, body: object];

export interface FakeRecovery {
  readonly url: string;
  readonly calls: readonly { readonly operation: string; readonly body: Record<string, string> }[];
  close(): void;
}

export const refuses = (name: string): Reply => [400, { __type: name, message: 'no' }];

/** The end of a recovery execution, as DescribeExecution tells it. */
export const succeeded = (answer: object): Reply => [
  200,
  { status: 'SUCCEEDED', output: JSON.stringify(answer) },
];
export const failed = (error: string, cause: string): Reply => [200, { status: 'FAILED', error, cause }];

/**
 * A start function that names its state machine, and a Step Functions whose recovery executions end as the test says.
 *
 * @param ends the answers to DescribeExecution, one after the other; the last one stays
 * @param others answers to other operations, in the place of the usual ones
 */
export async function fakeRecovery(
  ends: readonly Reply[],
  others: Readonly<Record<string, Reply>> = {},
): Promise<FakeRecovery> {
  const calls: { operation: string; body: Record<string, string> }[] = [];
  let looks = 0;
  const answer = (operation: string, body: Record<string, string>): Reply => {
    const other = others[operation];
    if (other) return other;
    switch (operation) {
      case 'GetFunctionConfiguration':
        return [200, { Environment: { Variables: { STATE_MACHINE_ARN: MACHINE } } }];
      case 'StartExecution':
        return [
          200,
          {
            executionArn: `${body.stateMachineArn?.replace(':stateMachine:', ':execution:')}:${body.name}`,
            startDate: 1_777_887_000,
          },
        ];
      case 'DescribeExecution':
        return ends[Math.min(looks++, ends.length - 1)] as Reply;
      default:
        return refuses('UnknownOperationException');
    }
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const target = String(request.headers['x-amz-target'] ?? 'Lambda.GetFunctionConfiguration');
    const operation = target.split('.')[1] ?? '';
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, string>;
    calls.push({ operation, body });
    const [status, said] = answer(operation, body);
    response.writeHead(status, { 'x-amzn-requestid': 'request-1', ...errorHeader(said) });
    response.end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Lambda names its errors in a header. */
function errorHeader(body: object): Record<string, string> {
  return '__type' in body ? { 'x-amzn-errortype': String(body.__type) } : {};
}
