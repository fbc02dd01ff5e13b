import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { once } from '../../model/write-faults.ts';
import { HOUR, IntakeBench, JO } from './intake-bench.ts';

const logged: string[] = [];
let batchFunction: typeof import('../../../functions/intake/batch-function.ts').batchFunction;

beforeAll(async () => {
  for (const level of ['info', 'warn', 'error', 'debug', 'log'] as const) {
    vi.spyOn(console, level).mockImplementation((...lines) => void logged.push(lines.map(String).join(' ')));
  }
  vi.stubEnv('POWERTOOLS_DEV', 'true');
  vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'DEBUG');
  ({ batchFunction } = await import('../../../functions/intake/batch-function.ts'));
});
beforeEach(() => {
  logged.length = 0;
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const CONTEXT = { functionName: 'from-queue', awsRequestId: 'request-1' } as Context;

/** A batch as SQS delivers it; a body that is not a text is one that a program made. */
function batch(...bodies: readonly unknown[]): SQSEvent {
  const Records = bodies.map((body, i) => ({
    messageId: `message-${i + 1}`,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: '1767614400000' },
  }));
  return { Records: Records as unknown as SQSRecord[] };
}

function deliver(bench: IntakeBench, ...bodies: readonly unknown[]) {
  const handler = batchFunction('from-queue', async ({ body }) => ({ ...(await bench.message(body)) }));
  return handler(batch(...bodies), CONTEXT);
}

const lead = (leadRequestId: string) => ({
  route: 'web',
  lead: { ...JO, leadRequestId, email: `${leadRequestId}@customer.example.com` },
});
const failures = (...numbers: readonly number[]) => ({
  batchItemFailures: numbers.map((n) => ({ itemIdentifier: `message-${n}` })),
});

test('a batch of good messages is accepted, every one of them', async () => {
  const bench = new IntakeBench();

  expect(await deliver(bench, lead('a'), lead('b'), lead('c'))).toEqual(failures());
  expect(bench.running('a', 'b', 'c')).toEqual(['a', 'b', 'c']);
});

describe('a message that cannot be accepted comes again, and no other', () => {
  test.each<[string, unknown]>([
    ['no JSON', 'not json'],
    ['nothing', ''],
    ['null', null],
    ['no route', { lead: JO }],
    ['no lead', { route: 'web' }],
    ['a route that nobody knows', { route: 'nowhere', lead: JO }],
    ['a lead without an id', { route: 'web', lead: { email: JO.email } }],
    ['a lead with a wrong address', { route: 'web', lead: { ...JO, email: 'jo.lind' } }],
    ['a lead with a field that nobody knows', { route: 'web', lead: { ...JO, jo_lind: 'x' } }],
  ])('%s', async (_what, body) => {
    const bench = new IntakeBench();

    expect(await deliver(bench, lead('a'), body, lead('c'))).toEqual(failures(2));
    expect(bench.running('a', 'c')).toEqual(['a', 'c']);
    expect(logged.join('\n')).not.toMatch(/lind|customer\.example/i);
  });
});

test('where all of them fail, the answer names all of them', async () => {
  const bench = new IntakeBench();
  bench.ledger.hooks = { readFails: () => true };

  expect(await deliver(bench, lead('a'), lead('b'))).toEqual(failures(1, 2));
  bench.ledger.hooks = {};
  expect(await deliver(bench, lead('a'), lead('b'))).toEqual(failures());
  expect(bench.running('a', 'b')).toEqual(['a', 'b']);
});

test('one whose write is lost comes again, and is accepted then', async () => {
  const bench = new IntakeBench();
  bench.ledger.hooks = once('after', ({ what, key }) => what === 'accept' && key.leadRequestId === 'b');

  expect(await deliver(bench, lead('a'), lead('b'))).toEqual(failures(2));
  expect(await deliver(bench, lead('b'))).toEqual(failures());
  expect(bench.running('a', 'b')).toEqual(['a', 'b']);
});

test('the same message twice in one batch is one handoff', async () => {
  const bench = new IntakeBench();

  expect(await deliver(bench, lead('a'), lead('a'), lead('a'))).toEqual(failures());
  expect(new Set(bench.workflow.started)).toEqual(new Set(['web.a.1']));
});

describe('the same id with other fields', () => {
  const other = { route: 'web', lead: { ...lead('a').lead, firstName: 'Joanna' } };

  test('is kept as a conflict and is done with', async () => {
    const bench = new IntakeBench();
    await deliver(bench, lead('a'));

    expect(await deliver(bench, other)).toEqual(failures());
    expect((await bench.under('a')).conflicts).toMatchObject([{ lead: { firstName: 'Joanna' } }]);
    expect(bench.told).toEqual([]);
  });

  test('so is any other while its id is investigated', async () => {
    const bench = new IntakeBench();
    await bench.deadLetter({ route: 'web', lead: { leadRequestId: 'a' } });

    expect(await deliver(bench, lead('a'))).toEqual(failures());
    expect(await bench.under('a')).toMatchObject({ handoff: null, conflicts: [{ lead: lead('a').lead }] });
  });

  test('and told, where the route says so, once for each', async () => {
    const bench = new IntakeBench({ changedFields: 'tell' });
    await deliver(bench, lead('a'));
    for (let i = 0; i < 3; i++) await deliver(bench, other);

    expect(bench.told).toMatchObject([
      { route: 'web', leadRequestId: 'a', action: 'handoff', why: 'other-fields', dueAt: null },
    ]);
    expect(bench.told[0]?.who).toBe('robin@revops.example.com');
    expect(JSON.stringify(bench.told)).not.toMatch(/joanna|customer/i);
  });

  test('a source that changes them again and again fills no mailbox', async () => {
    const bench = new IntakeBench({ changedFields: 'tell' });
    await deliver(bench, lead('a'));
    for (let i = 0; i < 12; i++) {
      await deliver(bench, { route: 'web', lead: { ...lead('a').lead, phone: `${i}` } });
    }

    expect(bench.told).toHaveLength(5);
    expect((await bench.under('a')).conflicts).toHaveLength(12);
  });

  test('comes again where nobody could be told, and is told then', async () => {
    const bench = new IntakeBench({ changedFields: 'tell' });
    await deliver(bench, lead('a'));
    bench.eventsFail = true;
    expect(await deliver(bench, other)).toEqual(failures(1));
    expect((await bench.under('a')).conflicts).toEqual([]);

    bench.eventsFail = false;
    expect(await deliver(bench, other)).toEqual(failures());
    expect(bench.told).toHaveLength(1);
  });
});

test('the log names messages, ids and codes, and nothing that a message says', async () => {
  const bench = new IntakeBench();
  bench.clock.advance(HOUR);
  await deliver(bench, lead('a'), { route: 'web', lead: { ...JO, email: 'jo.lind' } });

  const lines = logged.join('\n');
  expect(lines).toContain('message-1');
  expect(lines).toMatch(/"leadRequestId": ?"a"/);
  expect(lines).toMatch(/"errorName": ?"InvalidLeadRequest"/);
  expect(lines).not.toMatch(/lind|customer\.example|"Jo"/i);
});

test('what is no batch at all is an error, and deletes nothing', async () => {
  const handler = batchFunction('from-queue', async () => ({}));

  await expect(handler({} as SQSEvent, CONTEXT)).rejects.toThrow();
});
