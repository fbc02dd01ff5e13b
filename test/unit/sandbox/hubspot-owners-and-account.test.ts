import { describe, expect, test } from 'vitest';
import { bench, SECRET } from './support.ts';

describe('owners', () => {
  test('are read by id and by user id', async () => {
    const b = bench();
    const byId = await b.hubspot('GET', '/crm/v3/owners/71');
    const byUser = await b.hubspot('GET', '/crm/v3/owners/7101?idProperty=userId');
    const nobody = await b.hubspot('GET', '/crm/v3/owners/5');
    expect(byId.json).toMatchObject({
      id: '71',
      email: 'ada.berg@sales.example.com',
      firstName: 'Ada',
      lastName: 'Berg',
      userId: 7101,
      archived: false,
    });
    expect(byUser.json.id).toBe('71');
    expect(nobody.status).toBe(404);
  });

  test('are listed by page and by email', async () => {
    const b = bench();
    const first = await b.hubspot('GET', '/crm/v3/owners/?limit=2');
    const second = await b.hubspot('GET', `/crm/v3/owners?limit=2&after=${first.json.paging.next.after}`);
    const byEmail = await b.hubspot('GET', '/crm/v3/owners?email=ben.okoro%40sales.example.com');
    expect(first.json.results.map((one: { id: string }) => one.id)).toEqual(['71', '82']);
    expect(second.json.results.map((one: { id: string }) => one.id)).toEqual(['93']);
    expect(byEmail.json.results.map((one: { id: string }) => one.id)).toEqual(['82']);
  });

  test('who left are archived, and take no leads', async () => {
    const b = bench();
    await b.control('POST', '/people/archive-owner', { ownerId: '82' });
    const read = await b.hubspot('GET', '/crm/v3/owners/82');
    const asked = await b.hubspot('GET', '/crm/v3/owners/82?archived=true');
    const assigned = await b.hubspot('POST', '/crm/v3/objects/contacts', {
      properties: { email: 'lead@example.org', hubspot_owner_id: '82' },
    });
    expect([read.status, asked.status, assigned.status]).toEqual([404, 200, 400]);
  });
});

describe('what a client checks its credentials with', () => {
  test.each([
    [`${SECRET}.read`, 2000002, false],
    [`${SECRET}.write`, 2000003, true],
    [SECRET, 2000001, true],
  ])('the token %s tells its app and its scopes, without a header', async (tokenKey, appId, mayWrite) => {
    const b = bench();
    const info = await b.request('POST', '/hubspot/oauth/v2/private-apps/get/access-token-info', {
      tokenKey,
    });
    expect(info.status).toBe(200);
    expect(info.json).toMatchObject({ hubId: 1000001, appId });
    expect(info.json.scopes).toContain('crm.objects.contacts.read');
    expect(info.json.scopes.includes('crm.objects.contacts.write')).toBe(mayWrite);
  });

  test('an unknown token is refused', async () => {
    const b = bench();
    const info = await b.request('POST', '/hubspot/oauth/v2/private-apps/get/access-token-info', {
      tokenKey: 'x',
    });
    expect(info.status).toBe(401);
    expect(info.json.category).toBe('INVALID_AUTHENTICATION');
  });

  test('the account names its portal', async () => {
    const b = bench({ settings: { portalId: 42 } });
    const account = await b.hubspot('GET', '/account-info/v3/details');
    expect(account.json).toMatchObject({ portalId: 42, accountType: 'DEVELOPER_TEST', utcOffset: '+01:00' });
  });
});
