import {
  CreateActivityCommand,
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  DescribeStateMachineForExecutionCommand,
  type ExecutionStatus,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  SendTaskFailureCommand,
  SendTaskHeartbeatCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

function start(name: string | undefined, input: unknown = {}) {
  return client.send(
    new StartExecutionCommand({ stateMachineArn: MACHINE_ARN, name, input: JSON.stringify(input) }),
  );
}

function describeExecution(name: string) {
  return client.send(new DescribeExecutionCommand({ executionArn: executionArn(name) }));
}

function reach(name: string, status: ExecutionStatus) {
  return until(`${name} is ${status}`, async () => {
    const found = await describeExecution(name);
    return found.status === status && found;
  });
}

/** The token that the execution waits on, once the function behind it was called. */
function tokenOf(name: string): Promise<string> {
  return until(`${name} waits on a token`, async () => {
    const { events } = await client.send(
      new GetExecutionHistoryCommand({ executionArn: executionArn(name), reverseOrder: true }),
    );
    const submitted = events?.some(({ type }) => type === 'TaskSubmitted');
    const call = events?.find(
      (event) => event.taskScheduledEventDetails?.resource === 'invoke.waitForTaskToken',
    );
    const parameters = JSON.parse(call?.taskScheduledEventDetails?.parameters ?? '{}');
    return submitted && (parameters.Payload?.token as string);
  });
}

describe('an execution', () => {
  test('runs its functions and is described with its output', async () => {
    const { executionArn: arn } = await start('happy', { hello: 'world' });

    const found = await reach('happy', 'SUCCEEDED');

    expect(arn).toBe('arn:aws:states:us-east-1:000000000000:execution:fixture:happy');
    expect(JSON.parse(found.output ?? '')).toMatchObject({
      hello: 'world',
      work: { echo: { hello: 'world' } },
    });
    expect(found.input).toBe('{"hello":"world"}');
    expect(found.startDate).toBeInstanceOf(Date);
    expect(found.stopDate?.getTime()).toBeGreaterThanOrEqual(found.startDate?.getTime() ?? 0);
  });

  test('has a history that can be read in pages and backwards', async () => {
    await start('pages');
    await reach('pages', 'SUCCEEDED');
    const read = (more: object) =>
      client.send(new GetExecutionHistoryCommand({ executionArn: executionArn('pages'), ...more }));

    const first = await read({ maxResults: 4 });
    const second = await read({ maxResults: 4, nextToken: first.nextToken });
    const last = await read({ maxResults: 1, reverseOrder: true });
    const bare = await read({ includeExecutionData: false, maxResults: 1 });

    expect(first.events?.map(({ type }) => type)).toEqual([
      'ExecutionStarted',
      'TaskStateEntered',
      'TaskScheduled',
      'TaskStarted',
    ]);
    expect(second.events?.map(({ id }) => id)).toEqual([5, 6, 7, 8]);
    expect(last.events?.[0]?.type).toBe('ExecutionSucceeded');
    expect(bare.events?.[0]?.executionStartedEventDetails?.input).toBeUndefined();
    await expect(read({ nextToken: 'made up' })).rejects.toMatchObject({ name: 'InvalidToken' });
  });

  test('that catches a failed function sees its error name and cause', async () => {
    await start('caught', { do: 'throw' });

    const found = await reach('caught', 'FAILED');

    expect(found.error).toBe('GaveUp');
    const { Error: error, Cause: cause } = JSON.parse(found.cause ?? '');
    expect(error).toBe('ToldToThrow');
    expect(JSON.parse(cause)).toMatchObject({ errorMessage: 'The worker was told to throw.' });
  });

  test('meets the function’s own timeout as Sandbox.Timedout', async () => {
    await start('slow', { do: 'hang' });

    const found = await reach('slow', 'FAILED');

    expect(JSON.parse(found.cause ?? '').Error).toBe('Sandbox.Timedout');
  });

  test('that gives a function up does not stop it: the invocation runs on to its own end', async () => {
    await start('given-up', { do: 'sleep', ms: 1_300, limit: 1 });

    const found = await reach('given-up', 'FAILED');
    const slept = () => engine.logLines('fixture-worker').includes('worker slept 1300 ms');

    expect(JSON.parse(found.cause ?? '').Error).toBe('States.Timeout');
    expect(slept()).toBe(false);
    await until('the function has slept', slept);
  });

  test('can be stopped, and what it waited on is then too late', async () => {
    await start('stopped', { next: 'ask' });
    const taskToken = await tokenOf('stopped');

    await client.send(
      new StopExecutionCommand({ executionArn: executionArn('stopped'), error: 'Enough', cause: 'A test.' }),
    );

    expect(await describeExecution('stopped')).toMatchObject({
      status: 'ABORTED',
      error: 'Enough',
      cause: 'A test.',
    });
    await expect(client.send(new SendTaskSuccessCommand({ taskToken, output: '{}' }))).rejects.toMatchObject({
      name: 'TaskTimedOut',
    });
  });
});

describe('names', () => {
  test.each([
    ['80 characters', 'n'.repeat(80)],
    ['dots, dashes, letters of other alphabets', 'route.lead-1_ü.1'],
  ])('with %s are taken', async (_what, name) => {
    await expect(start(name)).resolves.toMatchObject({ executionArn: executionArn(name) });
  });

  test.each(['n'.repeat(81), 'with space', 'a/b', 'a:b', 'a*b', 'a#b', 'a"b', 'a,b', 'a\u0007b'])(
    'like %j are refused',
    async (name) => {
      await expect(start(name)).rejects.toMatchObject({ name: 'InvalidName' });
    },
  );

  test('are made up when none is given', async () => {
    const { executionArn: arn } = await start(undefined);

    expect(arn).toMatch(/:fixture:[0-9a-f-]{36}$/);
  });

  test('may come again with the same input while the first still runs, and start nothing', async () => {
    const first = await start('twice', { next: 'ask' });

    const second = await start('twice', { next: 'ask' });

    expect(second).toMatchObject({ executionArn: first.executionArn, startDate: first.startDate });
    await expect(start('twice', { next: 'wait', seconds: 1 })).rejects.toMatchObject({
      name: 'ExecutionAlreadyExists',
      message: `Execution Already Exists: '${executionArn('twice')}'`,
    });
  });

  test('of closed executions are refused, with the same input too', async () => {
    await start('closed');
    await reach('closed', 'SUCCEEDED');

    await expect(start('closed')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
  });
});

describe('a task token', () => {
  test('takes one success; a second answer is too late', async () => {
    await start('answered', { next: 'ask' });
    const taskToken = await tokenOf('answered');

    await client.send(new SendTaskHeartbeatCommand({ taskToken }));
    await client.send(new SendTaskSuccessCommand({ taskToken, output: '{"yes":true}' }));

    expect((await reach('answered', 'SUCCEEDED')).output).toBe('{"answer":{"yes":true}}');
    await expect(client.send(new SendTaskFailureCommand({ taskToken }))).rejects.toMatchObject({
      name: 'TaskTimedOut',
      message: "Task Timed Out: 'Provided task does not exist anymore'",
    });
  });

  test('takes a failure, which the execution fails with', async () => {
    await start('failed', { next: 'ask' });
    const taskToken = await tokenOf('failed');

    await client.send(new SendTaskFailureCommand({ taskToken, error: 'No', cause: 'Not done.' }));

    expect(await reach('failed', 'FAILED')).toMatchObject({ error: 'No', cause: 'Not done.' });
  });

  test('that we never gave is invalid, and so is output that is not JSON', async () => {
    await start('bad-output', { next: 'ask' });
    const taskToken = await tokenOf('bad-output');

    await expect(
      client.send(new SendTaskSuccessCommand({ taskToken: 'made up', output: '{}' })),
    ).rejects.toMatchObject({ name: 'InvalidToken' });
    await expect(client.send(new SendTaskSuccessCommand({ taskToken, output: '{' }))).rejects.toMatchObject({
      name: 'InvalidOutput',
    });
  });
});

test('executions are listed newest first, by status, in pages', async () => {
  const own = await startFixture();
  const sfn = new SFNClient(clientSettings(own.url));
  try {
    const names = ['one', 'two', 'three'];
    for (const name of names) {
      own.executions.start(MACHINE_ARN, name, JSON.stringify({ next: 'ask' }));
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    own.executions.stop(executionArn('two'));
    const list = (more: object) =>
      sfn.send(new ListExecutionsCommand({ stateMachineArn: MACHINE_ARN, ...more }));

    const all = await list({});
    const running = await list({ statusFilter: 'RUNNING' });
    const page = await list({ maxResults: 2 });
    const rest = await list({ maxResults: 2, nextToken: page.nextToken });

    expect(all.executions?.map(({ name }) => name)).toEqual(['three', 'two', 'one']);
    expect(running.executions?.map(({ name }) => name)).toEqual(['three', 'one']);
    expect(rest.executions?.map(({ name }) => name)).toEqual(['one']);
    expect(rest.nextToken).toBeUndefined();
  } finally {
    sfn.destroy();
    await own.stop();
  }
});

test('state machines are listed and described with their definition', async () => {
  await start('of-machine');

  const { stateMachines } = await client.send(new ListStateMachinesCommand({}));
  const machine = await client.send(new DescribeStateMachineCommand({ stateMachineArn: MACHINE_ARN }));
  const ofExecution = await client.send(
    new DescribeStateMachineForExecutionCommand({ executionArn: executionArn('of-machine') }),
  );

  expect(stateMachines?.map(({ stateMachineArn }) => stateMachineArn)).toEqual([MACHINE_ARN]);
  expect(JSON.parse(machine.definition ?? '').States.Work.Arguments.FunctionName).toBe(
    'arn:aws:lambda:us-east-1:000000000000:function:fixture-worker',
  );
  expect(ofExecution.definition).toBe(machine.definition);
});

test('what does not exist, and what the engine does not speak, is named in the refusal', async () => {
  await expect(describeExecution('nobody')).rejects.toMatchObject({
    name: 'ExecutionDoesNotExist',
    message: `Execution Does Not Exist: '${executionArn('nobody')}'`,
  });
  await expect(
    client.send(new StartExecutionCommand({ stateMachineArn: `${MACHINE_ARN}x` })),
  ).rejects.toMatchObject({ name: 'StateMachineDoesNotExist' });
  await expect(client.send(new CreateActivityCommand({ name: 'nothing' }))).rejects.toMatchObject({
    name: 'UnknownOperationException',
    message: expect.stringContaining('Step Functions CreateActivity'),
  });
});

describe.skipIf(!hasAwsCli())('the AWS CLI', () => {
  const aws = awsCli(() => engine.url);

  test('starts, describes, lists and reads an execution', async () => {
    const arn = executionArn('by-cli');

    await aws('stepfunctions', 'start-execution', '--state-machine-arn', MACHINE_ARN, '--name', 'by-cli');
    await reach('by-cli', 'SUCCEEDED');
    const found = await aws('stepfunctions', 'describe-execution', '--execution-arn', arn);
    const listed = await aws(
      'stepfunctions',
      'list-executions',
      '--state-machine-arn',
      MACHINE_ARN,
      '--max-items',
      '1000',
    );
    const history = await aws(
      'stepfunctions',
      'get-execution-history',
      '--execution-arn',
      arn,
      '--query',
      'events[0].type',
    );

    expect(found).toMatchObject({ status: 'SUCCEEDED', input: '{}' });
    expect(listed).toMatchObject({
      executions: expect.arrayContaining([expect.objectContaining({ name: 'by-cli' })]),
    });
    expect(history).toBe('ExecutionStarted');
  }, 180_000);

  test('learns who it is', async () => {
    expect(await aws('sts', 'get-caller-identity')).toMatchObject({ Account: '000000000000' });
  });

  test('is told what the engine does not speak', async () => {
    await expect(aws('stepfunctions', 'list-activities')).rejects.toThrow(
      /UnknownOperationException.*does not speak Step Functions ListActivities/,
    );
  });
});
