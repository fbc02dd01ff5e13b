import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sqsApi } from '../../local/api-sqs.ts';
import { AwsError } from '../../local/aws-error.ts';
import type { InvocationResult } from '../../local/lambda-process.ts';
import type { QueueDefinition, QueueSubscription } from '../../local/model.ts';
import { QueuePoller } from '../../local/queue-poller.ts';
import { Queues } from '../../local/queues.ts';

/** A queue, its dead-letter queue, and the mapping to a function, with a clock that the tests turn. */

const VISIBILITY_MS = 18_000;
const DAY_MS = 86_400_000;
const DEAD_ARN = 'arn:aws:sqs:us-east-1:000000000000:dead';

function definitionOf(name: string, more: Partial<QueueDefinition> = {}): QueueDefinition {
  return {
    logicalId: name,
    name,
    arn: `arn:aws:sqs:us-east-1:000000000000:${name}`,
    url: `http://127.0.0.1:4566/000000000000/${name}`,
    visibilitySeconds: VISIBILITY_MS / 1000,
    delaySeconds: 0,
    retentionSeconds: (10 * DAY_MS) / 1000,
    maxMessageBytes: 1_000,
    ...more,
  };
}

const DEFINITIONS = [
  definitionOf('leads', { redrive: { deadLetterArn: DEAD_ARN, maxReceiveCount: 5 } }),
  definitionOf('dead', { retentionSeconds: (14 * DAY_MS) / 1000 }),
];

interface BatchRecord {
  readonly messageId: string;
  readonly body: string;
  readonly attributes: Record<string, string>;
}

let queues: Queues;
const pollers: QueuePoller[] = [];

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
  queues = new Queues(DEFINITIONS);
});

afterEach(() => {
  for (const poller of pollers.splice(0)) poller.stop();
  vi.useRealTimers();
});

const leads = () => queues.byName('leads') as NonNullable<ReturnType<Queues['byName']>>;
const dead = () => queues.byName('dead') as NonNullable<ReturnType<Queues['byName']>>;
const bodies = (queue = leads()) => queue.messages().map(({ body }) => body);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

type Take = (records: BatchRecord[]) => Promise<unknown> | unknown;

/** Hands the messages of a queue to `take`, whose result is what the function returns; returns the batches. */
function deliver(
  take: Take,
  { processes = 10, ...more }: Partial<QueueSubscription> & { processes?: number } = {},
): BatchRecord[][] {
  const batches: BatchRecord[][] = [];
  const subscription: QueueSubscription = {
    logicalId: 'Mapping',
    queueArn: leads().definition.arn,
    functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:intake',
    batchSize: 10,
    maxConcurrency: 10,
    partialBatches: true,
    ...more,
  };
  const queue = queues.byArn(subscription.queueArn) ?? leads();
  const invoke = async (_arn: string, event: unknown): Promise<InvocationResult> => {
    const { Records } = event as { Records: BatchRecord[] };
    batches.push(Records);
    const result = await take(Records);
    const failed = result instanceof Error;
    const payload = JSON.stringify(failed ? { errorType: result.name } : (result ?? null));
    return { requestId: 'r', failed, payload };
  };
  const poller = new QueuePoller(subscription, queue, invoke, processes);
  pollers.push(poller);
  poller.start();
  return batches;
}

const failing = (records: BatchRecord[], ...failed: string[]) => ({
  batchItemFailures: records
    .filter(({ body }) => failed.includes(body))
    .map(({ messageId }) => ({ itemIdentifier: messageId })),
});

const countsOf = (batches: BatchRecord[][]) =>
  batches.map((batch) =>
    batch.map(({ body, attributes }) => `${body}:${attributes.ApproximateReceiveCount}`),
  );

describe('a batch', () => {
  beforeEach(() => {
    for (const body of ['one', 'two', 'three']) leads().send(body);
  });

  test('of which one message fails: that one comes again, when its visibility timeout is over', async () => {
    const batches = deliver((records) => failing(records, 'two'));
    await pass(VISIBILITY_MS - 1);
    expect(countsOf(batches)).toEqual([['one:1', 'two:1', 'three:1']]);
    expect(bodies()).toEqual(['two']);

    await pass(1);
    expect(countsOf(batches).slice(1)).toEqual([['two:2']]);
  });

  test.each([
    ['the function fails', () => new Error('any')],
    ['the answer names all of them', (records: BatchRecord[]) => failing(records, 'one', 'two', 'three')],
  ])('comes again where %s', async (_case, take) => {
    const batches = deliver(take);
    await pass(VISIBILITY_MS);

    expect(countsOf(batches)).toEqual([
      ['one:1', 'two:1', 'three:1'],
      ['one:2', 'two:2', 'three:2'],
    ]);
  });

  // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
  test.each([
    ['nothing', null],
    ['an empty object', {}],
    ['no failures', { batchItemFailures: [] }],
    ['null', { batchItemFailures: null }],
  ])('is deleted by an answer of %s, whatever became of its messages', async (_case, answer) => {
    const batches = deliver(() => answer);
    await pass(10 * VISIBILITY_MS);

    expect(batches).toHaveLength(1);
    expect(bodies()).toEqual([]);
  });

  test.each([
    ['a text', 'done'],
    ['a list', []],
    ['failures that are no list', { batchItemFailures: {} }],
    ['a key with another name', { batchItemFailures: [{ messageId: 'x' }] }],
    ['an empty identifier', { batchItemFailures: [{ itemIdentifier: '' }] }],
    ['no identifier', { batchItemFailures: [{ itemIdentifier: null }] }],
    ['nothing in the list', { batchItemFailures: [null] }],
    ['an identifier of another message', { batchItemFailures: [{ itemIdentifier: 'another' }] }],
  ])('comes again where the answer cannot be understood: %s', async (_case, answer) => {
    deliver(() => answer);
    await pass(0);

    expect(bodies()).toEqual(['one', 'two', 'three']);
  });

  test('is deleted as a whole where partial answers are not asked for', async () => {
    deliver((records) => failing(records, 'two'), { partialBatches: false });
    await pass(0);

    expect(bodies()).toEqual([]);
  });

  test('that took longer than its messages were hidden is not deleted where somebody else has them', async () => {
    let first = true;
    const batches = deliver(
      async (records) => {
        const slow = first;
        first = false;
        await new Promise((resolve) => setTimeout(resolve, slow ? VISIBILITY_MS + 1_000 : 5_000));
        return slow ? null : failing(records, 'one', 'two', 'three');
      },
      { maxConcurrency: 2 },
    );
    await pass(VISIBILITY_MS + 2_000);
    expect(batches).toHaveLength(2);
    await pass(10_000);

    expect(bodies()).toEqual(['one', 'two', 'three']);
  });

  test('that its function is throttled for is tried again, which is no further receive', async () => {
    let refusals = 3;
    const batches = deliver(() => {
      refusals -= 1;
      if (refusals >= 0) throw new AwsError('TooManyRequestsException', 'Rate Exceeded.', 429);
      return null;
    });
    await pass(5_000);

    expect(countsOf(batches)).toEqual(Array(4).fill(['one:1', 'two:1', 'three:1']));
    expect(bodies()).toEqual([]);
  });

  test('that its function is throttled for all the time comes again', async () => {
    const batches = deliver(() => {
      throw new AwsError('TooManyRequestsException', 'Rate Exceeded.', 429);
    });
    await pass(VISIBILITY_MS);

    expect(countsOf(batches).at(-1)).toEqual(['one:2', 'two:2', 'three:2']);
    expect(bodies()).toHaveLength(3);
  });
});

describe('as many batches at once', () => {
  const mostAtOnce = async (options: { maxConcurrency: number; processes: number }) => {
    let now = 0;
    let most = 0;
    for (let i = 0; i < 40; i += 1) leads().send(String(i));
    deliver(
      async () => {
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => setTimeout(resolve, 100));
        now -= 1;
        return null;
      },
      { ...options, batchSize: 2 },
    );
    await pass(5_000);
    expect(bodies()).toEqual([]);
    return most;
  };

  test('as the mapping allows', async () => {
    expect(await mostAtOnce({ maxConcurrency: 3, processes: 10 })).toBe(3);
  });

  test('as there are processes: the others stay in the queue and are not received', async () => {
    expect(await mostAtOnce({ maxConcurrency: 10, processes: 2 })).toBe(2);
  });
});

describe('a message that always fails', () => {
  test('is received five times, and then it is a dead letter with its id, its age and its count', async () => {
    const sentAt = Date.now();
    const { messageId } = leads().send('poison', { attributes: { Origin: { DataType: 'String' } } });
    const batches = deliver((records) => failing(records, 'poison'));
    const deadBatches = deliver(() => null, { queueArn: DEAD_ARN });
    await pass(4 * VISIBILITY_MS);
    expect(countsOf(batches).flat()).toEqual(['poison:1', 'poison:2', 'poison:3', 'poison:4', 'poison:5']);
    expect(deadBatches).toEqual([]);

    await pass(VISIBILITY_MS);
    expect(batches).toHaveLength(5);
    expect(bodies()).toEqual([]);
    expect(deadBatches).toMatchObject([
      [
        {
          messageId,
          body: 'poison',
          attributes: {
            ApproximateReceiveCount: '6',
            SentTimestamp: String(sentAt),
            DeadLetterQueueSourceArn: leads().definition.arn,
          },
          messageAttributes: { Origin: { dataType: 'String' } },
        },
      ],
    ]);
    expect(bodies(dead())).toEqual([]);
  });

  test('stays a dead letter until it is taken, and comes again and again until then', async () => {
    leads().send('poison');
    deliver(() => new Error('any'));
    const deadBatches = deliver((records) => failing(records, 'poison'), { queueArn: DEAD_ARN });
    await pass(20 * VISIBILITY_MS);

    expect(deadBatches.length).toBeGreaterThan(10);
    expect(bodies(dead())).toEqual(['poison']);
  });

  test('is gone two weeks after it was sent, not after it moved', async () => {
    leads().send('poison');
    await pass(9 * DAY_MS);
    const poller = deliver(() => new Error('any'));
    await pass(5 * VISIBILITY_MS);
    expect(poller).toHaveLength(5);
    expect(bodies(dead())).toEqual(['poison']);

    await pass(5 * DAY_MS - 6 * VISIBILITY_MS);
    expect(bodies(dead())).toEqual(['poison']);
    await pass(2 * VISIBILITY_MS);
    expect(bodies(dead())).toEqual([]);
  });

  test('counts anew in a dead-letter queue that has one itself', async () => {
    const [, last] = DEFINITIONS;
    queues = new Queues([
      definitionOf('leads', { redrive: { deadLetterArn: 'arn:middle', maxReceiveCount: 2 } }),
      definitionOf('middle', { arn: 'arn:middle', redrive: { deadLetterArn: DEAD_ARN, maxReceiveCount: 2 } }),
      last as QueueDefinition,
    ]);
    leads().send('poison');
    deliver(() => new Error('any'));
    const middle = deliver(() => new Error('any'), { queueArn: 'arn:middle' });
    await pass(5 * VISIBILITY_MS);

    expect(countsOf(middle).flat()).toEqual(['poison:3', 'poison:4']);
    expect(bodies(dead())).toEqual(['poison']);
  });
});

test('a queue forgets what nobody has taken in its time', async () => {
  leads().send('old');
  await pass(10 * DAY_MS);
  leads().send('new');
  expect(bodies()).toEqual(['old', 'new']);
  await pass(1);

  expect(leads().counts()).toEqual({ visible: 1, hidden: 0, delayed: 0 });
  expect(bodies()).toEqual(['new']);
});

test('a dead letter is still one in the next engine', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'engine-queues-'));
  const fileOf = (name: string) => join(directory, `${name}.ndjson`);
  queues = new Queues(DEFINITIONS, fileOf);
  const { messageId } = leads().send('poison');
  deliver(() => new Error('any'));
  await pass(5 * VISIBILITY_MS);

  queues = new Queues(DEFINITIONS, fileOf);
  rmSync(directory, { recursive: true });
  expect(bodies()).toEqual([]);
  expect(dead().messages()).toMatchObject([
    { messageId, receiveCount: 5, movedFrom: { arn: leads().definition.arn, receiveCount: 5 } },
  ]);
});

describe('sending', () => {
  const QueueUrl = DEFINITIONS[0]?.url;
  const call = (operation: string, body: object) => sqsApi(queues)(operation, { QueueUrl, ...body });

  test('a message that is too long is refused by its limit, in bytes', async () => {
    await expect(call('SendMessage', { MessageBody: 'é'.repeat(501) })).rejects.toMatchObject({
      code: 'InvalidParameterValue',
      message: 'One or more parameters are invalid. Reason: Message must be shorter than 1000 bytes.',
    });
    await call('SendMessage', { MessageBody: 'é'.repeat(500) });
    expect(bodies()).toHaveLength(1);
  });

  test('in a batch refuses single messages by themselves', async () => {
    const Entries = [
      { Id: 'a', MessageBody: 'one' },
      { Id: 'b', MessageBody: 'x'.repeat(1_001) },
      { Id: 'c', MessageBody: 'three' },
    ];
    expect((await call('SendMessageBatch', { Entries })).body).toMatchObject({
      Successful: [{ Id: 'a' }, { Id: 'c' }],
      Failed: [{ Id: 'b', SenderFault: true, Code: 'InvalidParameterValue' }],
    });
    expect(bodies()).toEqual(['one', 'three']);
  });

  test.each([
    [0, 'com.amazonaws.sqs#EmptyBatchRequest'],
    [11, 'com.amazonaws.sqs#TooManyEntriesInBatchRequest'],
  ])('a batch of %s is refused', async (count, code) => {
    const Entries = Array.from({ length: count }, (_, i) => ({ Id: String(i), MessageBody: 'x' }));
    await expect(call('SendMessageBatch', { Entries })).rejects.toMatchObject({ code });
    expect(bodies()).toEqual([]);
  });

  test('the attributes of a queue say its limits', async () => {
    expect((await call('GetQueueAttributes', { AttributeNames: ['All'] })).body).toMatchObject({
      Attributes: {
        MaximumMessageSize: '1000',
        MessageRetentionPeriod: '864000',
        VisibilityTimeout: '18',
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: DEAD_ARN, maxReceiveCount: 5 }),
      },
    });
  });

  test('a dead letter is not put back by anybody', async () => {
    await expect(call('StartMessageMoveTask', { SourceArn: DEAD_ARN })).rejects.toMatchObject({
      code: 'UnknownOperationException',
    });
  });
});
