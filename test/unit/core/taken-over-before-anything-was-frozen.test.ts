import { expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';

async function takenOverAtOnce(): Promise<Bench> {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  bench.crm.owners.delete('71');
  await bench.act('send-introduction', 1).catch(() => {});
  await bench.reconcile('send-introduction', { error: 'OwnerUnknown' });
  await bench.decide('send-introduction', 'take-over');
  expect(await bench.reconcile('send-introduction', { error: 'OwnerUnknown' })).toMatchObject({
    disposition: 'ask',
    reason: 'taken-over',
  });
  return bench;
}

test('it is read as absent, and a person can confirm it', async () => {
  const bench = await takenOverAtOnce();
  expect(await bench.reconcile('send-introduction')).toMatchObject({
    disposition: 'ask',
    reason: 'taken-over',
  });
  await bench.decide('send-introduction', 'confirm');

  expect(await bench.reconcile('send-introduction')).toMatchObject({ disposition: 'keep' });
});

test('a person can release it, and the machine takes the next attempt', async () => {
  const bench = await takenOverAtOnce();
  bench.crm.owners.set('71', { id: '71', name: 'Ada Park', email: 'ada.park@sales.example.com' });
  await bench.decide('send-introduction', 'release', { notDone: true });
  expect(await bench.reconcile('send-introduction')).toMatchObject({
    disposition: 'wait',
    reason: 'released',
  });
  bench.clock.advance(60_000);

  const answer = await bench.reconcile('send-introduction');
  const outcome = await bench.act('send-introduction', answer.attempt);

  expect(answer).toMatchObject({ disposition: 'resume', attempt: 2 });
  expect(outcome.outcome).toBe('performed');
});

test('a person can stop it', async () => {
  const bench = await takenOverAtOnce();
  await bench.decide('send-introduction', 'stop');

  expect(await bench.reconcile('send-introduction')).toMatchObject({ disposition: 'stop' });
  expect(await bench.state('send-introduction')).toMatchObject({ phase: 'stopped' });
});
