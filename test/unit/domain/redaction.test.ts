import { expect, test } from 'vitest';
import { maskedEmail, personalValues } from '../../../functions/domain/redaction.ts';

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

test('what a lead says of a person is personal; ids and what an owner is chosen by are not', () => {
  const lead = {
    leadRequestId: 'inq-1',
    email: 'jo.lind@customer.example.com',
    firstName: 'Jo',
    lastName: 'Lind',
    company: 'Lind Oy',
    phone: '+358 40 123',
    message: 'Please call.',
    country: 'Finland',
    language: 'fi',
    companySize: '11-50',
    sourceReference: 'fair-7',
    ownerId: '71',
  };

  expect(personalValues(lead)).toEqual([
    'jo.lind@customer.example.com',
    'Jo',
    'Lind',
    'Lind Oy',
    '+358 40 123',
    'Please call.',
  ]);
  expect(personalValues({ leadRequestId: 'inq-1', email: 'jo.lind@customer.example.com' })).toEqual([
    'jo.lind@customer.example.com',
  ]);
});
