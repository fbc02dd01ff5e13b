import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../functions/sandbox/sandbox.ts';
import { bench, CONTACTS, createContact, EMAIL, SECRET, TASKS, taskBody } from './support.ts';

const READ = `${SECRET}.read`;
const WRITE = `${SECRET}.write`;

describe('HubSpot keys', () => {
  const reads = [
    ['GET', `${CONTACTS}/1001`],
    ['GET', CONTACTS],
    ['POST', `${CONTACTS}/search`, {}],
    ['POST', `${TASKS}/search`, {}],
    ['GET', `${TASKS}/1002`],
    ['GET', '/crm/v3/owners/71'],
    ['GET', '/account-info/v3/details'],
    ['GET', '/crm/v3/properties/tasks'],
  ] as const;
  const writes = [
    ['POST', CONTACTS, { properties: { email: 'new@example.org' } }],
    ['PATCH', `${CONTACTS}/1001`, { properties: { city: 'Lyon' } }],
    ['POST', TASKS, taskBody('1001')],
    ['PATCH', `${TASKS}/1002`, { properties: { hs_task_subject: 'x' } }],
    ['POST', `${CONTACTS}/merge`, { primaryObjectId: '1001', objectIdToMerge: '1003' }],
    ['DELETE', `${TASKS}/1002`],
    ['DELETE', `${CONTACTS}/1001`],
    [
      'POST',
      '/crm/v3/properties/tasks',
      { name: 'x', label: 'x', groupName: 'x', type: 'string', fieldType: 'text' },
    ],
  ] as const;

  async function portal() {
    const b = bench();
    const contact = await createContact(b, { email: 'lead@example.org' });
    await b.hubspot('POST', TASKS, taskBody(contact));
    await createContact(b, { email: 'other@example.org' });
    return b;
  }

  test.each(reads)('every key may %s %s', async (method, path, body?: unknown) => {
    const b = await portal();
    for (const key of [READ, WRITE, SECRET]) {
      expect((await b.hubspot(method, path, body, key)).status).toBe(200);
    }
  });

  test.each(writes)(
    'the read key may not %s %s, and nothing changes',
    async (method, path, body?: unknown) => {
      const b = await portal();
      const before = (await b.control('GET', '/inspect')).json;
      const refused = await b.hubspot(method, path, body, READ);
      const after = (await b.control('GET', '/inspect')).json;
      expect(refused.status).toBe(403);
      expect(refused.json).toMatchObject({
        status: 'error',
        category: 'MISSING_SCOPES',
        links: { scopes: 'https://developers.hubspot.com/scopes' },
      });
      expect(refused.json.errors[0].context.requiredGranularScopes[0]).toMatch(/\.write$/);
      expect([after.contacts, after.tasks]).toEqual([before.contacts, before.tasks]);
    },
  );

  test.each(writes)('the write key and the full key may %s %s', async (method, path, body?: unknown) => {
    for (const key of [WRITE, SECRET]) {
      const b = await portal();
      expect((await b.hubspot(method, path, body, key)).status).toBeLessThan(300);
    }
  });

  test('no key and a wrong key are not authenticated', async () => {
    const b = await portal();
    const none = await b.request('GET', `/hubspot${CONTACTS}/1001`);
    const wrong = await b.hubspot('GET', `${CONTACTS}/1001`, undefined, 'wrong');
    for (const refused of [none, wrong]) {
      expect(refused.status).toBe(401);
      expect(refused.json).toMatchObject({ status: 'error', category: 'INVALID_AUTHENTICATION' });
    }
  });

  test('unknown addresses and methods are refused in the vendor’s shape', async () => {
    const b = await portal();
    const nowhere = await b.hubspot('GET', '/crm/v3/objects/deals');
    const method = await b.hubspot('PUT', `${CONTACTS}/1001`);
    expect([nowhere.status, method.status]).toEqual([404, 405]);
    expect(nowhere.json).toMatchObject({ status: 'error', correlationId: expect.any(String) });
  });
});

describe('Resend keys', () => {
  const reads = ['/emails', '/emails/00000000-0000-4000-8000-000000000001', '/domains'];

  test.each(reads)('the sending key may not GET %s', async (path) => {
    const b = bench();
    await b.resend('POST', '/emails', EMAIL);
    const refused = await b.resend('GET', path, undefined, { authorization: `Bearer ${WRITE}` });
    expect(refused.status).toBe(401);
    expect(refused.json).toEqual({
      statusCode: 401,
      message: 'This API key is restricted to only send emails.',
      name: 'restricted_api_key',
    });
  });

  test.each(reads)('the read key and the full key may GET %s', async (path) => {
    const b = bench();
    await b.resend('POST', '/emails', EMAIL);
    for (const key of [READ, SECRET]) {
      expect((await b.resend('GET', path, undefined, { authorization: `Bearer ${key}` })).status).toBe(200);
    }
  });

  test('every key may send: Resend has no read-only key', async () => {
    const b = bench();
    for (const key of [READ, WRITE, SECRET]) {
      expect((await b.resend('POST', '/emails', EMAIL, { authorization: `Bearer ${key}` })).status).toBe(200);
    }
  });

  test('a missing key, a wrong key and a missing User-Agent are told apart', async () => {
    const b = bench();
    const userAgent = { 'user-agent': 'x' };
    const missing = await b.request('POST', '/resend/emails', EMAIL, userAgent);
    const wrong = await b.request('POST', '/resend/emails', EMAIL, {
      ...userAgent,
      authorization: 'Bearer wrong',
    });
    const anonymous = await b.request('POST', '/resend/emails', EMAIL, { authorization: `Bearer ${SECRET}` });
    expect([missing.status, missing.json.name]).toEqual([401, 'missing_api_key']);
    expect([wrong.status, wrong.json.name]).toEqual([403, 'invalid_api_key']);
    expect([anonymous.status, anonymous.json]).toEqual([403, 'error code: 1010']);
    expect((await b.control('GET', '/inspect')).json.emails).toEqual([]);
  });
});

describe('the log of requests', () => {
  test('tells which key came', async () => {
    const b = bench();
    await b.hubspot('GET', CONTACTS, undefined, READ);
    await b.hubspot('POST', CONTACTS, { properties: { email: 'lead@example.org' } }, WRITE);
    await b.hubspot('GET', CONTACTS, undefined, 'wrong');
    const { requests } = (await b.control('GET', '/inspect')).json;
    expect(requests).toEqual([
      {
        at: '2026-03-01T09:00:00.000Z',
        method: 'GET',
        path: '/hubspot/crm/v3/objects/contacts',
        operation: 'list-contacts',
        credential: 'read',
        status: 200,
        applied: false,
      },
      expect.objectContaining({
        operation: 'create-contact',
        credential: 'write',
        status: 201,
        applied: true,
      }),
      expect.objectContaining({ credential: null, status: 401, applied: false }),
    ]);
  });
});

test('a sandbox without a secret does not start', () => {
  const options = { clock: () => 0, ids: () => '', bearer: '' };
  expect(() => createSandbox(options)).toThrow('The sandbox needs a bearer secret');
  expect(() => createSandbox({ ...options, bearer: undefined as unknown as string })).toThrow(TypeError);
});
