import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../local/engine.ts';
import { checkPattern, matchesPattern, UnknownPatternOperator } from '../../local/event-pattern.ts';
import { clientSettings, executionArn, MACHINE_ARN, startFixture, until } from './fixtures/engine/fixture.ts';

let engine: Engine;

beforeAll(async () => {
  engine = await startFixture({ sandboxBearer: 'the-bearer' });
});

afterAll(() => engine.stop());

/** A request as AWS clients of the JSON protocol send it. */
async function call(target: string, body: object) {
  const response = await fetch(engine.url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
}

const sqs = (operation: string, body: object) => call(`AmazonSQS.${operation}`, body);

describe('a queue', () => {
  const QueueUrl = 'http://somewhere.else/000000000000/manual';

  test('is found by name, whatever host its URL has', async () => {
    const { body } = await sqs('GetQueueUrl', { QueueName: 'manual' });

    expect(body).toEqual({ QueueUrl: `${engine.url}/000000000000/manual` });
    expect((await sqs('GetQueueUrl', { QueueName: 'nobody' })).body).toMatchObject({
      __type: 'com.amazonaws.sqs#QueueDoesNotExist',
    });
  });

  test('hides what was received until its visibility timeout is over, and forgets what was deleted', async () => {
    const sent = await sqs('SendMessage', { QueueUrl, MessageBody: 'hello' });
    const first = await sqs('ReceiveMessage', { QueueUrl, VisibilityTimeout: 1 });
    const hidden = await sqs('ReceiveMessage', { QueueUrl });
    const again = await sqs('ReceiveMessage', { QueueUrl, WaitTimeSeconds: 5 });
    const [message] = again.body.Messages as unknown as { ReceiptHandle: string }[];
    await sqs('DeleteMessage', { QueueUrl, ReceiptHandle: message?.ReceiptHandle });

    expect(sent.body.MD5OfMessageBody).toBe('5d41402abc4b2a76b9719d911017c592');
    expect(first.body.Messages).toMatchObject([
      { Body: 'hello', Attributes: { ApproximateReceiveCount: '1' } },
    ]);
    expect(hidden.body).toEqual({});
    expect(again.body.Messages).toMatchObject([
      { Body: 'hello', Attributes: { ApproximateReceiveCount: '2' } },
    ]);
    expect(
      (await sqs('GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] })).body.Attributes,
    ).toMatchObject({
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesNotVisible: '0',
    });
  });

  test('hands its messages to its function; one that always fails ends in the dead-letter queue', async () => {
    const inbox = `${engine.url}/000000000000/inbox`;
    await sqs('SendMessage', { QueueUrl: inbox, MessageBody: '{"id":"good"}' });
    await sqs('SendMessage', { QueueUrl: inbox, MessageBody: '{"id":"bad","fail":true}' });

    const dead = await until('a message is dead', () => {
      const messages = engine.queues
        .find(({ definition }) => definition.logicalId === 'DeadLetters')
        ?.messages();
      return messages?.length ? messages : undefined;
    });

    expect(dead.map(({ body }) => body)).toEqual(['{"id":"bad","fail":true}']);
    const taken = engine.logLines('fixture-intake').filter((line) => line.startsWith('took'));
    expect(taken.filter((line) => line.includes('good'))).toHaveLength(1);
    expect(taken.filter((line) => line.includes('bad'))).toHaveLength(2);
    expect(engine.queues.find(({ definition }) => definition.name === 'inbox')?.messages()).toEqual([]);
  });
});

describe('events', () => {
  test('are accepted one by one and stay readable', async () => {
    const { body } = await call('AWSEvents.PutEvents', {
      Entries: [
        { Source: 'test', DetailType: 'Asked', Detail: '{"a":1}', EventBusName: 'default' },
        { Source: 'test', DetailType: 'Asked', Detail: '{' },
      ],
    });

    expect(body).toMatchObject({ FailedEntryCount: 1, Entries: [{}, { ErrorCode: 'MalformedDetail' }] });
    expect(engine.events.filter(({ event }) => event.source === 'test')).toMatchObject([
      { bus: 'default', event: { 'detail-type': 'Asked', detail: { a: 1 }, account: '000000000000' } },
    ]);
  });

  test('tell the function behind a rule that an execution was aborted', async () => {
    engine.executions.start(MACHINE_ARN, 'aborted', JSON.stringify({ next: 'ask' }));
    const before = engine.counters.invocations['fixture-worker'] ?? 0;

    engine.executions.stop(executionArn('aborted'));

    await until('the rule has called', () => (engine.counters.invocations['fixture-worker'] ?? 0) > before);
    expect(engine.events.at(-1)).toMatchObject({
      targets: ['arn:aws:lambda:us-east-1:000000000000:function:fixture-worker'],
      event: {
        source: 'aws.states',
        'detail-type': 'Step Functions Execution Status Change',
        detail: { status: 'ABORTED', name: 'aborted', stateMachineArn: MACHINE_ARN },
      },
    });
  });

  test('tell of a start and of an end, and hold neither input nor output', async () => {
    const { start } = engine.executions.start(MACHINE_ARN, 'told', JSON.stringify({ next: 'secret' }));
    await until('it has ended', () => engine.executions.find(executionArn('told')).end !== undefined);

    const told = engine.events.filter(({ event }) => event.resources.includes(executionArn('told')));
    const common = {
      executionArn: executionArn('told'),
      stateMachineArn: MACHINE_ARN,
      name: 'told',
      startDate: start.startDate,
      input: null,
      inputDetails: { included: false },
      output: null,
      error: null,
      cause: null,
      redriveCount: 0,
      redriveDate: null,
      redriveStatus: 'NOT_REDRIVABLE',
    };
    expect(told.map(({ event }) => event.detail)).toEqual([
      {
        ...common,
        status: 'RUNNING',
        stopDate: null,
        outputDetails: null,
        redriveStatusReason: 'Execution is RUNNING and cannot be redriven',
      },
      {
        ...common,
        status: 'SUCCEEDED',
        stopDate: expect.any(Number),
        outputDetails: { included: false },
        redriveStatusReason: 'Execution is SUCCEEDED and cannot be redriven',
      },
    ]);
  });

  test.each([
    [{ source: ['a', 'b'] }, true],
    [{ source: ['c'] }, false],
    [{ detail: { status: [{ prefix: 'FAIL' }] } }, true],
    [{ detail: { status: [{ 'anything-but': ['FAILED'] }] } }, false],
    [{ detail: { missing: [{ exists: false }], status: [{ exists: true }] } }, true],
    [{ detail: { tags: ['y'] } }, true],
    [{ detail: { missing: ['y'] } }, false],
  ])('fit the pattern %j: %s', (pattern, expected) => {
    const event = { source: 'b', detail: { status: 'FAILED', tags: ['x', 'y'] } };

    expect(matchesPattern(pattern, event)).toBe(expected);
  });

  test.each([
    { source: ['x'], detail: { n: [{ numeric: ['>', 1] }] } },
    { detail: { s: [{ 'anything-but': { wildcard: '*' } }] } },
    { $or: [{ source: ['x'] }] },
  ])('a pattern with an operator that the engine does not know is refused: %j', (pattern) => {
    expect(() => checkPattern(pattern)).toThrow(UnknownPatternOperator);
  });
});

describe('secrets', () => {
  test('of destinations exist by their names, with what the sandbox accepts', async () => {
    const client = new SecretsManagerClient(clientSettings(engine.url));
    const value = async (SecretId: string) =>
      (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString;
    const { ARN } = await client.send(new GetSecretValueCommand({ SecretId: 'local/demo/resend/write' }));

    expect(await value('local/demo/hubspot/read')).toBe('the-bearer.read');
    expect(await value('local/any-route/resend/write')).toBe('the-bearer.write');
    expect(await value(ARN ?? '')).toBe('the-bearer.write');
    expect(await value('local/sandbox')).toBe('the-bearer');
    for (const other of ['test/demo/hubspot/read', 'local/demo/hubspot/admin', 'local/a/b/c/read']) {
      await expect(value(other)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    }
  });

  test('of intake sign by a key that is made of their name', async () => {
    const client = new SecretsManagerClient(clientSettings(engine.url));
    const { SecretString } = await client.send(
      new GetSecretValueCommand({ SecretId: 'local/website/intake' }),
    );

    expect(SecretString).toMatch(/^whsec_/);
    const key = Buffer.from(String(SecretString).slice('whsec_'.length), 'base64').toString();
    expect(key).toBe('lead-handoff/local/website/intake');
    await expect(
      client.send(
        new GetSecretValueCommand({ SecretId: 'local/website/intake', VersionStage: 'AWSPREVIOUS' }),
      ),
    ).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: "Secrets Manager can't find the specified secret value for staging label: AWSPREVIOUS",
    });
  });

  test('keep the version before the current one, under its label and its id', async () => {
    const client = new SecretsManagerClient(clientSettings(engine.url));
    const SecretId = 'local/rotated/intake';
    const read = (more: object = {}) => client.send(new GetSecretValueCommand({ SecretId, ...more }));
    const put = (SecretString: string, ClientRequestToken?: string) =>
      client.send(new PutSecretValueCommand({ SecretId, SecretString, ClientRequestToken }));
    const { SecretString: seeded, VersionId: first } = await read();

    const { VersionId: second } = await put('two', 'the-id-of-the-second-version-of-it');
    await put('two', second);
    expect(await read()).toMatchObject({
      SecretString: 'two',
      VersionId: second,
      VersionStages: ['AWSCURRENT'],
    });
    expect(await read({ VersionStage: 'AWSPREVIOUS' })).toMatchObject({
      SecretString: seeded,
      VersionId: first,
      VersionStages: ['AWSPREVIOUS'],
    });
    expect((await client.send(new DescribeSecretCommand({ SecretId }))).VersionIdsToStages).toEqual({
      [String(second)]: ['AWSCURRENT'],
      [String(first)]: ['AWSPREVIOUS'],
    });

    await expect(put('other', second)).rejects.toMatchObject({ name: 'ResourceExistsException' });
    await put('three');
    expect(await read({ VersionStage: 'AWSPREVIOUS' })).toMatchObject({ SecretString: 'two' });
    expect(await read({ VersionId: second })).toMatchObject({ SecretString: 'two' });
    await expect(read({ VersionId: first })).rejects.toMatchObject({
      message: `Secrets Manager can't find the specified secret value for VersionId: ${first}`,
    });
    await expect(
      client.send(new PutSecretValueCommand({ SecretId, SecretString: 'x', VersionStages: ['AWSPENDING'] })),
    ).rejects.toMatchObject({ name: 'InvalidParameterException' });
  });

  test('can be created once, changed and listed', async () => {
    const client = new SecretsManagerClient(clientSettings(engine.url));
    const create = () => client.send(new CreateSecretCommand({ Name: 'own', SecretString: 'one' }));

    await create();
    await expect(create()).rejects.toMatchObject({ name: 'ResourceExistsException' });
    await client.send(new PutSecretValueCommand({ SecretId: 'own', SecretString: 'two' }));
    const { SecretList } = await client.send(new ListSecretsCommand({}));
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: 'own' }));

    expect(SecretString).toBe('two');
    expect(SecretList?.map(({ Name }) => Name)).toEqual(['local/sandbox', 'local/rotated/intake', 'own']);
  });
});

test.each([
  ['DynamoDB_20120810.TransactWriteItems', 'The embedded engine does not speak DynamoDB TransactWriteItems.'],
  ['AmazonSQS.CreateQueue', 'The embedded engine does not speak SQS CreateQueue.'],
  ['AWSEvents.PutRule', 'The embedded engine does not speak EventBridge PutRule.'],
  ['secretsmanager.RotateSecret', 'The embedded engine does not speak Secrets Manager RotateSecret.'],
  [
    'AWSStepFunctions.CreateStateMachine',
    'The embedded engine does not speak Step Functions CreateStateMachine. It runs the state machines of the synthesized app: change the app instead.',
  ],
  ['AmazonSSM.GetParameter', 'The embedded engine does not speak AmazonSSM.GetParameter.'],
])('%s is refused by name', async (target, message) => {
  const { status, body } = await call(target, {});

  expect(status).toBe(400);
  expect(body).toEqual({ __type: 'UnknownOperationException', message });
});

test('a page in a browser cannot call a function', async () => {
  const response = await fetch(`${engine.url}/2015-03-31/functions/fixture-worker/invocations`, {
    method: 'POST',
    headers: { origin: 'http://elsewhere.example.com' },
    body: '{}',
  });

  expect(response.status).toBe(403);
});
