import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { awsAccess } from '../../../cli/aws/access.ts';
import { executionStatuses } from '../../../cli/aws/execution-status.ts';

const MACHINE = 'arn:aws:states:us-east-1:1:stateMachine:lead-handoff-local';
const EXECUTION = 'arn:aws:states:us-east-1:1:execution:lead-handoff-local:';

let server: Server | undefined;
let calls: string[] = [];

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
  calls = [];
});

type Answer = readonly [status: number, body: object];

/** A start function that names its state machine, and a Step Functions that the test plays. */
async function aws(answer: (operation: string, body: Record<string, string>) => Answer | null) {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const operation =
      String(request.headers['x-amz-target'] ?? 'Lambda.GetFunctionConfiguration').split('.')[1] ?? '';
    calls.push(operation);
    const said: Answer | null =
      operation === 'GetFunctionConfiguration'
        ? [200, { Environment: { Variables: { STATE_MACHINE_ARN: MACHINE } } }]
        : answer(operation, JSON.parse(text));
    if (said === null) return;
    response.writeHead(said[0], { 'x-amzn-requestid': 'request-1' });
    response.end(JSON.stringify(said[1]));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return awsAccess({ stage: 'local', endpoint }, {});
}

const refuse = (name: string): Answer => [400, { __type: name, message: 'no' }];

it('describes a few executions one by one', async () => {
  const access = await aws((_, { executionArn }) => {
    const name = executionArn?.slice(EXECUTION.length);
    return name === 'gone' ? refuse('ExecutionDoesNotExist') : [200, { name, status: name?.toUpperCase() }];
  });

  const statuses = await executionStatuses(access, ['running', 'aborted', 'gone', 'aborted']);

  expect([...statuses].sort()).toEqual([
    ['aborted', 'ABORTED'],
    ['gone', 'DOES_NOT_EXIST'],
    ['running', 'RUNNING'],
  ]);
  expect(calls).toHaveLength(4);
});

it('looks for many among the running ones, and describes the others', async () => {
  const names = Array.from({ length: 50 }, (_, i) => `e-${i}`);
  const access = await aws((operation, body) => {
    if (operation === 'DescribeExecution') return [200, { status: 'FAILED' }];
    expect(body).toMatchObject({ stateMachineArn: MACHINE, statusFilter: 'RUNNING' });
    const page = body.nextToken === 'more' ? names.slice(30, 49) : names.slice(0, 30);
    const executions = page.map((name) => ({ name }));
    return [200, body.nextToken === 'more' ? { executions } : { executions, nextToken: 'more' }];
  });

  const statuses = await executionStatuses(access, names);

  expect(statuses.size).toBe(50);
  expect([...statuses].filter(([, status]) => status !== 'RUNNING')).toEqual([['e-49', 'FAILED']]);
  expect(calls).toEqual([
    'GetFunctionConfiguration',
    'ListExecutions',
    'ListExecutions',
    'DescribeExecution',
  ]);
});

it('leaves out what it may not see, and asks nothing for nobody', async () => {
  const access = await aws(() => refuse('AccessDeniedException'));

  expect(await executionStatuses(access, ['running'])).toEqual(new Map());
  calls = [];
  expect(await executionStatuses(access, [])).toEqual(new Map());
  expect(calls).toEqual([]);
});

it('does not wait for a Step Functions that does not answer', async () => {
  const access = await aws(() => null);

  expect(await executionStatuses(access, ['running'])).toEqual(new Map());
}, 20_000);
