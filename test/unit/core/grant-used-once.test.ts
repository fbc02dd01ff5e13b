import { expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';

/** A task whose first attempt was provably refused, granted again. */
async function granted(): Promise<Bench> {
  const bench = new Bench();
  await bench.upTo('create-task');
  bench.crm.wire.plan({ kind: 'rate-limited' });
  await bench.act('create-task', 1);
  bench.clock.advance(60_000);
  expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'resume', attempt: 2 });
  return bench;
}

test('without a grant the next attempt calls nothing, however it was reached (console redrive)', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');
  bench.crm.wire.plan({ kind: 'lost' });
  await bench.act('create-task', 1);

  await expect(bench.act('create-task', 2)).rejects.toMatchObject({
    name: 'NoGrant',
    message: 'Attempt 2 has no valid grant (no-grant).',
  });
  expect(bench.crm.tasks).toEqual([]);
});

test('a grant is good for one claim of two workers', async () => {
  const bench = await granted();
  bench.crm.wire.plan({ kind: 'lost' });
  const prepared = [await bench.prepare('create-task', 2), await bench.prepare('create-task', 2)] as const;

  await bench.run(prepared[0]);
  const second = await bench.run(prepared[1]);

  expect(second).toEqual({ outcome: 'unknown', reason: 'timeout' });
  expect(bench.crm.wire.requests.filter(({ what }) => what === 'create task')).toHaveLength(2);
});

test('a used grant does not serve the attempt after', async () => {
  const bench = await granted();
  bench.crm.wire.plan({ kind: 'lost' });
  await bench.act('create-task', 2);

  await expect(bench.act('create-task', 3)).rejects.toMatchObject({ name: 'NoGrant' });
});

test('a grant expires; a fresh one for the same attempt may replace it', async () => {
  const bench = await granted();
  bench.clock.advance(600_001);
  await expect(bench.act('create-task', 2)).rejects.toThrow('grant-expired');
  const waiting = await bench.reconcile('create-task', { error: 'NoGrant' });
  bench.clock.advance(waiting.waitSeconds * 1000);

  expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'resume', attempt: 2 });
  expect((await bench.act('create-task', 2)).outcome).toBe('performed');
  expect(bench.crm.tasks).toHaveLength(1);
});

test('an older attempt that comes back finds no way in', async () => {
  const bench = await granted();
  bench.crm.wire.plan({ kind: 'lost' });
  await bench.act('create-task', 2);

  await expect(bench.act('create-task', 1)).rejects.toThrow('older-attempt');
});
