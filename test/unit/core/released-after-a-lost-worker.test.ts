import { expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';

/** A worker died in its call; nobody could read; a person took the risk, took over, and released it undone. */
async function releasedInDoubt(): Promise<Bench> {
  const bench = new Bench({ route: { underSameKey: { tooEarly: 'wait', unreadable: 'ask' } } });
  await bench.upTo('send-introduction');
  await bench.dyingAct('send-introduction', 1, 'afterWrite');
  bench.clock.advance(85_001);
  bench.mail.wire.unreadable = true;
  expect(await bench.reconcile('send-introduction')).toMatchObject({
    disposition: 'ask',
    reason: 'unreadable',
  });
  await bench.decide('send-introduction', 'take-over', { riskAccepted: true });
  await bench.reconcile('send-introduction');
  await bench.decide('send-introduction', 'release', { notDone: true });
  await bench.reconcile('send-introduction');
  return bench;
}

test('the request that may have left is still remembered: no other bytes go out under its key', async () => {
  const bench = await releasedInDoubt();
  bench.mail.sent.length = 0; // The lost request never arrived, but nobody knows.
  bench.mail.wire.unreadable = false;
  bench.crm.personSetsOwner('501', '72');

  const early = await bench.reconcile('send-introduction');
  bench.clock.advance(120_000);
  const later = await bench.reconcile('send-introduction');

  expect(await bench.state('send-introduction')).toMatchObject({ phase: 'not-applied', requestLeft: true });
  expect(early).toMatchObject({ disposition: 'wait', reason: 'too-early' });
  expect(later).toMatchObject({ disposition: 'ask', reason: 'sender-no-longer-owner' });
});

test('what the lost worker sent is found, and kept', async () => {
  const bench = await releasedInDoubt();
  bench.mail.wire.unreadable = false;

  expect(await bench.reconcile('send-introduction')).toMatchObject({ disposition: 'keep' });
  expect(bench.mail.sent).toHaveLength(1);
});
