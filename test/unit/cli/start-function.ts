import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Invocation {
  readonly functionName: string;
  readonly payload: {
    readonly route: string;
    readonly lead: { readonly leadRequestId: string };
    readonly approval?: object;
  };
}

export interface FakeLambda {
  readonly url: string;
  readonly invocations: readonly Invocation[];
  /** Says which table the ledger is; null says nothing. */
  tableId: string | null;
  close(): void;
}

/** Lambda's Invoke on 127.0.0.1; the test answers in the start function's place. And DynamoDB, as far as it says which table it is. */
export async function fakeLambda(
  answer: (invocation: Invocation, response: ServerResponse) => void,
): Promise<FakeLambda> {
  const invocations: Invocation[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.setHeader('x-amzn-requestid', 'request-1');
    if (request.headers['x-amz-target'] === 'DynamoDB_20120810.DescribeTable') {
      response.statusCode = lambda.tableId === null ? 400 : 200;
      const Table = {
        TableArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/ledger',
        TableId: lambda.tableId,
      };
      const denied = { __type: 'AccessDeniedException', message: 'no' };
      response.end(JSON.stringify(lambda.tableId === null ? denied : { Table }));
      return;
    }
    const [, name = ''] = /functions\/([^/]+)\/invocations/.exec(request.url ?? '') ?? [];
    const invocation = { functionName: name, payload: JSON.parse(body) as Invocation['payload'] };
    invocations.push(invocation);
    answer(invocation, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const lambda: FakeLambda = {
    tableId: 'one',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    invocations,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return lambda;
}

export function accept({ payload }: Invocation, response: ServerResponse): void {
  const { leadRequestId } = payload.lead;
  const execution = `${payload.route}.${leadRequestId}.1`;
  response.end(JSON.stringify({ leadRequestId, execution, status: 'accepted' }));
}

export function fail(response: ServerResponse, errorType: string, errorMessage: string): void {
  response.setHeader('x-amz-function-error', 'Unhandled');
  response.end(JSON.stringify({ errorType, errorMessage, trace: [] }));
}
