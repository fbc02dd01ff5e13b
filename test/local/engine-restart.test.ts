import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Engine } from '../../local/engine.ts';
import type { Queue } from '../../local/queues.ts';
import {
  clientSettings,
  type EngineProcess,
  executionArn,
  isRunning,
  MACHINE_ARN,
  newDirectory,
  spawnEngine,
  startFixture,
  TABLE,
  until,
} from './fixtures/engine/fixture.ts';

let directory: ReturnType<typeof newDirectory>;
const running: EngineProcess[] = [];

beforeEach(() => {
  directory = newDirectory();
});

afterEach(async () => {
  for (const engine of running.splice(0)) {
    engine.child.kill('SIGKILL');
    await engine.ended();
  }
  directory.remove();
});

async function launch(...flags: string[]): Promise<EngineProcess & { sfn: SFNClient }> {
  const engine = await spawnEngine('--port', '0', '--data', directory.path, ...flags);
  running.push(engine);
  return { ...engine, sfn: new SFNClient(clientSettings(engine.url)) };
}

function start(sfn: SFNClient, name: string, input: object) {
  return sfn.send(
    new StartExecutionCommand({ stateMachineArn: MACHINE_ARN, name, input: JSON.stringify(input) }),
  );
}

async function history(sfn: SFNClient, name: string) {
  const { events = [] } = await sfn.send(
    new GetExecutionHistoryCommand({ executionArn: executionArn(name), maxResults: 1000 }),
  );
  return events;
}

function has(sfn: SFNClient, name: string, type: string) {
  return until(`${name} has ${type}`, async () =>
    (await history(sfn, name)).find((event) => event.type === type),
  );
}

function closed(sfn: SFNClient, name: string) {
  return until(`${name} is closed`, async () => {
    const found = await sfn.send(new DescribeExecutionCommand({ executionArn: executionArn(name) }));
    return found.status !== 'RUNNING' && found;
  });
}

async function kill(engine: EngineProcess): Promise<void> {
  engine.child.kill('SIGKILL');
  await engine.ended();
}

test('a killed engine goes on with what waited on a token, in a Wait and in a function, and keeps what was closed', async () => {
  const first = await launch();
  await start(first.sfn, 'done', {});
  await closed(first.sfn, 'done');
  await start(first.sfn, 'token', { next: 'ask' });
  await start(first.sfn, 'wait', { next: 'wait', seconds: 3 });
  const entered = await has(first.sfn, 'wait', 'WaitStateEntered');
  await has(first.sfn, 'token', 'TaskSubmitted');
  const scheduled = (await history(first.sfn, 'token')).findLast(({ type }) => type === 'TaskScheduled');
  const { token } = JSON.parse(scheduled?.taskScheduledEventDetails?.parameters ?? '').Payload;
  await start(first.sfn, 'function', { do: 'sleep', ms: 1_500 });
  await has(first.sfn, 'function', 'TaskStarted');

  await kill(first);
  const second = await launch();
  await second.sfn.send(new SendTaskSuccessCommand({ taskToken: token, output: '"after the kill"' }));

  expect(second.output()).toContain('going on with 3 running executions');
  expect((await closed(second.sfn, 'token')).output).toBe('{"answer":"after the kill"}');
  const waited = await closed(second.sfn, 'wait');
  expect(waited.status).toBe('SUCCEEDED');
  const waitedMs = (waited.stopDate?.getTime() ?? 0) - (entered.timestamp?.getTime() ?? 0);
  expect(waitedMs, 'the wait keeps its end').toBeGreaterThanOrEqual(2_990);
  const called = await closed(second.sfn, 'function');
  expect(JSON.parse(called.output ?? '').work.slept).toBe(1_500);
  const calls = (await history(second.sfn, 'function')).filter(({ type }) => type === 'TaskScheduled');
  expect(calls, 'the function was called again').toHaveLength(2);
  expect(await closed(second.sfn, 'done')).toMatchObject({ status: 'SUCCEEDED' });
  await expect(start(second.sfn, 'done', {})).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
});

test('a history goes on with its numbers, without a gap, after a kill', async () => {
  const first = await launch();
  await start(first.sfn, 'numbers', { do: 'sleep', ms: 1_000 });
  await has(first.sfn, 'numbers', 'TaskStarted');

  await kill(first);
  const second = await launch();
  await closed(second.sfn, 'numbers');

  const ids = (await history(second.sfn, 'numbers')).map(({ id }) => id);
  expect(ids).toEqual(ids.map((_, index) => index + 1));
});

test('no function process outlives a killed engine, not even a busy loop', async () => {
  const engine = await launch();
  const lambda = new LambdaClient(clientSettings(engine.url));
  const context = await lambda.send(
    new InvokeCommand({ FunctionName: 'fixture-worker', Payload: JSON.stringify({}) }),
  );
  const { pid } = JSON.parse(context.Payload?.transformToString() ?? '');
  void lambda
    .send(new InvokeCommand({ FunctionName: 'fixture-worker', Payload: JSON.stringify({ do: 'spin' }) }))
    .catch(() => {});
  await until(
    'it spins',
    () => isRunning(pid) && new Promise<true>((done) => setTimeout(() => done(true), 200)),
  );

  await kill(engine);

  await until('the busy loop is gone', () => !isRunning(pid));
});

test('items and secrets are still there after a kill; --fresh takes them away', async () => {
  const item = { pk: { S: 'kept' }, sk: { S: 'A' } };
  const read = async (url: string) =>
    (await new DynamoDBClient(clientSettings(url)).send(new GetItemCommand({ TableName: TABLE, Key: item })))
      .Item;
  const secret = (url: string) =>
    new SecretsManagerClient(clientSettings(url)).send(new GetSecretValueCommand({ SecretId: 'mine' }));
  const first = await launch();
  await new DynamoDBClient(clientSettings(first.url)).send(
    new PutItemCommand({ TableName: TABLE, Item: item }),
  );
  await new SecretsManagerClient(clientSettings(first.url)).send(
    new CreateSecretCommand({ Name: 'mine', SecretString: 'kept too' }),
  );

  await kill(first);
  const second = await launch();
  const kept = await read(second.url);
  const keptSecret = await secret(second.url);
  await kill(second);
  const third = await launch('--fresh');

  expect(kept).toEqual(item);
  expect(keptSecret.SecretString).toBe('kept too');
  await expect(secret(third.url)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  expect(await read(third.url)).toBeUndefined();
});

test('a message that nobody has answered for comes again after a kill; one that was deleted does not', async () => {
  const manual = (engine: Engine) =>
    engine.queues.find(({ definition }) => definition.name === 'manual') as Queue;
  const first = await startFixture({ dataDir: directory.path });
  manual(first).send('deleted');
  const [deleted] = await manual(first).receive(1, 30, 0);
  manual(first).delete(deleted?.receiptHandle ?? '');
  manual(first).send('open');
  await manual(first).receive(1, 0, 0);
  await first.stop();

  const second = await startFixture({ dataDir: directory.path });
  const received = await manual(second).receive(10, 30, 0);
  await second.stop();

  expect(received.map(({ body, receiveCount }) => [body, receiveCount])).toEqual([['open', 2]]);
});

test('a line that a kill cut off is as if it had not been written', async () => {
  const first = await startFixture({ dataDir: directory.path });
  first.executions.start(MACHINE_ARN, 'cut', JSON.stringify({ next: 'ask' }));
  await until('it waits', () =>
    first.executions.find(executionArn('cut')).events.some(({ type }) => type === 'TaskSubmitted'),
  );
  await first.stop();
  const [file = ''] = readdirSync(join(directory.path, 'executions'));
  appendFileSync(join(directory.path, 'executions', file), '{"kind":"event","eve');

  const second = await startFixture({ dataDir: directory.path });
  const record = second.executions.find(executionArn('cut'));
  second.executions.succeedTask([...record.tokens][0] ?? '', '1');
  await until('it is closed', () => record.end);
  await second.stop();
  const third = await startFixture({ dataDir: directory.path });

  expect(third.executions.find(executionArn('cut')).end?.output).toBe('{"answer":1}');
  await third.stop();
});
