import { describe, expect, test } from 'vitest';
import { isTestAddress } from '../../../functions/sandbox/test-recipients.ts';
import { bench, EMAIL } from './support.ts';

describe('recipients', () => {
  test.each([
    ['to', { to: ['lead@example.org', 'someone@gmail.com'] }],
    ['cc', { cc: 'someone@gmail.com' }],
    ['bcc', { bcc: ['Some One <someone@gmail.com>'] }],
  ])(
    'who could be real are refused in %s: nothing is stored, and the key stays free',
    async (field, change) => {
      const b = bench();
      const headers = { 'idempotency-key': 'k' };
      const refused = await b.resend('POST', '/emails', { ...EMAIL, ...change }, headers);
      expect(refused.status).toBe(422);
      expect(refused.json).toMatchObject({ name: 'validation_error' });
      expect(refused.json.message).toContain(`\`${field}\``);
      expect(refused.json.message).not.toContain('gmail');
      expect((await b.control('GET', '/inspect')).json.emails).toEqual([]);
      expect((await b.resend('POST', '/emails', EMAIL, headers)).status).toBe(200);
    },
  );

  test.each([
    'a@example.com',
    'a@EXAMPLE.org',
    'a@mail.example.net',
    'a@acme.example',
    'a@acme.test',
    'a@x.invalid',
    'a@localhost',
  ])('%s is nobody', (address) => {
    expect(isTestAddress(address)).toBe(true);
  });

  test.each([
    'a@example.de',
    'a@notexample.com',
    'a@example.com.evil.io',
    'a@test.com',
    'a@contest',
    'a@gmail.com',
  ])('%s could be somebody', (address) => {
    expect(isTestAddress(address)).toBe(false);
  });
});
