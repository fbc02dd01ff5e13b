import { describe, expect, test } from 'vitest';
import { decisionInForce } from '../../../functions/domain/decision-in-force.ts';
import { pausePoint } from '../../model/pause-point.ts';
import { decisionOf } from '../domain/states.ts';
import { askedAboutTask, RecoveryBench } from './recovery-bench.ts';

/** A person lets the refused task go on; reconcile grants the second attempt, and its function dies before the claim. */
async function grantedAndDied(bench = new RecoveryBench()): Promise<RecoveryBench> {
  await askedAboutTask(bench);
  await bench.person('create-task', 'resume');
  expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'resume', attempt: 2 });
  return bench;
}

/** Two reads have failed since; the next one is the last that is waited for. */
async function unreadableSince(bench: RecoveryBench): Promise<RecoveryBench> {
  bench.crm.wire.unreadable = true;
  for (let read = 1; read <= 2; read++) {
    const waits = await bench.reconcile('create-task');
    expect(waits).toMatchObject({ disposition: 'wait', reason: 'unreadable' });
    bench.clock.advance(waits.waitSeconds * 1000);
  }
  return bench;
}

const lastDecision = async (bench: RecoveryBench) => (await bench.state('create-task')).lastDecision;

describe('a person let an attempt go on, and nobody claimed it', () => {
  test('nobody is asked again: it waits a little, and is granted anew on the same word', async () => {
    const bench = await grantedAndDied();

    const waits = await bench.reconcile('create-task', { error: 'Lambda.Unknown', turns: 1 });
    bench.clock.advance(waits.waitSeconds * 1000);
    const goesOn = await bench.reconcile('create-task', { turns: 2 });

    expect(waits).toMatchObject({ disposition: 'wait', reason: 'back-off' });
    expect(goesOn).toMatchObject({ disposition: 'resume', reason: 'decided-resume', attempt: 2 });
    expect((await bench.act('create-task', 2)).outcome).toBe('performed');
    expect(bench.crm.tasks).toHaveLength(1);
    expect(await lastDecision(bench)).toMatchObject({ decision: { by: 'Robin' }, result: 'used' });
  });

  test('it also holds when the first grant has expired', async () => {
    const bench = await grantedAndDied();
    bench.clock.advance(700_000);
    await expect(bench.act('create-task', 2)).rejects.toMatchObject({ name: 'NoGrant' });

    const waits = await bench.reconcile('create-task', { error: 'NoGrant' });
    bench.clock.advance(waits.waitSeconds * 1000);
    await bench.reconcile('create-task');

    expect((await bench.act('create-task', 2)).outcome).toBe('performed');
  });

  test('it waits longer with every turn', async () => {
    const bench = await grantedAndDied();
    const waited: number[] = [];
    for (let turn = 1; turn < 5; turn++) {
      const { waitSeconds } = await bench.reconcile('create-task', { turns: turn });
      waited.push(waitSeconds);
      bench.clock.advance(waitSeconds * 1000);
      await bench.reconcile('create-task', { turns: turn });
    }

    expect(waited).toEqual([...waited].toSorted((a, b) => a - b));
    expect(new Set(waited).size).toBeGreaterThan(2);
  });

  test('the word holds for one attempt: what that is refused is asked about', async () => {
    const bench = await grantedAndDied();
    bench.crm.wire.plan({ kind: 'refused', reason: 'permissions' });
    await bench.act('create-task', 2);

    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'ask', reason: 'permissions' });
    expect(await lastDecision(bench)).toMatchObject({ result: 'used' });
  });

  test('another finding than the person saw is asked about, and the word does not hold any more', async () => {
    const bench = await unreadableSince(await grantedAndDied());
    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'ask' });
    expect(await lastDecision(bench)).toMatchObject({ result: 'turned-down' });
  });

  test('a read that fails is tried again, and the word holds', async () => {
    const bench = await unreadableSince(await grantedAndDied());
    bench.crm.wire.unreadable = false;

    const waits = await bench.reconcile('create-task');
    expect(waits).toMatchObject({ disposition: 'wait', reason: 'back-off' });
    bench.clock.advance(waits.waitSeconds * 1000);
    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'resume', attempt: 2 });
    expect((await bench.act('create-task', 2)).outcome).toBe('performed');
    expect(bench.crm.tasks).toHaveLength(1);
  });

  test.each([
    ['too-many-turns', { turns: 401 }],
    ['owner-unknown', { error: 'OwnerUnknown' }],
    ['decision-not-possible', { error: 'DependencyStopped' }],
  ])('%s: the person hears of it, and is not taken at their word again', async (reason, given) => {
    const bench = await grantedAndDied();

    expect(await bench.reconcile('create-task', given)).toMatchObject({ disposition: 'ask', reason });
    expect(await lastDecision(bench)).toMatchObject({ result: 'turned-down' });
    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'ask', reason: 'permissions' });
  });

  test('a grant of the guide that stands after a decision was heard is not theirs', async () => {
    const bench = new RecoveryBench();
    await bench.upTo('create-task');
    bench.crm.wire.plan({ kind: 'rate-limited' });
    await bench.act('create-task', 1);
    bench.clock.advance(60_000);
    await bench.reconcile('create-task');
    const state = await bench.state('create-task');
    const heard = { decision: decisionOf('resume'), result: 'used' } as const;

    expect(decisionInForce({ ...state, lastDecision: heard })).toBeNull();
  });

  test('a turned-down decision lets nobody claim, nor pass the approval point', async () => {
    const bench = await unreadableSince(await grantedAndDied());
    expect(await bench.reconcile('create-task')).toMatchObject({
      disposition: 'ask',
      reason: 'decision-outdated',
    });

    await expect(bench.act('create-task', 2)).rejects.toMatchObject({ name: 'NoGrant' });
    bench.crm.wire.unreadable = false;
    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'ask', reason: 'permissions' });
  });

  test('who decides before it is claimed is told of it, also while the question is still on the list', async () => {
    const bench = await askedAboutTask();
    await bench.person('create-task', 'resume');
    const point = pausePoint();
    bench.ledger.hooks = {
      beforeWrite: ({ what }) => (what === 'remove-waiting' ? point.hold() : undefined),
    };
    const reading = bench.reconcile('create-task');
    await point.reached;
    bench.ledger.hooks = {};

    const second = await bench.person('create-task', 'resume', { by: 'Uma' });
    point.go();

    expect(second).toMatchObject({
      refused: { error: 'AlreadyDecided', message: expect.stringContaining('resume by Robin at ') },
    });
    expect(await reading).toMatchObject({ disposition: 'resume' });
    expect((await bench.act('create-task', 2)).outcome).toBe('performed');
    expect(await lastDecision(bench)).toMatchObject({ decision: { by: 'Robin' }, result: 'used' });
  });

  test('a stop takes its place', async () => {
    const bench = await grantedAndDied();
    await bench.person('create-task', 'stop');

    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'stop' });
    expect(bench.crm.tasks).toEqual([]);
  });

  test('while the route is paused it is parked, and goes on after it', async () => {
    const bench = await grantedAndDied();
    bench.ledger.pauseRoute('web');
    expect(await bench.reconcile('create-task')).toMatchObject({
      disposition: 'park',
      reason: 'route-paused',
    });
    bench.ledger.pauseRoute('web', false);
    const waits = await bench.reconcile('create-task');
    bench.clock.advance(waits.waitSeconds * 1000);

    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'resume', attempt: 2 });
  });
});
