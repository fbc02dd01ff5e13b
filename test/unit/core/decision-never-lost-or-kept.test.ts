import { describe, expect, test } from 'vitest';
import { Rejected } from '../../../functions/domain/transition.ts';
import { Bench, KEY } from '../../model/bench.ts';
import { once, writeOf } from '../../model/write-faults.ts';

const ADA = { id: '71', name: 'Ada Park', email: 'ada.park@sales.example.com' };

/** The introduction is asked about because the CRM does not know its owner; then the CRM is put right. */
async function askedAndPutRight(): Promise<Bench> {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  bench.crm.owners.delete('71');
  await bench.act('send-introduction', 1).catch(() => {});
  const asked = await bench.reconcile('send-introduction', { error: 'OwnerUnknown' });
  expect(asked).toMatchObject({ disposition: 'ask', reason: 'owner-unknown' });
  bench.crm.owners.set('71', ADA);
  return bench;
}

describe('the guide would go on by itself by the time the decision is read', () => {
  test('confirmed: what a person did by hand is not done again', async () => {
    const bench = await askedAndPutRight();
    await bench.decide('send-introduction', 'confirm');

    const answer = await bench.reconcile('send-introduction');

    expect(answer).toMatchObject({ disposition: 'keep', reason: 'confirmed' });
    expect(await bench.state('send-introduction')).toMatchObject({
      phase: 'performed',
      decision: null,
      evidence: { kind: 'attested', recordId: null },
    });
    expect((await bench.act('send-introduction', 1)).outcome).toBe('performed');
    expect(bench.mail.sent).toEqual([]);
  });

  test('taken over: the person gets the claim, the machine does not', async () => {
    const bench = await askedAndPutRight();
    await bench.decide('send-introduction', 'take-over');
    bench.clock.advance(60_000);

    const answers = [await bench.reconcile('send-introduction')];
    bench.clock.advance(60_000);
    answers.push(await bench.reconcile('send-introduction'));

    expect(answers.map(({ reason }) => reason)).toContain('taken-over');
    expect(await bench.state('send-introduction')).toMatchObject({ phase: 'taken-over', attempt: 1 });
    await expect(bench.act('send-introduction', 1)).rejects.toThrow('not-claimable');
    expect(bench.mail.sent).toEqual([]);
  });

  test('resume: the decision is used up, and does not answer a later question', async () => {
    const bench = await askedAndPutRight();
    await bench.decide('send-introduction', 'resume');
    await bench.reconcile('send-introduction');
    bench.clock.advance(60_000);
    expect(await bench.reconcile('send-introduction')).toMatchObject({ disposition: 'resume', attempt: 1 });
    expect(await bench.state('send-introduction')).toMatchObject({ decision: null });

    bench.mail.wire.plan({ kind: 'refused', reason: 'sender-not-verified' });
    await bench.act('send-introduction', 1);
    const next = await bench.reconcile('send-introduction');

    expect(next).toMatchObject({ disposition: 'ask', reason: 'sender-not-verified' });
  });
});

test('a decision that came after the grant is heard before anything is claimed', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');
  bench.crm.wire.plan({ kind: 'rate-limited' });
  await bench.act('create-task', 1);
  bench.clock.advance(60_000);
  expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'resume', attempt: 2 });

  await bench.decide('create-task', 'confirm');

  await expect(bench.act('create-task', 2)).rejects.toMatchObject({ name: 'NoGrant' });
  expect(await bench.reconcile('create-task', { error: 'NoGrant' })).toMatchObject({ disposition: 'keep' });
  expect(bench.crm.tasks).toEqual([]);
});

test('a stop takes the place of a decision that still waits; nothing takes the place of a stop', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');
  bench.crm.wire.plan({ kind: 'refused', reason: 'permissions' });
  await bench.act('create-task', 1);
  await bench.reconcile('create-task');
  await bench.decide('create-task', 'resume');

  const stopped = await bench.decide('create-task', 'stop');
  const second = await bench.decide('create-task', 'resume');
  const secondStop = await bench.decide('create-task', 'stop');

  expect(stopped).toMatchObject({ decision: { kind: 'stop' } });
  expect(second).toEqual(new Rejected('already-decided'));
  expect(secondStop).toEqual(new Rejected('already-decided'));
});

test('a decision whose write is met again after it was consumed is not written a second time', async () => {
  const bench = await askedAndPutRight();
  await bench.decide('send-introduction', 'resume', { id: 'decision-1' });
  bench.clock.advance(60_000);
  await bench.reconcile('send-introduction');
  bench.clock.advance(60_000);
  await bench.reconcile('send-introduction');
  const consumed = await bench.state('send-introduction');

  await bench.decide('send-introduction', 'resume', { id: 'decision-1' });

  expect(await bench.state('send-introduction')).toBe(consumed);
});

test('a lost answer to the decision does not lose it', async () => {
  const bench = await askedAndPutRight();
  bench.ledger.hooks = once('met-again', writeOf('decide'));

  const decided = await bench.decide('send-introduction', 'stop', { id: 'decision-1' });

  expect(decided).toMatchObject({ decision: { id: 'decision-1' }, version: 2 });
});

test('a person let the introduction go on without its owner: it is not asked again at every turn', async () => {
  const bench = new Bench();
  bench.crm.seedContact({ email: 'jo.lind@customer.example.com' }, '72');
  await bench.accept();
  await bench.act('upsert-contact', 1);
  await bench.decide('assign-owner', 'stop');
  expect(await bench.reconcile('assign-owner')).toMatchObject({ disposition: 'stop' });
  expect(await bench.reconcile('send-introduction')).toMatchObject({
    disposition: 'ask',
    reason: 'owner-stopped',
  });
  await bench.decide('send-introduction', 'resume');
  await bench.reconcile('send-introduction');
  bench.mail.wire.plan({ kind: 'rate-limited' });
  await bench.act('send-introduction', 1);

  expect(await bench.reconcile('send-introduction')).toMatchObject({
    disposition: 'wait',
    reason: 'back-off',
  });
  bench.clock.advance(60_000);
  expect(await bench.reconcile('send-introduction')).toMatchObject({ disposition: 'resume', attempt: 2 });
  expect((await bench.act('send-introduction', 2)).outcome).toBe('performed');
  expect(bench.mail.sent[0]?.message.from).toBe('Ben Ruiz <ben.ruiz@sales.example.com>');
});

test('a stop while the worker may run waits for it, also when the turns are used up', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');
  await bench.dyingAct('create-task', 1, 'afterWrite');
  await bench.decide('create-task', 'stop');

  const early = await bench.reconcile('create-task', { turns: 401 });
  const held = await bench.state('create-task');
  bench.clock.advance(15_001);
  const later = await bench.reconcile('create-task');

  expect(early).toMatchObject({ disposition: 'wait', reason: 'worker-may-run' });
  expect(held).toMatchObject({ phase: 'claimed', decision: { kind: 'stop' } });
  expect(later).toMatchObject({ disposition: 'stop' });
  expect(await bench.state('create-task')).toMatchObject({ phase: 'stopped-but-done' });
  expect((await bench.ledger.record(KEY))?.waiting).toEqual([]);
});
