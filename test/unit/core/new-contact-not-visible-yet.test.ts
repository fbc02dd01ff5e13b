import { expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';

test.each([
  // Its own write is not visible at once either: reconcile finds it later.
  ['assign-owner', 'unknown'],
  ['create-task', 'performed'],
] as const)(
  'a contact that our reads do not show yet is not called deleted: %s is held, and goes on',
  async (action, outcome) => {
    const bench = new Bench({ readLagMs: 10_000 });
    await bench.accept();
    await bench.act('upsert-contact', 1);
    bench.clock.advance(500);

    await expect(bench.act(action, 1)).rejects.toThrow('contact-not-visible');
    expect(await bench.reconcile(action, { error: 'Held' })).toMatchObject({
      disposition: 'wait',
      reason: 'back-off',
    });
    bench.clock.advance(10_000);
    expect((await bench.act(action, 1)).outcome).toBe(outcome);
  },
);

test('a contact that stays away longer than the lag is deleted: a person is asked', async () => {
  const bench = new Bench();
  await bench.accept();
  await bench.act('upsert-contact', 1);
  bench.crm.personDeletes('501');
  bench.clock.advance(10_000);

  expect(await bench.act('assign-owner', 1)).toEqual({ outcome: 'refused', reason: 'contact-deleted' });
  expect(await bench.reconcile('assign-owner')).toMatchObject({
    disposition: 'ask',
    reason: 'contact-deleted',
  });
});

test.each(['keep', 'replace'] as const)(
  'an owner that our reads do not show yet is not passed over for the one before (%s)',
  async (existingOwner) => {
    const bench = new Bench({ route: { existingOwner } });
    if (existingOwner === 'replace') bench.crm.seedContact({ email: 'jo.lind@customer.example.com' }, '72');
    bench.clock.advance(60_000);
    await bench.accept();
    await bench.act('upsert-contact', 1);
    bench.clock.advance(60_000);
    await bench.act('assign-owner', 1);
    // The read after the write showed it; the next one is answered by a part of the CRM that lags.
    Object.assign(bench.crm.wire, { readLagMs: 10_000 });
    bench.clock.advance(500);

    await expect(bench.act('send-introduction', 1)).rejects.toThrow('owner-not-visible');
    bench.clock.advance(9_500);
    await bench.act('send-introduction', 1);

    expect(bench.mail.sent[0]?.message.from).toBe('Ada Park <ada.park@sales.example.com>');
  },
);
