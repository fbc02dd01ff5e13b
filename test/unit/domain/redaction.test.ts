import { expect, test } from 'vitest';
import { maskedEmail } from '../../../functions/domain/redaction.ts';

test.each([
  ['jo.lind@customer.example.com', 'j…@customer.example.com'],
  ['j@customer.example.com', 'j…@customer.example.com'],
  ['"a@b"@customer.example.com', '"…@customer.example.com'],
  ['@customer.example.com', '…'],
  ['jo.lind', '…'],
  ['', '…'],
])('of the address %j people see %s', (email, masked) => {
  expect(maskedEmail(email)).toBe(masked);
});
