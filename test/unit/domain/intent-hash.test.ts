import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalHash, intentHash } from '../../../functions/domain/intent.ts';
import { parseLeadRequest } from '../../../functions/domain/lead-request.ts';

const LEAD = {
  leadRequestId: 'inq-1',
  email: 'jo.lind@customer.example.com',
  firstName: 'Jo',
  company: 'Zoë Oy',
};
const hashOf = (lead: unknown) => intentHash(parseLeadRequest(lead));

test('the hash of a lead request is this one, today and after every update', () => {
  expect(hashOf(LEAD)).toBe('aae0fd6d831e762333c3830a1ee9916ecd1477fdc7e7ec4cbedf68c5fac7b59e');
});

describe('makes no difference', () => {
  test('the order of the fields', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.entries(LEAD), { minLength: 4 }), (entries) => {
        expect(hashOf(Object.fromEntries(entries))).toBe(hashOf(LEAD));
      }),
    );
  });

  test.each([
    ['the Unicode form', { company: 'Zoe\u0308 Oy' }],
    ['the case of the email', { email: 'Jo.Lind@Customer.Example.COM' }],
    ['outer blanks', { firstName: ' Jo ', email: ' jo.lind@customer.example.com' }],
    ['an empty field', { phone: '', message: '  ' }],
    ['a null field', { lastName: null }],
  ])('%s', (_what, change) => {
    expect(hashOf({ ...LEAD, ...change })).toBe(hashOf(LEAD));
  });
});

describe('makes a difference', () => {
  test.each([
    ['leadRequestId', 'inq-2'],
    ['email', 'jo.lind@customer.example.org'],
    ['firstName', 'jo'],
    ['lastName', 'Lind'],
    ['company', 'Zoe Oy'],
    ['phone', '1'],
    ['message', 'x'],
    ['country', 'FI'],
    ['language', 'fi'],
    ['companySize', '1'],
    ['sourceReference', 'x'],
    ['ownerId', '72'],
  ])('another %s', (field, value) => {
    expect(hashOf({ ...LEAD, [field]: value })).not.toBe(hashOf(LEAD));
  });
});

test('only JSON has a hash', () => {
  expect(() => canonicalHash(undefined)).toThrow(TypeError);
});
