import { expect, test } from 'vitest';
import { Bench, KEY, LEAD } from '../../model/bench.ts';
import { START } from '../../model/clock.ts';

const OTHER = { ...LEAD, firstName: 'Joanna' };

test('the same id with other fields is refused and shown; it starts nothing and changes nothing', async () => {
  const bench = new Bench();
  await bench.accept();
  bench.clock.advance(1_000);

  await expect(bench.accept(OTHER)).rejects.toMatchObject({
    name: 'LeadConflict',
    message:
      'leadRequestId: inq-1 was accepted before with other fields; the first one stands, this one is kept as a conflict.',
  });

  const record = await bench.ledger.record(KEY);
  expect(record?.handoff.lead.firstName).toBe('Jo');
  expect(record?.conflicts).toEqual([
    {
      intentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      firstSeenAt: START + 1_000,
      lead: OTHER,
    },
  ]);
  expect(bench.started).toEqual(['web.inq-1.1']);
});

test('it never gets the result of the first one, also when that is closed', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  await bench.act('create-task', 1);
  await bench.act('send-introduction', 1);
  await bench.close();

  await expect(bench.accept(OTHER)).rejects.toMatchObject({ name: 'LeadConflict' });
});

test('the same conflict again is one conflict, another one is another', async () => {
  const bench = new Bench();
  await bench.accept();
  for (const lead of [OTHER, OTHER, { ...LEAD, company: 'Other Oy' }])
    await bench.accept(lead).catch(() => {});

  expect((await bench.ledger.record(KEY))?.conflicts).toHaveLength(2);
});

test('the fields that an approver has put in their place are the same request again, and so are the first ones', async () => {
  const bench = new Bench();
  await bench.accept();
  await bench.accept(OTHER).catch(() => {});
  const [conflict] = (await bench.ledger.record(KEY))?.conflicts ?? [];
  if (!conflict) throw new TypeError('There is no conflict.');
  const { intentHash } = conflict;
  await bench.ledger.amend(KEY, { intentHash, decisionId: 'decision-1', by: 'Tomas', at: START });

  expect(await bench.accept(OTHER)).toMatchObject({ status: 'repeated' });
  expect(await bench.accept()).toMatchObject({ status: 'repeated' });
});

test('the first one wins also when both come at once', async () => {
  const bench = new Bench();
  const results = await Promise.allSettled([bench.accept(LEAD), bench.accept(OTHER)]);

  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(bench.started).toEqual(['web.inq-1.1']);
});
