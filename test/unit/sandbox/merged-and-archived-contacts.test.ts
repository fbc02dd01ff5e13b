import { describe, expect, test } from 'vitest';
import { bench, CONTACTS, createContact, TASKS, taskBody } from './support.ts';

describe('merged contacts', () => {
  async function merged() {
    const b = bench();
    const primary = await createContact(b, { email: 'kept@example.org', hubspot_owner_id: '71' });
    b.pass(1_000);
    const other = await createContact(b, { email: 'lost@example.org', hubspot_owner_id: '82', phone: '123' });
    const task = (await b.hubspot('POST', TASKS, taskBody(other))).json.id;
    b.pass(1_000);
    const merge = await b.hubspot('POST', `${CONTACTS}/merge`, {
      primaryObjectId: primary,
      objectIdToMerge: other,
    });
    return { b, primary, other, task, merge };
  }

  test('become a new record, to which both old ids and both addresses lead', async () => {
    const { b, primary, other, merge } = await merged();
    expect(merge.status).toBe(200);
    const survivor = merge.json.id;
    expect([primary, other]).not.toContain(survivor);

    for (const wanted of [
      primary,
      other,
      'kept@example.org?idProperty=email',
      'lost@example.org?idProperty=email',
    ]) {
      const read = await b.hubspot('GET', `${CONTACTS}/${wanted}`);
      expect(read.status).toBe(200);
      expect(read.json.id).toBe(survivor);
      expect(read.json.properties.hs_merged_object_ids).toBe(`${primary};${other}`);
    }
  });

  test("keep the primary's values, take the other's where the primary has none, and keep both histories", async () => {
    const { b, merge } = await merged();
    const read = await b.hubspot(
      'GET',
      `${CONTACTS}/${merge.json.id}?properties=email,phone,hs_additional_emails&propertiesWithHistory=hubspot_owner_id`,
    );
    expect(read.json.properties).toMatchObject({
      email: 'kept@example.org',
      phone: '123',
      hubspot_owner_id: '71',
      hs_additional_emails: 'lost@example.org',
    });
    const history = read.json.propertiesWithHistory.hubspot_owner_id;
    expect(
      history.map((entry: { value: string; sourceType: string }) => [entry.value, entry.sourceType]),
    ).toEqual([
      ['71', 'MERGE_CONTACTS'],
      ['82', 'INTEGRATION'],
      ['71', 'INTEGRATION'],
    ]);
  });

  test('take their tasks along, are found once, and cannot be created again', async () => {
    const { b, task, merge } = await merged();
    const read = await b.hubspot('GET', `${TASKS}/${task}?associations=contacts`);
    const found = await b.hubspot('POST', `${CONTACTS}/search`, {});
    const again = await b.hubspot('POST', CONTACTS, { properties: { email: 'lost@example.org' } });
    expect(read.json.associations.contacts.results).toEqual([{ id: merge.json.id, type: 'task_to_contact' }]);
    expect(found.json.total).toBe(1);
    expect(again.status).toBe(409);
    expect(again.json.message).toBe(`Contact already exists. Existing ID: ${merge.json.id}`);
  });

  test('are written through an old id, and merge on', async () => {
    const { b, other, merge } = await merged();
    const patched = await b.hubspot('PATCH', `${CONTACTS}/${other}`, { properties: { city: 'Lyon' } });
    const third = await createContact(b, { email: 'third@example.org' });
    const again = await b.control('POST', '/people/merge', { contactId: third, otherContactId: other });
    const read = await b.hubspot('GET', `${CONTACTS}/${other}?properties=city`);
    expect(patched.json.id).toBe(merge.json.id);
    expect(again.status).toBe(200);
    expect(read.json).toMatchObject({ id: again.json.id, properties: { city: 'Lyon' } });
  });

  test.each([
    ['with itself', { primaryObjectId: '1001', objectIdToMerge: '1001' }, 400],
    ['with nobody', { primaryObjectId: '1001', objectIdToMerge: '9' }, 404],
    ['without a primary', { objectIdToMerge: '1001' }, 400],
  ])('a merge %s is refused', async (_, body, status) => {
    const b = bench();
    await createContact(b, { email: 'lead@example.org' });
    const refused = await b.hubspot('POST', `${CONTACTS}/merge`, body);
    expect(refused.status).toBe(status);
  });
});

describe('archived contacts', () => {
  test('answer 404 unless archived ones are asked for, and live ones answer 404 when they are', async () => {
    const b = bench();
    const id = await createContact(b, { email: 'gone@example.org' });
    const live = await b.hubspot('GET', `${CONTACTS}/${id}?archived=true`);
    b.pass(5_000);
    const deleted = await b.hubspot('DELETE', `${CONTACTS}/${id}`);
    const again = await b.hubspot('DELETE', `${CONTACTS}/${id}`);

    const byId = await b.hubspot('GET', `${CONTACTS}/${id}`);
    const byEmail = await b.hubspot('GET', `${CONTACTS}/gone@example.org?idProperty=email`);
    const asked = await b.hubspot('GET', `${CONTACTS}/${id}?archived=true`);
    const askedByEmail = await b.hubspot(
      'GET',
      `${CONTACTS}/gone@example.org?idProperty=email&archived=true`,
    );

    expect(live.status).toBe(404);
    expect([deleted.status, again.status]).toEqual([204, 204]);
    expect([byId.status, byEmail.status]).toEqual([404, 404]);
    expect(asked.json).toMatchObject({ id, archived: true, archivedAt: '2026-03-01T09:00:05.000Z' });
    expect(askedByEmail.json.id).toBe(id);
  });

  test('take no writes, are not found by a search, and free their address', async () => {
    const b = bench();
    const id = await createContact(b, { email: 'gone@example.org' });
    await b.control('POST', '/people/archive', { contactId: id });
    const patched = await b.hubspot('PATCH', `${CONTACTS}/${id}`, { properties: { city: 'Lyon' } });
    const found = await b.hubspot('POST', `${CONTACTS}/search`, {});
    const recreated = await b.hubspot('POST', CONTACTS, { properties: { email: 'gone@example.org' } });
    expect(patched.status).toBe(404);
    expect(found.json.total).toBe(0);
    expect(recreated.status).toBe(201);
    expect(recreated.json.id).not.toBe(id);
    const live = await b.hubspot('GET', `${CONTACTS}/gone@example.org?idProperty=email`);
    const old = await b.hubspot('GET', `${CONTACTS}/gone@example.org?idProperty=email&archived=true`);
    expect([live.json.id, old.json.id]).toEqual([recreated.json.id, id]);
  });

  test('come back when a person restores them', async () => {
    const b = bench();
    const id = await createContact(b, { email: 'gone@example.org' });
    await b.control('POST', '/people/archive', { email: 'gone@example.org' });
    const restored = await b.control('POST', '/people/restore', { contactId: id });
    const read = await b.hubspot('GET', `${CONTACTS}/gone@example.org?idProperty=email`);
    expect(restored.json).toMatchObject({ id, archived: false });
    expect(read.json.id).toBe(id);
  });
});
