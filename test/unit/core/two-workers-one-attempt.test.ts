import { describe, expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';
import { once, writeOf } from '../../model/write-faults.ts';

describe('two workers are given the same attempt', () => {
  test('at the same time: one calls, the other is told that it is under way', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    const first = await bench.prepare('create-task', 1);
    const second = await bench.prepare('create-task', 1);
    const point = bench.pauseAt('crm', 'beforeWrite');
    const winner = bench.run(first);
    await point.reached;

    await expect(bench.run(second)).rejects.toMatchObject({ name: 'AttemptInFlight' });
    point.go();

    expect((await winner).outcome).toBe('performed');
    expect(bench.crm.tasks).toHaveLength(1);
  });

  test('both claims are on their way: the conditional write lets one through', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    const first = await bench.prepare('create-task', 1);
    const second = await bench.prepare('create-task', 1);
    const point = bench.pauseWrite('claim', 'beforeWrite');
    const slow = bench.run(first);
    await point.reached;
    expect((await bench.run(second)).outcome).toBe('performed');
    point.go();

    expect(await slow).toMatchObject({ outcome: 'performed', evidence: { recordId: '9001' } });
    expect(bench.crm.tasks).toHaveLength(1);
    expect(bench.ledger.applied.filter(({ event }) => event.type === 'claim')).toHaveLength(3);
  });

  test('one after the other: the second gets the first one’s outcome', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    bench.crm.wire.plan({ kind: 'lost' });
    await bench.act('create-task', 1);

    expect(await bench.act('create-task', 1)).toEqual({ outcome: 'unknown', reason: 'timeout' });
    expect(bench.crm.tasks).toEqual([]);
  });

  test('the first died with its claim: the second calls nothing and says that nobody knows', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    await bench.dyingAct('create-task', 1, 'beforeWrite');
    bench.clock.advance(15_000);
    await expect(bench.act('create-task', 1)).rejects.toMatchObject({ name: 'AttemptInFlight' });
    bench.clock.advance(1);

    expect(await bench.act('create-task', 1)).toEqual({ outcome: 'unknown', reason: 'claimed-by-another' });
    expect(bench.crm.tasks).toEqual([]);
  });
});

describe('the claim’s write', () => {
  test('never arrived: nothing is called, and the same attempt may be delivered again', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    bench.ledger.hooks = once('before', writeOf('claim'));

    await expect(bench.act('create-task', 1)).rejects.toMatchObject({ name: 'LedgerUnavailable' });
    expect(bench.crm.tasks).toEqual([]);
    expect((await bench.act('create-task', 1)).outcome).toBe('performed');
  });

  test('arrived and its answer was lost: nothing is called, and reconcile frees the attempt', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    bench.ledger.hooks = once('after', writeOf('claim'));
    await expect(bench.act('create-task', 1)).rejects.toMatchObject({ name: 'LedgerUnavailable' });
    await expect(bench.act('create-task', 1)).rejects.toMatchObject({ name: 'AttemptInFlight' });
    expect(bench.crm.tasks).toEqual([]);

    const reasons = [];
    for (let turn = 0; turn < 9; turn++) {
      const { disposition, reason, waitSeconds, attempt } = await bench.reconcile('create-task');
      reasons.push(reason);
      if (disposition === 'resume') reasons.push((await bench.act('create-task', attempt)).outcome);
      if (disposition === 'keep') break;
      bench.clock.advance(waitSeconds * 1000);
    }

    expect(reasons).toEqual(['worker-may-run', 'too-early', 'absent', 'performed', 'performed']);
    expect(bench.crm.tasks).toHaveLength(1);
  });

  test('is met again by the SDK’s own retry: it is ours, so the call is made, once', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    bench.ledger.hooks = once('met-again', writeOf('claim'));

    expect((await bench.act('create-task', 1)).outcome).toBe('performed');
    expect(bench.crm.tasks).toHaveLength(1);
  });
});

test('nothing is called before the claim stands', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  const point = bench.pauseWrite('claim', 'beforeWrite');
  void bench.act('send-introduction', 1);
  await point.reached;

  expect(bench.mail.wire.requests).toEqual([]);
});

test('a function with too little time left claims nothing', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');
  bench.remainingMs = 8_299;
  await expect(bench.act('create-task', 1)).rejects.toMatchObject({ name: 'Held' });
  expect(await bench.state('create-task')).toMatchObject({ phase: 'open', version: 0 });
  bench.remainingMs = 8_300;

  expect((await bench.act('create-task', 1)).outcome).toBe('performed');
});
