import { describe, expect, test } from 'vitest';
import { bench, CONTACTS, createContact } from './support.ts';

describe('contacts as HubSpot serves them', () => {
  test('a created contact answers 201 and is read by id and by email, in any case', async () => {
    const b = bench();
    const created = await b.hubspot('POST', CONTACTS, {
      properties: { email: 'Lead@Example.org', firstname: 'Noor' },
    });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      id: '1001',
      properties: { email: 'lead@example.org', firstname: 'Noor', hs_object_id: '1001' },
      createdAt: '2026-03-01T09:00:00.000Z',
      updatedAt: '2026-03-01T09:00:00.000Z',
      archived: false,
    });

    const byId = await b.hubspot('GET', `${CONTACTS}/1001?properties=email,phone,nonsense`);
    const byEmail = await b.hubspot('GET', `${CONTACTS}/LEAD%40example.org?idProperty=email`);

    expect(byId.status).toBe(200);
    expect(byId.json.properties).toEqual({
      email: 'lead@example.org',
      phone: null,
      createdate: '2026-03-01T09:00:00.000Z',
      hs_object_id: '1001',
      lastmodifieddate: '2026-03-01T09:00:00.000Z',
    });
    expect(byEmail.json.id).toBe('1001');
    expect(Object.keys(byEmail.json.properties).sort()).toEqual([
      'createdate',
      'email',
      'firstname',
      'hs_object_id',
      'lastmodifieddate',
      'lastname',
    ]);
  });

  test('a second contact with the same email is refused with the id of the first', async () => {
    const b = bench();
    await createContact(b, { email: 'lead@example.org' });
    const second = await b.hubspot('POST', CONTACTS, { properties: { email: 'LEAD@example.org' } });
    expect(second.status).toBe(409);
    expect(second.json).toEqual({
      status: 'error',
      message: 'Contact already exists. Existing ID: 1001',
      correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      category: 'CONFLICT',
    });
    const inspected = await b.control('GET', '/inspect');
    expect(inspected.json.contacts).toHaveLength(1);
  });

  test('changing the email to one that somebody else has is refused', async () => {
    const b = bench();
    await createContact(b, { email: 'one@example.org' });
    const two = await createContact(b, { email: 'two@example.org' });
    const patched = await b.hubspot('PATCH', `${CONTACTS}/${two}`, {
      properties: { email: 'one@example.org' },
    });
    expect(patched.status).toBe(409);
  });

  test('a changed email is the only one under which the contact is found', async () => {
    const b = bench();
    const id = await createContact(b, { email: 'old@example.org' });
    await b.hubspot('PATCH', `${CONTACTS}/${id}`, { properties: { email: 'new@example.org' } });
    const old = await b.hubspot('GET', `${CONTACTS}/old@example.org?idProperty=email`);
    const renamed = await b.hubspot('GET', `${CONTACTS}/new@example.org?idProperty=email`);
    expect(old.status).toBe(404);
    expect(renamed.json.id).toBe(id);
  });

  test.each([
    ['an unknown property', { nonsense: 'x' }, 'PROPERTY_DOESNT_EXIST'],
    ['a computed property', { createdate: '2020-01-01' }, 'READ_ONLY_VALUE'],
    ['an address that is none', { email: 'nobody' }, 'INVALID_EMAIL'],
    ['an owner who does not exist', { hubspot_owner_id: '404' }, 'INVALID_OWNER_ID'],
    ['a wrong option', { hs_email_optout: 'perhaps' }, 'INVALID_OPTION'],
  ])('%s is a validation error and nothing is written', async (_, properties, error) => {
    const b = bench();
    const id = await createContact(b, { email: 'lead@example.org' });
    const refused = await b.hubspot('PATCH', `${CONTACTS}/${id}`, {
      properties: { firstname: 'New', ...properties },
    });
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({ status: 'error', category: 'VALIDATION_ERROR' });
    expect(refused.json.message).toContain('Property values were not valid: [{');
    expect(refused.json.message).toContain(`"error":"${error}"`);
    const after = await b.hubspot('GET', `${CONTACTS}/${id}?properties=firstname`);
    expect(after.json.properties.firstname).toBeNull();
  });

  test('a body that is not JSON, and a contact without any name, are validation errors', async () => {
    const b = bench();
    const garbled = await b.hubspot('POST', CONTACTS, '{"properties":');
    const nameless = await b.hubspot('POST', CONTACTS, { properties: { phone: '1' } });
    expect([garbled.status, nameless.status]).toEqual([400, 400]);
    expect([garbled.json.category, nameless.json.category]).toEqual(['VALIDATION_ERROR', 'VALIDATION_ERROR']);
  });

  test('an unknown contact, and an email given as an id, answer 404', async () => {
    const b = bench();
    await createContact(b, { email: 'lead@example.org' });
    const unknown = await b.hubspot('GET', `${CONTACTS}/999`);
    const asId = await b.hubspot('GET', `${CONTACTS}/lead%40example.org`);
    const patched = await b.hubspot('PATCH', `${CONTACTS}/999`, { properties: { firstname: 'x' } });
    const deleted = await b.hubspot('DELETE', `${CONTACTS}/999`);
    expect([unknown.status, asId.status, patched.status, deleted.status]).toEqual([404, 404, 404, 404]);
    expect(unknown.json).toMatchObject({
      status: 'error',
      message: 'Object not found.  objectId are usually numeric.',
      category: 'OBJECT_NOT_FOUND',
      context: { id: ['999'] },
    });
  });

  test("the owner's history is newest first and tells an app from a person", async () => {
    const b = bench();
    const id = await createContact(b, { email: 'lead@example.org', hubspot_owner_id: '71' });
    b.pass(60_000);
    await b.control('POST', '/people/set-owner', { contactId: id, ownerId: '82', byUserId: 8201 });

    const read = await b.hubspot('GET', `${CONTACTS}/${id}?propertiesWithHistory=hubspot_owner_id`);

    expect(read.json.properties.hubspot_owner_id).toBe('82');
    expect(read.json.propertiesWithHistory.hubspot_owner_id).toEqual([
      {
        value: '82',
        timestamp: '2026-03-01T09:01:00.000Z',
        sourceType: 'CRM_UI',
        sourceId: 'userId:8201',
        updatedByUserId: 8201,
      },
      {
        value: '71',
        timestamp: '2026-03-01T09:00:00.000Z',
        sourceType: 'INTEGRATION',
        sourceId: '2000003',
      },
    ]);
  });

  test('two changes at one moment get different times, and an unchanged value leaves no trace', async () => {
    const b = bench();
    const id = await createContact(b, { email: 'lead@example.org', hubspot_owner_id: '71' });
    await b.hubspot('PATCH', `${CONTACTS}/${id}`, { properties: { hubspot_owner_id: '82' } });
    await b.hubspot('PATCH', `${CONTACTS}/${id}`, { properties: { hubspot_owner_id: '82' } });
    const read = await b.hubspot('GET', `${CONTACTS}/${id}?propertiesWithHistory=hubspot_owner_id`);
    const history = read.json.propertiesWithHistory.hubspot_owner_id;
    expect(
      history.map((entry: { value: string; timestamp: string }) => [entry.value, entry.timestamp]),
    ).toEqual([
      ['82', '2026-03-01T09:00:00.001Z'],
      ['71', '2026-03-01T09:00:00.000Z'],
    ]);
  });

  test('a cleared value reads as null and stays in the history', async () => {
    const b = bench();
    const id = await createContact(b, { email: 'lead@example.org', hubspot_owner_id: '71' });
    await b.hubspot('PATCH', `${CONTACTS}/${id}`, { properties: { hubspot_owner_id: '' } });
    const read = await b.hubspot('GET', `${CONTACTS}/${id}?propertiesWithHistory=hubspot_owner_id`);
    expect(read.json.properties.hubspot_owner_id).toBeNull();
    expect(read.json.propertiesWithHistory.hubspot_owner_id[0].value).toBe('');
  });

  test('clients that repeat a parameter instead of joining it are understood', async () => {
    const b = bench();
    const id = await createContact(b, { email: 'lead@example.org', firstname: 'Noor' });
    const read = await b.hubspot('GET', `${CONTACTS}/${id}?properties=email&properties=firstname`);
    expect(read.json.properties).toMatchObject({ email: 'lead@example.org', firstname: 'Noor' });
  });

  test('a person who opted out shows it', async () => {
    const b = bench();
    const id = await createContact(b, { email: 'lead@example.org' });
    const before = await b.hubspot('GET', `${CONTACTS}/${id}?properties=hs_email_optout`);
    await b.control('POST', '/people/opt-out', { contactId: id });
    const after = await b.hubspot('GET', `${CONTACTS}/${id}?properties=hs_email_optout`);
    expect(before.json.properties.hs_email_optout).toBeNull();
    expect(after.json.properties.hs_email_optout).toBe('true');
  });

  test('the list is paged', async () => {
    const b = bench();
    for (const name of ['a', 'b', 'c']) await createContact(b, { email: `${name}@example.org` });
    const first = await b.hubspot('GET', `${CONTACTS}?limit=2&archived=false`);
    const second = await b.hubspot('GET', `${CONTACTS}?limit=2&after=${first.json.paging.next.after}`);
    const tooMany = await b.hubspot('GET', `${CONTACTS}?limit=101`);
    expect(first.json.results.map((one: { id: string }) => one.id)).toEqual(['1001', '1002']);
    expect(second.json.results.map((one: { id: string }) => one.id)).toEqual(['1003']);
    expect(second.json.paging).toBeUndefined();
    expect(tooMany.status).toBe(400);
  });
});
