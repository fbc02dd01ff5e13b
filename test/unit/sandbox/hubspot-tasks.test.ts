import { describe, expect, test } from 'vitest';
import { bench, CONTACTS, createContact, TASKS, taskBody } from './support.ts';

const UNIQUE = { settings: { uniqueTaskProperties: ['lead_handoff_id'] } };

describe('tasks as HubSpot serves them', () => {
  test('a created task answers 201 and is read with its contact', async () => {
    const b = bench();
    const contact = await createContact(b, { email: 'lead@example.org' });
    const created = await b.hubspot('POST', TASKS, taskBody(contact, { hs_task_status: 'NOT_STARTED' }));
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({ id: '1002', properties: { hs_task_subject: 'Call the lead' } });

    const read = await b.hubspot('GET', `${TASKS}/1002?properties=hs_task_status&associations=contacts`);
    const fromContact = await b.hubspot('GET', `${CONTACTS}/${contact}?associations=tasks`);

    expect(read.json.properties).toEqual({
      hs_task_status: 'NOT_STARTED',
      hs_createdate: '2026-03-01T09:00:00.000Z',
      hs_lastmodifieddate: '2026-03-01T09:00:00.000Z',
      hs_object_id: '1002',
    });
    expect(read.json.associations).toEqual({
      contacts: { results: [{ id: contact, type: 'task_to_contact' }] },
    });
    expect(fromContact.json.associations).toEqual({
      tasks: { results: [{ id: '1002', type: 'contact_to_task' }] },
    });
  });

  test('a due time in milliseconds is stored as ISO time', async () => {
    const b = bench();
    const contact = await createContact(b, { email: 'lead@example.org' });
    const created = await b.hubspot('POST', TASKS, taskBody(contact, { hs_timestamp: '1772442000000' }));
    expect(created.json.properties.hs_timestamp).toBe('2026-03-02T09:00:00.000Z');
  });

  test('a task without a due time is refused', async () => {
    const b = bench();
    const refused = await b.hubspot('POST', TASKS, { properties: { hs_task_subject: 'x' } });
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({
      message: 'Error creating TASK. Some required properties were not set.',
      category: 'VALIDATION_ERROR',
      context: { properties: ['hs_timestamp'] },
    });
  });

  test.each([
    ['to nobody', '999', 204],
    ['of another type', '1001', 279],
  ])('an association %s is refused and no task is made', async (_, id, associationTypeId) => {
    const b = bench();
    await createContact(b, { email: 'lead@example.org' });
    const refused = await b.hubspot('POST', TASKS, {
      ...taskBody(id),
      associations: [{ to: { id }, types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId }] }],
    });
    const inspected = await b.control('GET', '/inspect');
    expect(refused.status).toBe(400);
    expect(inspected.json.tasks).toEqual([]);
  });

  test('updates, archives, and answers 404 after that', async () => {
    const b = bench();
    const contact = await createContact(b, { email: 'lead@example.org' });
    const { id } = (await b.hubspot('POST', TASKS, taskBody(contact))).json;
    const patched = await b.hubspot('PATCH', `${TASKS}/${id}`, {
      properties: { hs_task_status: 'COMPLETED' },
    });
    const deleted = await b.hubspot('DELETE', `${TASKS}/${id}`);
    const gone = await b.hubspot('GET', `${TASKS}/${id}`);
    const asked = await b.hubspot('GET', `${TASKS}/${id}?archived=true&properties=hs_task_status`);
    const late = await b.hubspot('PATCH', `${TASKS}/${id}`, { properties: { hs_task_status: 'WAITING' } });
    expect([patched.status, deleted.status, gone.status, late.status]).toEqual([200, 204, 404, 404]);
    expect(asked.json).toMatchObject({ archived: true, properties: { hs_task_status: 'COMPLETED' } });
  });

  test('lists by page', async () => {
    const b = bench();
    const contact = await createContact(b, { email: 'lead@example.org' });
    await b.hubspot('POST', TASKS, taskBody(contact));
    await b.hubspot('POST', TASKS, taskBody(contact));
    const listed = await b.hubspot('GET', `${TASKS}?limit=1`);
    expect(listed.json.results).toHaveLength(1);
    expect(listed.json.paging.next.after).toBe('1');
  });
});

describe('a unique task property', () => {
  test('finds the task by its value', async () => {
    const b = bench(UNIQUE);
    const contact = await createContact(b, { email: 'lead@example.org' });
    const { id } = (await b.hubspot('POST', TASKS, taskBody(contact, { lead_handoff_id: 'r/1/create-task' })))
      .json;
    const path = `${TASKS}/${encodeURIComponent('r/1/create-task')}?idProperty=lead_handoff_id`;
    const read = await b.hubspot('GET', path);
    const patched = await b.hubspot('PATCH', path, { properties: { hs_task_subject: 'New' } });
    const absent = await b.hubspot('GET', `${TASKS}/r%2F2?idProperty=lead_handoff_id`);
    expect(read.json.id).toBe(id);
    expect(patched.json.properties.hs_task_subject).toBe('New');
    expect(absent.status).toBe(404);
  });

  test('refuses a second task with the same value, and frees it when the first is archived', async () => {
    const b = bench(UNIQUE);
    const contact = await createContact(b, { email: 'lead@example.org' });
    const body = taskBody(contact, { lead_handoff_id: 'r/1/create-task' });
    const first = await b.hubspot('POST', TASKS, body);
    const second = await b.hubspot('POST', TASKS, body);
    await b.hubspot('DELETE', `${TASKS}/${first.json.id}`);
    const third = await b.hubspot('POST', TASKS, body);
    expect(second.status).toBe(409);
    expect(second.json).toMatchObject({
      category: 'CONFLICT',
      message: `Task already exists. Existing ID: ${first.json.id}`,
    });
    expect(third.status).toBe(201);
  });

  test('can answer a duplicate with the validation error that portals have been seen to send', async () => {
    const b = bench({ settings: { ...UNIQUE.settings, uniqueConflictStatus: 400 } });
    const contact = await createContact(b, { email: 'lead@example.org' });
    const body = taskBody(contact, { lead_handoff_id: 'r/1/create-task' });
    await b.hubspot('POST', TASKS, body);
    const second = await b.hubspot('POST', TASKS, body);
    expect(second.status).toBe(400);
    expect(second.json.category).toBe('VALIDATION_ERROR');
    expect(second.json.message).toContain('"error":"CONFLICTING_UNIQUE_VALUE"');
  });

  test('that the portal does not have is a validation error, to write and to read by', async () => {
    const b = bench();
    const contact = await createContact(b, { email: 'lead@example.org' });
    const written = await b.hubspot('POST', TASKS, taskBody(contact, { lead_handoff_id: 'x' }));
    const read = await b.hubspot('GET', `${TASKS}/x?idProperty=lead_handoff_id`);
    expect([written.status, read.status]).toEqual([400, 400]);
  });
});

describe('property definitions', () => {
  test('tell whether the portal has the property, and make it', async () => {
    const b = bench();
    const before = await b.hubspot('GET', '/crm/v3/properties/tasks/lead_handoff_id');
    const definition = {
      name: 'lead_handoff_id',
      label: 'Lead handoff',
      groupName: 'task',
      type: 'string',
      fieldType: 'text',
      hasUniqueValue: true,
    };
    const created = await b.hubspot('POST', '/crm/v3/properties/tasks', definition);
    const again = await b.hubspot('POST', '/crm/v3/properties/tasks', definition);
    const after = await b.hubspot('GET', '/crm/v3/properties/0-27/lead_handoff_id');
    const all = await b.hubspot('GET', '/crm/v3/properties/contacts');
    expect([before.status, created.status, again.status]).toEqual([404, 201, 409]);
    expect(after.json).toMatchObject({
      name: 'lead_handoff_id',
      hasUniqueValue: true,
      hubspotDefined: false,
    });
    expect(all.json.results.map((one: { name: string }) => one.name)).toContain('hs_email_optout');
  });

  test('of contacts can be added too, and then be written', async () => {
    const b = bench();
    const definition = {
      name: 'lead_source_id',
      label: 'x',
      groupName: 'contactinformation',
      type: 'string',
      fieldType: 'text',
    };
    await b.hubspot('POST', '/crm/v3/properties/contacts', definition);
    const written = await b.hubspot('POST', CONTACTS, {
      properties: { email: 'a@example.org', lead_source_id: '7' },
    });
    const unknownType = await b.hubspot('GET', '/crm/v3/properties/deals');
    const incomplete = await b.hubspot('POST', '/crm/v3/properties/contacts', { name: 'x' });
    expect(written.json.properties.lead_source_id).toBe('7');
    expect([unknownType.status, incomplete.status]).toEqual([400, 400]);
  });
});
