import { expect, test } from 'vitest';
import { Bench, LEAD } from '../../model/bench.ts';

test('a contact that a person archived before the lead came gets no values: a person is asked', async () => {
  const bench = new Bench();
  const id = bench.crm.seedContact({ email: LEAD.email });
  bench.crm.personArchives(id);
  await bench.accept();

  expect(await bench.act('upsert-contact', 1)).toEqual({ outcome: 'refused', reason: 'contact-archived' });
  expect(bench.crm.wire.requests).toEqual([]);
  expect(await bench.reconcile('upsert-contact')).toMatchObject({
    disposition: 'ask',
    reason: 'contact-archived',
  });
});

test.each([
  ['archived', 'contact-archived'],
  ['deleted', 'contact-deleted'],
] as const)(
  'a contact that was %s since the freeze gets no owner: a person is asked',
  async (what, reason) => {
    const bench = new Bench();
    await bench.upTo('assign-owner');
    const prepared = await bench.prepare('assign-owner', 1);
    if (what === 'archived') bench.crm.personArchives('501');
    else bench.crm.personDeletes('501');

    expect(await bench.run(prepared)).toEqual({ outcome: 'refused', reason });
    expect(bench.crm.wire.requests.filter((request) => request.what === 'set owner')).toEqual([]);
    expect(await bench.reconcile('assign-owner')).toMatchObject({ disposition: 'ask', reason });
  },
);
