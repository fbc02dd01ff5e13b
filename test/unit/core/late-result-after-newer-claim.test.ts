import { describe, expect, test } from 'vitest';
import { executionName } from '../../../functions/domain/action.ts';
import { Bench, KEY } from '../../model/bench.ts';
import type { PausePoint } from '../../model/pause-point.ts';

/** Attempt 1 sent, but its worker hangs before it can say so; attempt 2 is granted on "absent" and claimed. */
async function twoAttempts(): Promise<{ bench: Bench; first: Promise<unknown>; point: PausePoint }> {
  const bench = new Bench();
  await bench.upTo('create-task');
  const point = bench.pauseAt('crm', 'afterWrite');
  const first = bench.act('create-task', 1);
  await point.reached;
  bench.clock.advance(200_000);
  const hidden = bench.crm.tasks.splice(0);
  expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'resume', attempt: 2 });
  bench.crm.tasks.push(...hidden);
  return { bench, first, point };
}

describe('the result of attempt 1 comes after attempt 2 was claimed', () => {
  test('it does not replace the claim, and a possible duplicate is raised', async () => {
    const { bench, first, point } = await twoAttempts();
    const second = bench.pauseAt('crm', 'beforeWrite');
    void bench.act('create-task', 2);
    await second.reached;

    point.go();
    await first;

    expect(await bench.state('create-task')).toMatchObject({
      phase: 'claimed',
      attempt: 2,
      lateEvidence: { recordId: '9001' },
      warnings: ['possible-duplicate'],
    });
  });

  test('attempt 2 succeeds as well: both records are kept and the duplicate stays visible', async () => {
    const { bench, first, point } = await twoAttempts();
    const second = bench.pauseAt('crm', 'beforeWrite');
    const newer = bench.act('create-task', 2);
    await second.reached;
    point.go();
    await first;
    second.go();
    await newer;

    expect(await bench.state('create-task')).toMatchObject({
      phase: 'performed',
      evidence: { recordId: '9002' },
      lateEvidence: { recordId: '9001' },
      warnings: ['possible-duplicate'],
    });
  });

  test('attempt 2 provably had no effect: the late success stands, and nothing is tried again', async () => {
    const { bench, first, point } = await twoAttempts();
    const second = bench.pauseAt('crm', 'beforeWrite');
    bench.crm.wire.plan({ kind: 'rate-limited' });
    const newer = bench.act('create-task', 2);
    await second.reached;
    point.go();
    await first;
    second.go();
    await newer;
    bench.crm.wire.unreadable = true;
    bench.clock.advance(600_000);

    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'keep' });
    expect(await bench.state('create-task')).toMatchObject({
      phase: 'performed',
      evidence: { recordId: '9001' },
      warnings: [],
    });
  });

  test('attempt 2 had no effect before the late success came: it stands just the same', async () => {
    const { bench, first, point } = await twoAttempts();
    bench.crm.wire.hooks = {};
    bench.crm.wire.plan({ kind: 'rate-limited' });
    await bench.act('create-task', 2);
    point.go();
    await first;

    expect(await bench.state('create-task')).toMatchObject({
      phase: 'performed',
      evidence: { recordId: '9001' },
      warnings: [],
    });
  });

  test('nobody knows what attempt 2 did and the record is gone: a person is asked, nothing is made again', async () => {
    const { bench, first, point } = await twoAttempts();
    const second = bench.pauseAt('crm', 'beforeWrite');
    bench.crm.wire.plan({ kind: 'lost' });
    const newer = bench.act('create-task', 2);
    await second.reached;
    point.go();
    await first;
    second.go();
    await newer;
    const [task] = bench.crm.tasks;
    if (task) task.archived = true;
    bench.clock.advance(600_000);

    expect(await bench.reconcile('create-task')).toMatchObject({
      disposition: 'ask',
      reason: 'late-evidence',
    });
  });
});

test('a worker whose success names another record than the one that was read raises a possible duplicate', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');
  const point = bench.pauseAt('crm', 'afterWrite');
  const attempt = bench.act('create-task', 1);
  await point.reached;
  bench.clock.advance(200_000);
  const state = await bench.state('create-task');
  await bench.ledger.apply(
    KEY,
    {
      type: 'reconcile',
      id: 'read-1',
      at: bench.clock.now(),
      seenVersion: state.version,
      readStartedAt: bench.clock.now(),
      finding: 'done',
      absenceProven: false,
      unreadable: false,
      disposition: 'keep',
      reason: 'evidence-says-done',
      change: {
        kind: 'done',
        evidence: { kind: 'record', destination: 'hubspot', recordId: '8888', readAt: 0, facts: {} },
      },
      backOffUntil: null,
      decisionConsumed: false,
    },
    state,
  );

  point.go();
  await attempt;

  expect(await bench.state('create-task')).toMatchObject({
    evidence: { recordId: '8888' },
    lateEvidence: { recordId: '9001' },
    warnings: ['possible-duplicate'],
  });
});

test('the late result of an execution that lost the fence is evidence all the same', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');
  const point = bench.pauseAt('crm', 'afterWrite');
  const attempt = bench.act('create-task', 1);
  await point.reached;
  bench.ledger.putFence(KEY, executionName(KEY, 2), 2);
  point.go();
  await attempt;

  expect(await bench.reconcile('create-task', { execution: executionName(KEY, 2) })).toMatchObject({
    disposition: 'keep',
    reason: 'performed',
  });
  expect(bench.crm.tasks).toHaveLength(1);
});
