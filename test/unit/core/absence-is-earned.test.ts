import { describe, expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';

describe('a task whose request was given up on lands a minute later', () => {
  test('no read before the settle time calls it absent, and no second task is made', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    bench.crm.wire.plan({ kind: 'lands-late', afterMs: 60_000 });
    await bench.act('create-task', 1);

    const seen = new Set<string>();
    for (let second = 0; second < 90; second++) {
      const { disposition, reason, attempt } = await bench.reconcile('create-task');
      seen.add(reason);
      if (disposition === 'resume') await bench.act('create-task', attempt);
      if (disposition === 'keep') break;
      bench.clock.advance(1_000);
    }

    expect([...seen]).toEqual(['too-early', 'evidence-says-done']);
    expect(bench.crm.tasks).toHaveLength(1);
  });

  test('it is absent 85 s after the claim, and not a millisecond earlier', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    bench.crm.wire.plan({ kind: 'lost' });
    await bench.act('create-task', 1);
    bench.clock.advance(84_999);
    const before = await bench.reconcile('create-task');
    bench.clock.advance(1);
    const at = await bench.reconcile('create-task');

    expect(before).toMatchObject({ disposition: 'wait', reason: 'too-early' });
    expect(at).toMatchObject({ disposition: 'resume', reason: 'absent' });
  });
});

test('an effect at the last moment that our reads cannot see yet is not called absent', async () => {
  const bench = new Bench({ readLagMs: 10_000 });
  await bench.accept();
  bench.crm.wire.plan({ kind: 'lands-late', afterMs: 75_000 });
  await bench.act('upsert-contact', 1);
  bench.clock.advance(84_999);
  const before = await bench.reconcile('upsert-contact');
  bench.clock.advance(1);
  const at = await bench.reconcile('upsert-contact');

  expect(before).toMatchObject({ disposition: 'wait', reason: 'too-early' });
  expect(at).toMatchObject({ disposition: 'keep', reason: 'evidence-says-done' });
});

describe('the read began before the worker was gone', () => {
  test('and ended after: under a key it may not give the next attempt away', async () => {
    const bench = new Bench();
    await bench.upTo('send-introduction');
    await bench.dyingAct('send-introduction', 1, 'beforeWrite');
    bench.clock.advance(15_000);
    let reads = 0;
    bench.mail.wire.hooks = {
      beforeRead: () => {
        reads += 1;
        bench.clock.advance(10_000);
      },
    };

    const answer = await bench.reconcile('send-introduction');
    const state = await bench.state('send-introduction');

    expect(reads).toBe(2);
    expect(answer).toMatchObject({ disposition: 'resume', reason: 'same-key', attempt: 2 });
    expect(state.grant?.readStartedAt).toBeGreaterThan(state.claim?.goneAt ?? Number.POSITIVE_INFINITY);
  });

  test('and the worker reported meanwhile: its word counts, not the read', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    const point = bench.pauseAt('crm', 'afterWrite');
    const attempt = bench.act('create-task', 1);
    await point.reached;
    bench.clock.advance(85_000);
    let first = true;
    bench.crm.wire.hooks = {
      async beforeRead() {
        if (!first) return;
        first = false;
        point.go();
        await attempt;
      },
    };

    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'keep', reason: 'performed' });
    expect(await bench.state('create-task')).toMatchObject({ grant: null, evidence: { kind: 'receipt' } });
  });
});

test('a ledger that others keep writing to is looked at again later', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');
  bench.crm.wire.plan({ kind: 'lost' });
  await bench.act('create-task', 1);
  let writers = 0;
  bench.crm.wire.hooks = {
    async beforeRead() {
      writers += 1;
      const claimId = `stranger-${writers}`;
      await bench.ledger.apply(
        { route: 'web', leadRequestId: 'inq-1' },
        { type: 'settle', claimId, attempt: 1, outcome: { outcome: 'unknown', reason: 'x' }, at: writers },
        await bench.state('create-task'),
      );
    },
  };

  expect(await bench.reconcile('create-task')).toMatchObject({
    disposition: 'wait',
    reason: 'ledger-moving',
  });
  expect(writers).toBe(3);
});
