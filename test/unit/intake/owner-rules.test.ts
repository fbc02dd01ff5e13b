import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LeadRequest } from '../../../functions/domain/lead-request.ts';
import { chosenOwner, namedOwners, type OwnerRule } from '../../../functions/domain/owner-rule.ts';
import { once } from '../../model/write-faults.ts';
import { IntakeBench, JO } from './intake-bench.ts';

const lead = (fields: Partial<LeadRequest> = {}): LeadRequest => ({ ...JO, ...fields });

const REGIONS = {
  rule: 'first-match',
  rules: [
    { when: { country: ['Finland', 'FI'], companySize: ['1000+'] }, ownerId: 'enterprise-nordics' },
    { when: { country: ['finland', 'fi', ' Sweden '] }, ownerId: 'nordics' },
    { when: { emailDomain: ['reseller.example.com', 'Partner.example.com'] }, ownerId: 'partners' },
    { when: { language: ['de', 'Österreichisch'] }, ownerId: 'dach' },
  ],
  defaultOwnerId: 'rest',
} satisfies OwnerRule;

describe('the first rule whose conditions all hold decides', () => {
  test.each<[string, Partial<LeadRequest>, string]>([
    ['both fields', { country: 'finland', companySize: '1000+' }, 'enterprise-nordics'],
    ['one of two fields is not enough', { country: 'FI', companySize: '10' }, 'nordics'],
    ['the other of two fields is not enough', { country: 'Norway', companySize: '1000+' }, 'rest'],
    ['any of the values, in any case and without the blanks around it', { country: 'SWEDEN' }, 'nordics'],
    ['the domain itself', { email: 'a@partner.example.com' }, 'partners'],
    ['a subdomain', { email: 'a@mail.fi.partner.example.com' }, 'partners'],
    ['no subdomain, but the same end', { email: 'a@otherpartner.example.com' }, 'rest'],
    ['Unicode in another form', { language: 'österreichisch'.normalize('NFD') }, 'dach'],
    ['a field that the lead did not give', {}, 'rest'],
  ])('%s', (_what, fields, owner) => {
    expect(chosenOwner(REGIONS, lead(fields), 0)).toBe(owner);
  });
});

test('a field that a rule leaves open fits every lead', () => {
  const when = { country: undefined, language: ['de'], emailDomain: undefined };
  const rule: OwnerRule = { rule: 'first-match', rules: [{ when, ownerId: 'dach' }], defaultOwnerId: 'rest' };

  expect(chosenOwner(rule, lead({ country: 'Austria', language: 'de' }), 0)).toBe('dach');
  expect(chosenOwner(rule, lead({ country: 'Austria', language: 'it' }), 0)).toBe('rest');
});

test('a lead that did not give a field fits no value of it, not even a blank one', () => {
  const rules = [{ when: { country: [' '] }, ownerId: 'dach' }];

  expect(chosenOwner({ rule: 'first-match', rules, defaultOwnerId: 'rest' }, lead(), 0)).toBe('rest');
});

test('the request’s owner, the fallback owner, the fixed owner', () => {
  const fromRequest: OwnerRule = { rule: 'from-request', fallbackOwnerId: '72' };
  expect(chosenOwner(fromRequest, lead({ ownerId: '71' }), 0)).toBe('71');
  expect(chosenOwner(fromRequest, lead(), 0)).toBe('72');
  expect(chosenOwner({ rule: 'fixed', ownerId: '73' }, lead({ ownerId: '71' }), 0)).toBe('73');
});

test('the owners that a rule names, each once', () => {
  const again = { when: { country: ['Norway'] }, ownerId: 'nordics' };

  expect(namedOwners(REGIONS)).toEqual(['enterprise-nordics', 'nordics', 'partners', 'dach', 'rest']);
  expect(namedOwners({ ...REGIONS, rules: [...REGIONS.rules, again] })).toEqual(namedOwners(REGIONS));
  expect(namedOwners({ rule: 'fixed', ownerId: '71' })).toEqual(['71']);
  expect(namedOwners({ rule: 'from-request', fallbackOwnerId: '72' })).toEqual(['72']);
  expect(namedOwners({ rule: 'round-robin', owners: owners(3, 2) })).toEqual(['owner-0', 'owner-1']);
});

test.each<OwnerRule>([
  { rule: 'fixed', ownerId: '71' },
  { rule: 'from-request', fallbackOwnerId: '72' },
  { rule: 'first-match', rules: [{ when: { country: ['FI'] }, ownerId: '73' }], defaultOwnerId: '74' },
])('the leads of rule $rule are not counted', async (owner) => {
  const bench = new IntakeBench({ owner });
  await bench.accept();

  expect(await bench.ledger.drawTicket('web')).toBe(1);
});

const owners = (...weights: readonly number[]) =>
  weights.map((weight, i) => ({ ownerId: `owner-${i}`, weight }));

const drawn = (weights: readonly number[], tickets: number, from = 1) => {
  const rule: OwnerRule = { rule: 'round-robin', owners: owners(...weights) };
  return Array.from({ length: tickets }, (_, i) => chosenOwner(rule, lead(), from + i));
};

describe('a rotation', () => {
  test('goes round, as smoothly as the weights allow', () => {
    expect(
      drawn([1, 1, 1], 6)
        .map((owner) => owner.slice(-1))
        .join(''),
    ).toBe('012012');
    expect(
      drawn([5, 1, 1], 7)
        .map((owner) => owner.slice(-1))
        .join(''),
    ).toBe('0010200');
    expect(drawn([50, 10, 10], 7)).toEqual(drawn([5, 1, 1], 7));
  });

  test('gives every owner its share in any stretch, wherever it begins, to within less than one lead', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        (weights, from) => {
          const sum = weights.reduce((a, b) => a + b, 0);
          const sequence = drawn(weights, sum, from);
          for (const [i, weight] of weights.entries()) {
            const mine = sequence.filter((owner) => owner === `owner-${i}`).length;
            expect(mine).toBe(weight);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

const ROTATION: OwnerRule = { rule: 'round-robin', owners: owners(3, 2, 1) };

test('10,000 leads at once are within 1 % of the weights, and each lead has one owner', async () => {
  const bench = new IntakeBench({ owner: ROTATION });
  const ids = Array.from({ length: 10_000 }, (_, i) => `inq-${i}`);
  await Promise.all(ids.map((leadRequestId) => bench.accept(lead({ leadRequestId }))));

  const chosen = await Promise.all(ids.map(async (id) => (await bench.under(id)).handoff?.ownerId));
  for (const { ownerId, weight } of owners(3, 2, 1)) {
    const share = chosen.filter((owner) => owner === ownerId).length / 10_000;
    expect(Math.abs(share - weight / 6)).toBeLessThan(0.01);
  }
}, 60_000);

describe('the owner is pinned once', () => {
  const pinned = async (bench: IntakeBench, id: string) => (await bench.under(id)).handoff?.ownerId;

  test('delivered again it keeps its owner, and draws no ticket', async () => {
    const bench = new IntakeBench({ owner: ROTATION });
    await bench.accept(lead({ leadRequestId: 'a' }));
    for (let i = 0; i < 5; i++) await bench.accept(lead({ leadRequestId: 'a' }));
    await bench.accept(lead({ leadRequestId: 'b' }));

    expect(await bench.ledger.drawTicket('web')).toBe(3);
    expect([await pinned(bench, 'a'), await pinned(bench, 'b')]).toEqual(drawn([3, 2, 1], 2));
  });

  test('also when it comes ten times at once', async () => {
    const bench = new IntakeBench({ owner: ROTATION });
    const answers = await Promise.all(Array.from({ length: 10 }, () => bench.accept(lead())));

    expect(answers.filter(({ status }) => status === 'accepted')).toHaveLength(1);
    const owner = await pinned(bench, 'inq-1');
    await bench.accept(lead());
    expect(await pinned(bench, 'inq-1')).toBe(owner);
  });

  test('also when the route has another rule by then', async () => {
    const bench = new IntakeBench({ owner: ROTATION });
    await bench.accept(lead());
    const { route } = new IntakeBench({ owner: { rule: 'fixed', ownerId: '99' } });
    await bench.accept(lead(), { route });

    expect(await pinned(bench, 'inq-1')).toBe('owner-0');
  });

  test.each(['before', 'after', 'met-again'] as const)(
    'a ticket whose draw is lost %s it counted costs nobody a lead',
    async (fault) => {
      const bench = new IntakeBench({ owner: ROTATION });
      bench.ledger.hooks = once(fault, ({ what }) => what === 'draw-ticket');
      if (fault === 'met-again') await bench.accept(lead());
      else await expect(bench.accept(lead())).rejects.toMatchObject({ name: 'LedgerUnavailable' });
      await bench.accept(lead());

      expect(bench.running('inq-1')).toEqual(['inq-1']);
    },
  );
});
