import { describe, expect, test } from 'vitest';
import { bench, CONTACTS, createContact, EMAIL, TASKS, taskBody } from './support.ts';

describe('search lag', () => {
  test('hides a new task from the search, not from a read by id', async () => {
    const b = bench({ settings: { searchLagMs: 30_000 } });
    const contact = await createContact(b, { email: 'lead@example.org' });
    const { id } = (await b.hubspot('POST', TASKS, taskBody(contact))).json;

    const atOnce = await b.hubspot('POST', `${TASKS}/search`, {});
    const byId = await b.hubspot('GET', `${TASKS}/${id}`);
    b.pass(29_999);
    const tooEarly = await b.hubspot('POST', `${TASKS}/search`, {});
    b.pass(1);
    const inTime = await b.hubspot('POST', `${TASKS}/search`, {});

    expect(byId.status).toBe(200);
    expect([atOnce.json.total, tooEarly.json.total, inTime.json.total]).toEqual([0, 0, 1]);
  });

  test('shows a changed record as it was, and an archived one as if it were there', async () => {
    const b = bench({ settings: { searchLagMs: 30_000 } });
    const id = await createContact(b, { email: 'lead@example.org', city: 'Lyon' });
    b.pass(60_000);
    await b.hubspot('PATCH', `${CONTACTS}/${id}`, { properties: { city: 'Nice' } });
    const stale = await b.hubspot('POST', `${CONTACTS}/search`, { properties: ['city'] });
    b.pass(30_000);
    const fresh = await b.hubspot('POST', `${CONTACTS}/search`, { properties: ['city'] });
    await b.hubspot('DELETE', `${CONTACTS}/${id}`);
    const ghost = await b.hubspot('POST', `${CONTACTS}/search`, {});
    expect(stale.json.results[0].properties.city).toBe('Lyon');
    expect(fresh.json.results[0].properties.city).toBe('Nice');
    expect(ghost.json.total).toBe(1);
  });
});

describe('key-read lag', () => {
  test('hides a new contact from reads by id and email, while a second create already conflicts', async () => {
    const b = bench({ settings: { keyReadLagMs: 500 } });
    const id = await createContact(b, { email: 'lead@example.org' });
    const byId = await b.hubspot('GET', `${CONTACTS}/${id}`);
    const byEmail = await b.hubspot('GET', `${CONTACTS}/lead@example.org?idProperty=email`);
    const again = await b.hubspot('POST', CONTACTS, { properties: { email: 'lead@example.org' } });
    b.pass(500);
    const later = await b.hubspot('GET', `${CONTACTS}/lead@example.org?idProperty=email`);
    expect([byId.status, byEmail.status, again.status, later.status]).toEqual([404, 404, 409, 200]);
  });

  test('shows yesterday’s owner and history for a while', async () => {
    const b = bench({ settings: { keyReadLagMs: 500 } });
    const id = await createContact(b, { email: 'lead@example.org', hubspot_owner_id: '71' });
    b.pass(10_000);
    await b.control('POST', '/people/set-owner', { contactId: id, ownerId: '82' });
    const stale = await b.hubspot('GET', `${CONTACTS}/${id}?propertiesWithHistory=hubspot_owner_id`);
    b.pass(500);
    const fresh = await b.hubspot('GET', `${CONTACTS}/${id}?propertiesWithHistory=hubspot_owner_id`);
    expect(stale.json.properties.hubspot_owner_id).toBe('71');
    expect(stale.json.propertiesWithHistory.hubspot_owner_id).toHaveLength(1);
    expect(fresh.json.properties.hubspot_owner_id).toBe('82');
  });

  test('hides a new message from Resend’s list and from a read by id', async () => {
    const b = bench({ settings: { keyReadLagMs: 500 } });
    const { id } = (await b.resend('POST', '/emails', EMAIL)).json;
    const early = [await b.resend('GET', '/emails'), await b.resend('GET', `/emails/${id}`)];
    b.pass(500);
    const late = [await b.resend('GET', '/emails'), await b.resend('GET', `/emails/${id}`)];
    expect([early[0]?.json.data.length, early[1]?.status]).toEqual([0, 404]);
    expect([late[0]?.json.data.length, late[1]?.status]).toEqual([1, 200]);
  });
});
