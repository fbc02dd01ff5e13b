import { describe, expect, test } from 'vitest';
import { type Bench, bench, CONTACTS, createContact, EMAIL, TASKS, taskBody } from './support.ts';

const plan = (b: Bench, fault: unknown) => b.control('POST', '/faults', fault);
const inspect = async (b: Bench) => (await b.control('GET', '/inspect')).json;
const lastRequest = async (b: Bench) => (await inspect(b)).requests.at(-1);
const newContact = { properties: { email: 'lead@example.org' } };

describe('each kind of fault: what takes effect, what is answered, what is logged', () => {
  const cases = [
    [{ kind: 'apply-then-drop' }, { kind: 'drop' }, 1, { status: null, applied: true }],
    [{ kind: 'drop' }, { kind: 'drop' }, 0, { status: null, applied: false }],
    [{ kind: 'hang' }, { kind: 'hang' }, 0, { status: null, applied: false }],
    [{ kind: 'land-late', delayMs: 1 }, { kind: 'drop' }, 0, { status: null, applied: false }],
    [{ kind: 'land-late', delayMs: 1, wire: 'hang' }, { kind: 'hang' }, 0, { status: null, applied: false }],
    [{ kind: 'delay', delayMs: 7 }, { kind: 'answer-late', delayMs: 7 }, 1, { status: 201, applied: true }],
    [{ kind: 'slow-body', delayMs: 7 }, { kind: 'trickle', delayMs: 7 }, 1, { status: 201, applied: true }],
    [{ kind: 'garbage' }, { kind: 'answer' }, 1, { status: 200, applied: true }],
    [{ kind: 'status', status: 503 }, { kind: 'answer' }, 0, { status: 503, applied: false }],
  ] as const;

  test.each(cases)('%j', async (fault, delivery, contacts, logged) => {
    const b = bench();
    await plan(b, { operation: 'create-contact', ...fault });
    const { response } = await b.hubspot('POST', CONTACTS, newContact);
    expect(response.delivery).toEqual(delivery);
    expect((await inspect(b)).contacts).toHaveLength(contacts);
    expect(await lastRequest(b)).toMatchObject({ operation: 'create-contact', fault: fault.kind, ...logged });
  });

  test('garbage is answered with status 200 and no JSON', async () => {
    const b = bench();
    await plan(b, { operation: 'send-email', kind: 'garbage' });
    const { response } = await b.resend('POST', '/emails', EMAIL);
    expect(response.status).toBe(200);
    expect(() => JSON.parse(response.body)).toThrow(SyntaxError);
  });

  test('a planned status has the vendor’s shape, or the given headers and body', async () => {
    const b = bench();
    await plan(b, [
      { operation: 'list-contacts', kind: 'status', status: 502 },
      { operation: 'send-email', kind: 'status', status: 500 },
      {
        operation: 'send-email',
        kind: 'status',
        status: 429,
        headers: { 'retry-after': '9' },
        body: { name: 'x' },
      },
    ]);
    const hubspot = await b.hubspot('GET', CONTACTS);
    const resend = await b.resend('POST', '/emails', EMAIL);
    const given = await b.resend('POST', '/emails', EMAIL);
    expect(hubspot.json).toMatchObject({ status: 'error', category: 'PLANNED_FAULT' });
    expect(resend.json).toMatchObject({ statusCode: 500, name: 'planned_fault' });
    expect([given.status, given.headers['retry-after'], given.json]).toEqual([429, '9', { name: 'x' }]);
  });
});

describe('a request that lands late', () => {
  test('takes effect at its time, with the time it lands at, and its log entry says so then', async () => {
    const b = bench();
    await plan(b, { operation: 'create-contact', kind: 'land-late', delayMs: 3_000 });
    await b.hubspot('POST', CONTACTS, newContact);
    b.pass(2_999);
    const before = await inspect(b);
    b.pass(5_000);
    const after = await inspect(b);
    expect(before.contacts).toEqual([]);
    expect(before.requests[0].applied).toBe(false);
    expect(after.contacts).toHaveLength(1);
    expect(after.requests[0]).toMatchObject({ applied: true, status: null });
    const read = await b.hubspot('GET', `${CONTACTS}/${after.contacts[0].id}`);
    expect(read.json.createdAt).toBe('2026-03-01T09:00:03.000Z');
  });

  test('meets what happened meanwhile: a contact that exists by then stays the only one', async () => {
    const b = bench();
    await plan(b, { operation: 'create-contact', kind: 'land-late', delayMs: 3_000 });
    await b.hubspot('POST', CONTACTS, newContact);
    await b.hubspot('POST', CONTACTS, newContact);
    b.pass(3_000);
    const after = await inspect(b);
    expect(after.contacts).toHaveLength(1);
    expect(after.requests.map((one: { applied: boolean }) => one.applied)).toEqual([false, true]);
  });

  test('overwrites a person’s change, because nothing in HubSpot prevents it', async () => {
    const b = bench();
    const id = await createContact(b, { email: 'lead@example.org' });
    await plan(b, { operation: 'set-owner', kind: 'land-late', delayMs: 3_000 });
    await b.hubspot('PATCH', `${CONTACTS}/${id}`, { properties: { hubspot_owner_id: '71' } });
    b.pass(1_000);
    await b.control('POST', '/people/set-owner', { contactId: id, ownerId: '82' });
    b.pass(2_000);
    expect((await inspect(b)).contacts[0].ownerId).toBe('71');
  });

  test('several land in the order of their times', async () => {
    const b = bench();
    const id = await createContact(b, { email: 'lead@example.org' });
    await plan(b, [
      { operation: 'set-owner', kind: 'land-late', delayMs: 3_000 },
      { operation: 'set-owner', kind: 'land-late', delayMs: 1_000 },
    ]);
    await b.hubspot('PATCH', `${CONTACTS}/${id}`, { properties: { hubspot_owner_id: '71' } });
    await b.hubspot('PATCH', `${CONTACTS}/${id}`, { properties: { hubspot_owner_id: '82' } });
    b.pass(10_000);
    const [contact] = (await inspect(b)).contacts;
    expect(contact.ownerHistory.map((one: { value: string }) => one.value)).toEqual(['71', '82']);
  });
});

describe('a person who sets the owner', () => {
  test('between our read and our write is in the history before it', async () => {
    const b = bench();
    const id = await createContact(b, { email: 'lead@example.org' });
    await plan(b, { operation: 'set-owner', kind: 'person-sets-owner', ownerId: '82' });
    const read = await b.hubspot('GET', `${CONTACTS}/${id}?properties=hubspot_owner_id`);
    const written = await b.hubspot('PATCH', `${CONTACTS}/${id}`, { properties: { hubspot_owner_id: '71' } });
    const history = (await inspect(b)).contacts[0].ownerHistory;
    expect(read.json.properties.hubspot_owner_id).toBeNull();
    expect(written.status).toBe(200);
    expect(history.map((one: { value: string; sourceType: string }) => [one.value, one.sourceType])).toEqual([
      ['71', 'INTEGRATION'],
      ['82', 'CRM_UI'],
    ]);
    expect(await lastRequest(b)).toMatchObject({ fault: 'person-sets-owner', applied: true, status: 200 });
  });

  test('planned for a read comes right after what the read saw', async () => {
    const b = bench();
    const id = await createContact(b, { email: 'lead@example.org' });
    await plan(b, { operation: 'read-contact', kind: 'person-sets-owner', ownerId: '82' });
    const first = await b.hubspot(
      'GET',
      `${CONTACTS}/lead@example.org?idProperty=email&properties=hubspot_owner_id`,
    );
    const second = await b.hubspot('GET', `${CONTACTS}/${id}?properties=hubspot_owner_id`);
    expect(first.json.properties.hubspot_owner_id).toBeNull();
    expect(second.json.properties.hubspot_owner_id).toBe('82');
  });

  test('can come after our write, and comes besides a fault of the answer', async () => {
    const b = bench();
    const id = await createContact(b, { email: 'lead@example.org' });
    await plan(b, [
      { operation: 'set-owner', kind: 'person-sets-owner', ownerId: '82', when: 'after' },
      { operation: 'set-owner', kind: 'apply-then-drop' },
    ]);
    await b.hubspot('PATCH', `${CONTACTS}/${id}`, { properties: { hubspot_owner_id: '71' } });
    const [contact] = (await inspect(b)).contacts;
    expect(contact.ownerHistory.map((one: { value: string }) => one.value)).toEqual(['82', '71']);
    expect(await lastRequest(b)).toMatchObject({ fault: 'person-sets-owner+apply-then-drop', status: null });
  });
});

describe('which requests a fault takes', () => {
  const dropsCreates = { operation: 'create-contact', kind: 'drop' };
  const deliveries = async (b: Bench, count: number) => {
    const kinds: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const { response } = await b.hubspot('POST', CONTACTS, {
        properties: { email: `lead${n}@example.org` },
      });
      kinds.push(response.delivery.kind);
    }
    return kinds;
  };

  test('the first one, once, unless told otherwise', async () => {
    const b = bench();
    await plan(b, dropsCreates);
    expect(await deliveries(b, 3)).toEqual(['drop', 'answer', 'answer']);
    expect((await b.control('GET', '/faults')).json.faults).toEqual([]);
  });

  test('skips and repeats as planned', async () => {
    const b = bench();
    await plan(b, { ...dropsCreates, skip: 1, times: 2 });
    expect(await deliveries(b, 4)).toEqual(['answer', 'drop', 'drop', 'answer']);
  });

  test('one fault per answer; the next waits for the next request', async () => {
    const b = bench();
    await plan(b, [dropsCreates, { operation: 'create-contact', kind: 'hang' }]);
    expect(await deliveries(b, 3)).toEqual(['drop', 'hang', 'answer']);
  });

  test('only those of its operation: an owner’s change is none of a contact’s update', async () => {
    const b = bench();
    const id = await createContact(b, { email: 'lead@example.org' });
    await plan(b, { operation: 'update-contact', kind: 'drop' });
    const owner = await b.hubspot('PATCH', `${CONTACTS}/${id}`, { properties: { hubspot_owner_id: '71' } });
    const city = await b.hubspot('PATCH', `${CONTACTS}/${id}`, { properties: { city: 'Lyon' } });
    expect([owner.response.delivery.kind, city.response.delivery.kind]).toEqual(['answer', 'drop']);
  });

  test('only those of its person, by address or contact, whatever the vendor', async () => {
    const b = bench();
    const hers = await createContact(b, { email: 'hers@example.org' });
    const his = await createContact(b, { email: 'his@example.org' });
    await plan(b, [
      { operation: 'create-task', match: { email: 'hers@example.org' }, kind: 'drop' },
      { operation: 'set-owner', match: { contactId: hers }, kind: 'drop' },
      { operation: 'send-email', match: { email: 'HERS@example.org' }, kind: 'drop' },
      { operation: 'read-contact', match: { email: 'hers@example.org' }, kind: 'drop' },
    ]);
    const owner = { properties: { hubspot_owner_id: '71' } };
    const kinds = async (contact: string, to: string) => [
      (await b.hubspot('POST', TASKS, taskBody(contact))).response.delivery.kind,
      (await b.hubspot('PATCH', `${CONTACTS}/${contact}`, owner)).response.delivery.kind,
      (await b.resend('POST', '/emails', { ...EMAIL, to: [`Someone <${to}>`] })).response.delivery.kind,
      (await b.hubspot('GET', `${CONTACTS}/${contact}`)).response.delivery.kind,
    ];
    expect(await kinds(his, 'his@example.org')).toEqual(['answer', 'answer', 'answer', 'answer']);
    expect(await kinds(hers, 'hers@example.org')).toEqual(['drop', 'drop', 'drop', 'drop']);
  });

  test('only those that hold its text, in the address or in the body', async () => {
    const b = bench();
    await plan(b, [
      { operation: 'search-tasks', match: { text: 'web/lead-2/' }, kind: 'drop' },
      { operation: 'read-contact', match: { text: 'lead-2@example.org' }, kind: 'drop' },
    ]);
    const search = (stamp: string) => ({
      filterGroups: [
        { filters: [{ propertyName: 'hs_task_body', operator: 'CONTAINS_TOKEN', value: stamp }] },
      ],
    });
    const first = await b.hubspot('POST', `${TASKS}/search`, search('web/lead-1/create-task'));
    const second = await b.hubspot('POST', `${TASKS}/search`, search('web/lead-2/create-task'));
    const read = await b.hubspot('GET', `${CONTACTS}/lead-2%40example.org?idProperty=email`);
    expect([first, second, read].map(({ response }) => response.delivery.kind)).toEqual([
      'answer',
      'drop',
      'drop',
    ]);
  });

  test('never one that was not let in', async () => {
    const b = bench();
    await plan(b, dropsCreates);
    const refused = await b.hubspot('POST', CONTACTS, newContact, 'wrong');
    expect(refused.status).toBe(401);
    expect((await b.control('GET', '/faults')).json.faults).toHaveLength(1);
  });
});
