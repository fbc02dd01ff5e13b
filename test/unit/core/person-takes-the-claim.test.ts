import { expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';

/** A task that the receiver can never prove: the machine must ask. */
async function asked(): Promise<Bench> {
  const contract = { ...new Bench().contracts['create-task'], kind: 'none' } as const;
  const bench = new Bench({ contracts: { 'create-task': contract } });
  await bench.upTo('create-task');
  bench.crm.wire.plan({ kind: 'lost' });
  await bench.act('create-task', 1);
  bench.clock.advance(85_000);
  expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'ask', reason: 'no-contract' });
  return bench;
}

test('doing it by hand begins with the claim, and then no worker gets it', async () => {
  const bench = await asked();
  await bench.decide('create-task', 'take-over');

  expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'ask', reason: 'taken-over' });
  for (const attempt of [1, 2, 3]) {
    await expect(bench.act('create-task', attempt)).rejects.toMatchObject({ name: 'NoGrant' });
  }
  await bench.decide('create-task', 'confirm');
  expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'keep', reason: 'confirmed' });
  expect(bench.crm.tasks).toEqual([]);
});

test('a worker with an outstanding grant and a person: one of them gets the attempt', async () => {
  const bench = await asked();
  await bench.decide('create-task', 'resume');
  await bench.reconcile('create-task');
  const prepared = await bench.prepare('create-task', 2);
  await bench.decide('create-task', 'take-over');
  await bench.reconcile('create-task');

  await expect(bench.run(prepared)).rejects.toThrow('not-claimable');
  expect(bench.crm.tasks).toEqual([]);
});

test('a person cannot take over what may still land', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');
  bench.crm.wire.plan({ kind: 'refused', reason: 'permissions' });
  await bench.act('create-task', 1);
  await bench.reconcile('create-task');
  await bench.decide('create-task', 'take-over', { riskAccepted: true });

  expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'wait', reason: 'too-early' });
  expect(await bench.state('create-task')).toMatchObject({ phase: 'refused' });
});

test('what was released undone goes back to the machine, as the attempt after', async () => {
  const bench = await asked();
  await bench.decide('create-task', 'take-over');
  await bench.reconcile('create-task');
  await bench.decide('create-task', 'release', { notDone: true });
  expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'wait', reason: 'released' });
  bench.clock.advance(60_000);

  expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'resume', attempt: 3 });
  expect((await bench.act('create-task', 3)).outcome).toBe('performed');
  expect(bench.crm.tasks).toHaveLength(1);
});

test('an owner who changes while a person holds the claim does not give the action back to the machine', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  bench.mail.wire.plan({ kind: 'not-connected' }, { kind: 'not-connected' });
  await bench.act('send-introduction', 1);
  await bench.decide('send-introduction', 'take-over');
  bench.clock.advance(60_000);
  await bench.reconcile('send-introduction');
  bench.crm.personSetsOwner('501', '72');
  bench.clock.advance(70_000);

  expect(await bench.reconcile('send-introduction')).toMatchObject({
    disposition: 'ask',
    reason: 'sender-no-longer-owner',
  });
  await bench.decide('send-introduction', 'release', { notDone: true });
  expect(await bench.reconcile('send-introduction')).toMatchObject({
    disposition: 'wait',
    reason: 'released',
  });
});
