import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Outcome } from '../../../functions/domain/outcome.ts';
import { Bench, KEY } from '../../model/bench.ts';
import type { TableConnection } from '../../model/table-connection.ts';
import { once, writeOf } from '../../model/write-faults.ts';
import { connectTables, decorated } from './powertools-bench.ts';

let connection: TableConnection;
let bench: Bench;
let round = 0;
const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});

beforeAll(async () => {
  connection = await connectTables();
});
afterAll(() => connection.close());
beforeEach(async () => {
  round += 1;
  connection.fault = () => null;
  bench = new Bench();
  await bench.upTo('create-task');
});
afterEach(() => {
  vi.useRealTimers();
  expect(warn).not.toHaveBeenCalled();
});

/** The whole of an action function: gates, decorator, attempt. */
async function deliver(attempt: number, remainingMs?: number): Promise<Outcome> {
  const prepared = await bench.prepare('create-task', attempt);
  const intentHash = (await bench.ledger.handoff(KEY))?.intentHash ?? '';
  const input = { idempotencyKey: `web/round-${round}#${attempt}`, intentHash };
  return decorated('create-task', remainingMs)(input, () => bench.run(prepared));
}

const tasksAsked = () => bench.crm.wire.requests.filter(({ what }) => what === 'create task').length;

test('delivered twice: one task, and the outcome from memory', async () => {
  const first = await deliver(1);

  expect(await deliver(1)).toEqual(first);
  expect(tasksAsked()).toBe(1);
});

test('the result could not be saved after the effect: performed, and the next delivery asks the ledger', async () => {
  connection.failNext('UpdateItem', 'down');
  expect((await deliver(1)).outcome).toBe('performed');
  await expect(deliver(1)).rejects.toMatchObject({ name: 'IdempotencyAlreadyInProgressError' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20_000 });

  expect((await deliver(1)).outcome).toBe('performed');
  expect(tasksAsked()).toBe(1);
});

test('the function was killed in its call: the next delivery finds the claim and calls nothing', async () => {
  const point = bench.pauseAt('crm', 'beforeWrite');
  void deliver(1, 1);
  await point.reached;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20_000 });

  await expect(deliver(1)).rejects.toMatchObject({ name: 'AttemptInFlight' });
  bench.clock.advance(15_001);
  expect(await deliver(1)).toEqual({ outcome: 'unknown', reason: 'claimed-by-another' });
  expect(tasksAsked()).toBe(0);
});

test('a late first delivery removes the record of the second: the third still calls nothing', async () => {
  const lateDelete = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const late = decorated('create-task', 1);
  const hash = (await bench.ledger.handoff(KEY))?.intentHash ?? '';
  const input = { idempotencyKey: `web/round-${round}#1`, intentHash: hash };
  const first = late(input, async () => {
    reached.resolve();
    await lateDelete.promise;
    throw new Error('late');
  });
  await reached.promise;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20_000 });
  expect((await deliver(1)).outcome).toBe('performed');
  lateDelete.resolve();
  await expect(first).rejects.toThrow('late');

  expect((await deliver(1)).outcome).toBe('performed');
  expect(tasksAsked()).toBe(1);
});

test('no grant is not remembered: the attempt runs once it is granted', async () => {
  bench.crm.wire.plan({ kind: 'rate-limited' });
  await deliver(1);
  await expect(deliver(2)).rejects.toMatchObject({ name: 'NoGrant' });
  bench.clock.advance(60_000);
  await bench.reconcile('create-task');

  expect((await deliver(2)).outcome).toBe('performed');
});

test('a ledger that could not be asked is not remembered: the same attempt runs again', async () => {
  bench.ledger.hooks = once('before', writeOf('claim'));
  await expect(deliver(1)).rejects.toMatchObject({ name: 'LedgerUnavailable' });

  expect((await deliver(1)).outcome).toBe('performed');
  expect(tasksAsked()).toBe(1);
});
