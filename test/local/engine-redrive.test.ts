import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  RedriveExecutionCommand,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../local/engine.ts';
import { awsCli, hasAwsCli } from './fixtures/engine/aws-cli.ts';
import { clientSettings, executionArn, MACHINE_ARN, startFixture, until } from './fixtures/engine/fixture.ts';

let engine: Engine;
let client: SFNClient;

beforeAll(async () => {
  engine = await startFixture();
  client = new SFNClient(clientSettings(engine.url));
});

afterAll(async () => {
  client.destroy();
  await engine.stop();
});

const describeExecution = (name: string) =>
  client.send(new DescribeExecutionCommand({ executionArn: executionArn(name) }));

const redrive = (name: string, clientToken?: string) =>
  client.send(new RedriveExecutionCommand({ executionArn: executionArn(name), clientToken }));

/** The newest of `count` tokens, once the question has been asked so often. */
function token(name: string, count: number): Promise<string> {
  return until(`${name} waits on its token number ${count}`, () => {
    const { events, tokens } = engine.executions.find(executionArn(name));
    const submitted = events.filter(({ type }) => type === 'TaskSubmitted');
    return submitted.length === count && [...tokens].at(-1);
  });
}

async function failedExecution(name: string): Promise<void> {
  const input = JSON.stringify({ next: 'ask' });
  await client.send(new StartExecutionCommand({ stateMachineArn: MACHINE_ARN, name, input }));
  const taskToken = await token(name, 1);
  await client.send(new SendTaskFailureCommand({ taskToken, error: 'No', cause: 'Not done.' }));
  await until(`${name} failed`, async () => (await describeExecution(name)).status === 'FAILED');
}

test('an SDK client redrives an execution and sees what happened', async () => {
  await failedExecution('by-sdk');
  const before = await describeExecution('by-sdk');
  expect(before).toMatchObject({ redriveCount: 0, redriveStatus: 'REDRIVABLE', error: 'No' });
  expect(before.redriveDate).toBeUndefined();

  const { redriveDate } = await redrive('by-sdk', 'once');
  const again = await redrive('by-sdk', 'once');

  expect(redriveDate).toBeInstanceOf(Date);
  expect(again.redriveDate).toEqual(redriveDate);
  const running = await describeExecution('by-sdk');
  expect(running).toMatchObject({
    status: 'RUNNING',
    startDate: before.startDate,
    redriveCount: 1,
    redriveDate,
    redriveStatus: 'NOT_REDRIVABLE',
    redriveStatusReason: 'Execution is RUNNING and cannot be redriven',
  });
  expect([running.error, running.cause, running.stopDate]).toEqual([undefined, undefined, undefined]);
  await client.send(
    new SendTaskSuccessCommand({ taskToken: await token('by-sdk', 2), output: '{"yes":true}' }),
  );
  const ended = await until('it succeeded', async () => {
    const found = await describeExecution('by-sdk');
    return found.status === 'SUCCEEDED' && found;
  });
  expect(ended.output).toBe('{"answer":{"yes":true}}');
  const { events = [] } = await client.send(
    new GetExecutionHistoryCommand({ executionArn: executionArn('by-sdk') }),
  );
  const types = events.map(({ type }) => type);
  expect(types.filter((type) => type === 'ExecutionStarted')).toHaveLength(1);
  expect(types.slice(types.indexOf('ExecutionFailed'))).toEqual([
    'ExecutionFailed',
    'ExecutionRedriven',
    'TaskScheduled',
    'TaskStarted',
    'TaskSubmitted',
    'TaskSucceeded',
    'TaskStateExited',
    'SucceedStateEntered',
    'SucceedStateExited',
    'ExecutionSucceeded',
  ]);
  const redriven = events.find(({ type }) => type === 'ExecutionRedriven');
  expect(redriven?.executionRedrivenEventDetails).toEqual({ redriveCount: 1 });
  const { executions = [] } = await client.send(new ListExecutionsCommand({ stateMachineArn: MACHINE_ARN }));
  expect(executions.find(({ name }) => name === 'by-sdk')).toMatchObject({ redriveCount: 1, redriveDate });
});

test('refusals have the names that the SDK knows', async () => {
  await expect(redrive('nobody')).rejects.toMatchObject({ name: 'ExecutionDoesNotExist' });
  await expect(client.send(new RedriveExecutionCommand({ executionArn: MACHINE_ARN }))).rejects.toMatchObject(
    { name: 'InvalidArn' },
  );
  await client.send(
    new StartExecutionCommand({ stateMachineArn: MACHINE_ARN, name: 'runs', input: '{"next":"ask"}' }),
  );
  await expect(redrive('runs')).rejects.toMatchObject({
    name: 'ExecutionNotRedrivable',
    message: `Execution ${executionArn('runs')} invalid for redrive as: Execution is RUNNING and cannot be redriven`,
  });
  await expect(
    client.send(new ListExecutionsCommand({ stateMachineArn: MACHINE_ARN, redriveFilter: 'REDRIVEN' })),
  ).rejects.toMatchObject({ name: 'ValidationException' });
});

test('EventBridge is told of the redrive', async () => {
  await failedExecution('told');
  const { redriveDate } = await redrive('told');

  const details = engine.events.map(({ event }) => event.detail as { name?: string });
  const detail = details.findLast(({ name }) => name === 'told');

  expect(detail).toMatchObject({
    status: 'RUNNING',
    redriveCount: 1,
    redriveDate: redriveDate?.getTime(),
    redriveStatus: 'NOT_REDRIVABLE',
    redriveStatusReason: 'Execution is RUNNING and cannot be redriven',
  });
});

test.skipIf(!hasAwsCli())(
  'the AWS CLI redrives',
  async () => {
    const aws = awsCli(() => engine.url);
    await failedExecution('by-cli');
    const arn = executionArn('by-cli');

    const answer = await aws('stepfunctions', 'redrive-execution', '--execution-arn', arn);
    const found = await aws('stepfunctions', 'describe-execution', '--execution-arn', arn);

    expect(answer).toEqual({ redriveDate: expect.anything() });
    expect(found).toMatchObject({ status: 'RUNNING', redriveCount: 1, redriveStatus: 'NOT_REDRIVABLE' });
    await expect(aws('stepfunctions', 'redrive-execution', '--execution-arn', arn)).rejects.toThrow(
      /ExecutionNotRedrivable.*Execution is RUNNING and cannot be redriven/,
    );
  },
  180_000,
);
