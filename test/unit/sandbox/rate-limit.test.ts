import { expect, test } from 'vitest';
import { bench, CONTACTS, createContact, EMAIL } from './support.ts';

test('HubSpot refuses the request above the limit and tells when to come back', async () => {
  const b = bench({ settings: { rateLimit: { hubspot: { requests: 2, perMs: 10_000 } } } });
  await createContact(b, { email: 'lead@example.org' });
  b.pass(4_000);
  const second = await b.hubspot('GET', CONTACTS);
  const third = await b.hubspot('POST', CONTACTS, { properties: { email: 'new@example.org' } });
  b.pass(6_000);
  const later = await b.hubspot('POST', CONTACTS, { properties: { email: 'new@example.org' } });

  expect(second.headers).toMatchObject({
    'x-hubspot-ratelimit-max': '2',
    'x-hubspot-ratelimit-remaining': '0',
  });
  expect(third.status).toBe(429);
  expect(third.headers['retry-after']).toBe('6');
  expect(third.json).toMatchObject({ status: 'error', category: 'RATE_LIMIT', errorType: 'RATE_LIMIT' });
  expect(later.status).toBe(201);
});

test('Resend refuses the request above its limit, and vendors do not share one', async () => {
  const b = bench({
    settings: {
      rateLimit: { resend: { requests: 1, perMs: 1_000 }, hubspot: { requests: 1, perMs: 1_000 } },
    },
  });
  const first = await b.resend('POST', '/emails', EMAIL);
  const second = await b.resend('POST', '/emails', EMAIL);
  const other = await b.hubspot('GET', CONTACTS);
  expect(first.headers).toMatchObject({ 'ratelimit-limit': '1', 'ratelimit-remaining': '0' });
  expect(second.status).toBe(429);
  expect(second.headers['retry-after']).toBe('1');
  expect(second.json.name).toBe('rate_limit_exceeded');
  expect(other.status).toBe(200);
  expect((await b.control('GET', '/inspect')).json.emails).toHaveLength(1);
});
