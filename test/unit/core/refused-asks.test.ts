import { expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';

test('a refusal is asked about with its reason, and is not tried again until a person says so', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');
  bench.crm.wire.plan({ kind: 'refused', reason: 'invalid-hubspot_owner_id' });
  await bench.act('create-task', 1);
  bench.clock.advance(3_600_000);

  expect(await bench.reconcile('create-task')).toMatchObject({
    disposition: 'ask',
    reason: 'invalid-hubspot_owner_id',
  });
  await expect(bench.act('create-task', 2)).rejects.toMatchObject({ name: 'NoGrant' });
  await bench.decide('create-task', 'resume');
  expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'resume', attempt: 2 });
  expect((await bench.act('create-task', 2)).outcome).toBe('performed');
});

test('an answer given before the settle time waits for it, and is not lost', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');
  bench.crm.wire.plan({ kind: 'refused', reason: 'permissions' });
  await bench.act('create-task', 1);
  await bench.reconcile('create-task');
  await bench.decide('create-task', 'resume');

  const early = await bench.reconcile('create-task');
  bench.clock.advance(85_000);
  const later = await bench.reconcile('create-task');

  expect(early).toMatchObject({ disposition: 'wait', reason: 'too-early', waitSeconds: 85 });
  expect(later).toMatchObject({ disposition: 'resume', attempt: 2 });
});

test.each([
  ['archived', 'contact-archived'],
  ['deleted', 'contact-deleted'],
] as const)('a contact that was %s gets no introduction: a person is asked', async (what, reason) => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  const prepared = await bench.prepare('send-introduction', 1);
  if (what === 'archived') bench.crm.personArchives('501');
  else bench.crm.personDeletes('501');

  expect(await bench.run(prepared)).toEqual({ outcome: 'refused', reason });
  expect(await bench.reconcile('send-introduction')).toMatchObject({ disposition: 'ask', reason });
  expect(bench.mail.sent).toEqual([]);
});

test('an archived contact that a person restores goes on', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  const prepared = await bench.prepare('send-introduction', 1);
  bench.crm.personArchives('501');
  await bench.run(prepared);
  await bench.reconcile('send-introduction');
  bench.crm.personRestores('501');
  await bench.decide('send-introduction', 'resume');
  bench.clock.advance(100_000);

  const { attempt } = await bench.reconcile('send-introduction');

  expect((await bench.act('send-introduction', attempt)).outcome).toBe('performed');
});

test('nobody keeps trying: after the last attempt a person is asked, and may allow one more', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');
  for (let attempt = 1; attempt <= 4; attempt++) {
    bench.crm.wire.plan({ kind: 'rate-limited' });
    await bench.act('create-task', attempt);
    bench.clock.advance(900_000);
    const answer = await bench.reconcile('create-task');
    expect(answer.disposition).toBe(attempt < 4 ? 'resume' : 'ask');
  }
  await bench.decide('create-task', 'resume');

  expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'resume', attempt: 5 });
  expect((await bench.act('create-task', 5)).outcome).toBe('performed');
});

test('one more that was allowed and could not be claimed is not asked about again', async () => {
  const bench = new Bench({ route: { limits: { attemptsPerAction: 1 } } });
  await bench.upTo('create-task');
  bench.crm.wire.plan({ kind: 'rate-limited' });
  await bench.act('create-task', 1);
  bench.clock.advance(60_000);
  await bench.reconcile('create-task');
  await bench.decide('create-task', 'resume');
  await bench.reconcile('create-task');
  bench.remainingMs = 1_000;
  await expect(bench.act('create-task', 2)).rejects.toMatchObject({ name: 'Held' });
  bench.remainingMs = 15_000;

  const waiting = await bench.reconcile('create-task', { error: 'Held' });
  bench.clock.advance(waiting.waitSeconds * 1000);

  expect(waiting).toMatchObject({ disposition: 'wait', reason: 'back-off' });
  expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'resume', attempt: 2 });
});
