import { expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';

test('nobody is introduced to a contact that nobody owns, whoever was chosen for it', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  bench.crm.personSetsOwner('501', null);
  bench.clock.advance(10_000);

  await expect(bench.act('send-introduction', 1)).rejects.toMatchObject({ name: 'OwnerUnknown' });

  expect(await bench.reconcile('send-introduction', { error: 'OwnerUnknown' })).toMatchObject({
    disposition: 'ask',
    reason: 'owner-unknown',
  });
});

test('an owner cleared between freeze and send asks, and does not freeze again and again', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  const prepared = await bench.prepare('send-introduction', 1);
  bench.crm.personSetsOwner('501', null);
  expect(await bench.run(prepared)).toMatchObject({ outcome: 'not-applied', reason: 'owner-changed' });
  await bench.reconcile('send-introduction');
  bench.clock.advance(60_000);
  expect(await bench.reconcile('send-introduction')).toMatchObject({ disposition: 'resume', attempt: 2 });
  await expect(bench.act('send-introduction', 2)).rejects.toMatchObject({ name: 'OwnerUnknown' });

  const answer = await bench.reconcile('send-introduction', { error: 'OwnerUnknown' });

  expect(answer).toMatchObject({ disposition: 'ask', reason: 'owner-unknown' });
  expect(bench.mail.sent).toEqual([]);
});
