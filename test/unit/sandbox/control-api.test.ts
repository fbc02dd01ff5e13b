import { describe, expect, test } from 'vitest';
import { createRequestLog, type RequestEntry, record } from '../../../functions/sandbox/request-log.ts';
import { bench, CONTACTS, createContact, EMAIL, TASKS, taskBody } from './support.ts';

describe('inspect', () => {
  test('shows everything the sandbox holds, without any lag', async () => {
    const b = bench({ settings: { keyReadLagMs: 60_000, searchLagMs: 60_000 } });
    const contact = await createContact(b, { email: 'lead@example.org', hubspot_owner_id: '71' });
    const task = (await b.hubspot('POST', TASKS, taskBody(contact))).json.id;
    const email = (await b.resend('POST', '/emails', EMAIL, { 'idempotency-key': 'k' })).json.id;
    const { json } = await b.control('GET', '/inspect');
    expect(json.contacts).toEqual([
      {
        id: contact,
        email: 'lead@example.org',
        ownerId: '71',
        ownerHistory: [
          {
            value: '71',
            timestamp: '2026-03-01T09:00:00.000Z',
            sourceType: 'INTEGRATION',
            sourceId: '2000003',
          },
        ],
        properties: { email: 'lead@example.org', hubspot_owner_id: '71' },
        archived: false,
        mergedIds: [],
      },
    ]);
    expect(json.tasks).toEqual([
      {
        id: task,
        properties: { hs_timestamp: '2026-03-02T09:00:00.000Z', hs_task_subject: 'Call the lead' },
        contactIds: [contact],
        archived: false,
      },
    ]);
    expect(json.emails).toEqual([
      {
        id: email,
        to: ['lead@example.org'],
        from: 'Ada Berg <ada.berg@sales.example.com>',
        subject: 'Hello',
        text: 'Hello',
        key: 'k',
        acceptedAt: '2026-03-01T09:00:00.000Z',
        lastEvent: 'delivered',
      },
    ]);
    expect(json.requests).toHaveLength(3);
    expect(json.requestsDropped).toBe(0);
  });

  test('keeps the newest requests and counts the others', () => {
    const log = createRequestLog();
    const entry = (path: string): RequestEntry => ({
      at: '',
      method: 'GET',
      path,
      operation: null,
      credential: null,
      status: 200,
      applied: false,
    });
    for (const path of ['/1', '/2', '/3']) record(log, entry(path), 2);
    expect(log.entries.map(({ path }) => path)).toEqual(['/2', '/3']);
    expect(log.dropped).toBe(1);
  });
});

describe('reset', () => {
  test('forgets everything and goes back to the settings of the start', async () => {
    const b = bench({ settings: { portalId: 7 } });
    await createContact(b, { email: 'lead@example.org' });
    await b.resend('POST', '/emails', EMAIL, { 'idempotency-key': 'k' });
    await b.control('POST', '/settings', { portalId: 8, searchLagMs: 9 });
    await b.control('POST', '/faults', { operation: 'send-email', kind: 'land-late', delayMs: 10 });
    await b.resend('POST', '/emails', { ...EMAIL, subject: 'late' });

    const reset = await b.control('POST', '/reset');
    b.pass(60_000);
    const { json } = await b.control('GET', '/inspect');
    const resent = await b.resend(
      'POST',
      '/emails',
      { ...EMAIL, subject: 'other' },
      { 'idempotency-key': 'k' },
    );

    expect(reset.status).toBe(200);
    expect(json).toMatchObject({ contacts: [], tasks: [], emails: [], requests: [] });
    expect(json.settings).toMatchObject({ portalId: 7, searchLagMs: 0 });
    expect(resent.status).toBe(200);
  });

  test('lays settings over, and seeds contacts and tasks that no lag hides', async () => {
    const b = bench();
    const reset = await b.control('POST', '/reset', {
      searchLagMs: 30_000,
      keyReadLagMs: 30_000,
      uniqueTaskProperties: ['lead_handoff_id'],
      contacts: [
        { email: 'known@example.org', ownerId: '82', properties: { city: 'Lyon' } },
        { email: 'ours@example.org', ownerId: '71', by: 'integration', at: '2026-02-01T00:00:00.000Z' },
      ],
      tasks: [{ email: 'known@example.org', properties: { lead_handoff_id: 'x' } }],
    });
    const read = await b.hubspot(
      'GET',
      `${CONTACTS}/known@example.org?idProperty=email&propertiesWithHistory=hubspot_owner_id`,
    );
    const found = await b.hubspot('POST', `${TASKS}/search`, {});
    expect(reset.json.contacts.map((one: { id: string }) => one.id)).toEqual(['1001', '1002']);
    expect(reset.json.contacts[1].ownerHistory).toEqual([
      { value: '71', timestamp: '2026-02-01T00:00:00.000Z', sourceType: 'INTEGRATION', sourceId: '2000001' },
    ]);
    expect(read.json.propertiesWithHistory.hubspot_owner_id[0]).toMatchObject({
      value: '82',
      sourceType: 'CRM_UI',
    });
    expect(found.json.total).toBe(1);
  });

  test('with a wrong body changes nothing', async () => {
    const b = bench();
    await createContact(b, { email: 'lead@example.org' });
    const refused = await b.control('POST', '/reset', {
      contacts: [{ email: 'x@example.org', ownerId: '404' }],
    });
    expect(refused.status).toBe(400);
    expect((await b.control('GET', '/inspect')).json.contacts).toHaveLength(1);
  });
});

describe('settings', () => {
  test('change while everything else stays', async () => {
    const b = bench();
    await createContact(b, { email: 'lead@example.org' });
    const changed = await b.control('POST', '/settings', { keyReadLagMs: 1_000 });
    const read = await b.hubspot('GET', `${CONTACTS}/1001`);
    expect(changed.json.settings.keyReadLagMs).toBe(1_000);
    expect(read.status).toBe(404);
  });
});

describe('faults', () => {
  test('are planned one by one or as a list, shown, and cleared', async () => {
    const b = bench();
    await b.control('POST', '/faults', { operation: 'send-email', kind: 'drop' });
    const planned = await b.control('POST', '/faults', [
      { operation: 'set-owner', kind: 'person-sets-owner', ownerId: '82', skip: 1, times: 2 },
    ]);
    const shown = await b.control('GET', '/faults');
    const cleared = await b.control('DELETE', '/faults');
    expect(planned.json.faults).toEqual([
      { operation: 'send-email', kind: 'drop', skip: 0, times: 1 },
      { operation: 'set-owner', kind: 'person-sets-owner', ownerId: '82', skip: 1, times: 2 },
    ]);
    expect(shown.json).toEqual(planned.json);
    expect(cleared.json).toEqual({ faults: [] });
  });
});

describe('people', () => {
  test('edit, create and complete as people do', async () => {
    const b = bench();
    const created = await b.control('POST', '/people/create', {
      properties: { email: 'hers@example.org', hubspot_owner_id: '93' },
    });
    const edited = await b.control('POST', '/people/edit', {
      email: 'hers@example.org',
      properties: { city: 'Lyon' },
    });
    const task = await b.control('POST', '/people/create-task', {
      email: 'hers@example.org',
      properties: { hs_task_subject: 'Call' },
    });
    await b.control('POST', '/people/edit-task', {
      taskId: task.json.id,
      properties: { hs_task_body: 'Soon' },
    });
    const completed = await b.control('POST', '/people/complete-task', { taskId: task.json.id });
    const archived = await b.control('POST', '/people/archive-task', { taskId: task.json.id });
    expect(created.json.ownerHistory[0].sourceType).toBe('CRM_UI');
    expect(edited.json.properties.city).toBe('Lyon');
    expect(completed.json.properties).toMatchObject({ hs_task_body: 'Soon', hs_task_status: 'COMPLETED' });
    expect(archived.json.archived).toBe(true);
  });

  test('can take the owner away', async () => {
    const b = bench();
    const id = await createContact(b, { email: 'lead@example.org', hubspot_owner_id: '71' });
    const cleared = await b.control('POST', '/people/set-owner', { contactId: id, ownerId: null });
    expect(cleared.json.ownerId).toBeNull();
    expect(cleared.json.ownerHistory[0]).toMatchObject({ value: '', sourceType: 'CRM_UI' });
  });
});

describe('wrong control requests', () => {
  const fault = { operation: 'send-email', kind: 'drop' };
  test.each([
    ['/faults', { ...fault, operation: 'send-mail' }, '"operation"'],
    ['/faults', { ...fault, kind: 'explode' }, '"kind"'],
    ['/faults', { ...fault, kind: 'delay' }, '"delayMs"'],
    ['/faults', { ...fault, kind: 'delay', delayMs: -1 }, '"delayMs"'],
    ['/faults', { ...fault, tims: 2 }, '"tims" is wrong: there is no such field.'],
    ['/faults', { ...fault, times: 0 }, '"times"'],
    ['/faults', { ...fault, match: { mail: 'x' } }, '"match.mail"'],
    ['/faults', { ...fault, kind: 'status', status: 99 }, '"status"'],
    ['/faults', [fault, { ...fault, kind: 'person-sets-owner' }], '"ownerId"'],
    ['/faults', 'x', 'not JSON'],
    ['/reset', { searchLag: 1 }, '"searchLag" is wrong: there is no such field.'],
    ['/reset', { searchLagMs: 'long' }, '"searchLagMs"'],
    ['/reset', { owners: [{ id: 'x' }] }, '"owners.0.'],
    ['/reset', { contacts: [{ email: 'a@example.org' }, { email: 'a@example.org' }] }, '"contacts"'],
    ['/reset', { tasks: [{ email: 'a@example.org' }] }, '"tasks.email"'],
    ['/settings', { contacts: [] }, '"contacts"'],
    ['/settings', { rateLimit: { hubspot: { requests: 1 } } }, '"rateLimit.hubspot.perMs"'],
    ['/people/set-owner', { ownerId: '71' }, '"contactId" or "email"'],
    [
      '/people/set-owner',
      { contactId: '1001', email: 'lead@example.org', ownerId: '71' },
      '"contactId" or "email"',
    ],
    ['/people/set-owner', { contactId: '1001', ownerId: '404' }, '"properties"'],
    ['/people/edit', { contactId: '1001', properties: { nonsense: 'x' } }, '"properties"'],
    ['/people/merge', { contactId: '1001' }, '"otherContactId" or "otherEmail"'],
    ['/people/merge', { contactId: '1001', otherContactId: '1001' }, '"otherContactId"'],
    ['/people/create', { properties: { email: 'lead@example.org' } }, '"properties.email"'],
    ['/people/email-event', { emailId: 'x', lastEvent: 'vanished' }, '"lastEvent"'],
  ])('POST %s %j is refused in one sentence that names the field', async (path, body, named) => {
    const b = bench();
    await createContact(b, { email: 'lead@example.org' });
    const refused = await b.control('POST', path, body);
    expect(refused.status).toBe(400);
    expect(refused.json.error).toContain(named);
    expect((await b.control('GET', '/faults')).json.faults).toEqual([]);
  });

  test.each([
    ['POST', '/people/set-owner', { contactId: '9', ownerId: '71' }, 404],
    ['POST', '/people/dance', {}, 404],
    ['POST', '/people/toString', {}, 404],
    ['POST', '/people/restore', { contactId: '1001' }, 404],
    ['POST', '/people/archive-owner', { ownerId: '9' }, 404],
    ['POST', '/people/complete-task', { taskId: '9' }, 404],
    ['POST', '/people/email-event', { emailId: 'x', lastEvent: 'sent' }, 404],
    ['GET', '/nowhere', undefined, 404],
    ['GET', '/reset', undefined, 405],
    ['POST', '/inspect', {}, 405],
  ])('%s %s answers %j with a reason', async (method, path, body, status) => {
    const b = bench();
    await createContact(b, { email: 'lead@example.org' });
    const refused = await b.control(method, path, body);
    expect(refused.status).toBe(status);
    expect(refused.json.error).toMatch(/\.$/);
  });
});

describe('the control token', () => {
  test.each(['/inspect', '/faults', '/reset', '/settings', '/people/set-owner'])(
    'closes %s',
    async (path) => {
      const b = bench({ controlToken: 'control' });
      const method = path === '/inspect' ? 'GET' : 'POST';
      const none = await b.request(method, path, {});
      const wrong = await b.request(method, path, {}, { authorization: 'Bearer test-secret' });
      const right = await b.request(method, path, {}, { authorization: 'Bearer control' });
      expect([none.status, wrong.status]).toEqual([401, 401]);
      expect(right.status).not.toBe(401);
    },
  );

  test('does not open the vendors’ routes', async () => {
    const b = bench({ controlToken: 'control' });
    const refused = await b.hubspot('GET', CONTACTS, undefined, 'control');
    expect(refused.status).toBe(401);
  });
});
