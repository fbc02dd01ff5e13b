import { afterEach, describe, expect, it } from 'vitest';
import { hubspotReader } from '../../../functions/adapters/hubspot/reader.ts';
import { DestinationUnreadable } from '../../../functions/ports/destination-unreadable.ts';
import { type Answer, answering, deadPort, type WireServer, wireServer } from './wire-server.ts';

const open: WireServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serving(...answers: Answer[]): Promise<WireServer> {
  const server = await answering(...answers);
  open.push(server);
  return server;
}

function reader(baseUrl: string, over: Partial<Parameters<typeof hubspotReader>[0]> = {}) {
  return hubspotReader({
    baseUrl,
    token: async () => 'sesame',
    timeoutMs: 5_000,
    clock: Date.now,
    ...over,
  });
}

const NOT_FOUND: Answer = {
  status: 404,
  json: { status: 'error', message: 'Object not found.', category: 'OBJECT_NOT_FOUND' },
};

const JANE = {
  id: '501',
  archived: false,
  properties: {
    email: 'jane@example.com',
    firstname: 'Jane',
    lastname: '',
    company: null,
    hubspot_owner_id: '82',
    hs_email_optout: 'true',
  },
  propertiesWithHistory: {
    hubspot_owner_id: [
      { value: '71', timestamp: '2026-01-05T10:00:00.000Z', sourceType: 'INTEGRATION', sourceId: '1' },
      { value: '82', timestamp: '2026-01-05T12:00:00.500Z', sourceType: 'CRM_UI', sourceId: 'userId:7' },
      { value: '', timestamp: '2026-01-05T11:00:00Z', sourceType: 'said jane@example.com' },
    ],
  },
};

function query(server: WireServer, index: number): URLSearchParams {
  return new URL(server.requests[index]?.path ?? '', 'http://x').searchParams;
}

describe('a contact by email', () => {
  it('comes with its values, its owner and the owner history, newest first', async () => {
    const server = await serving({ status: 200, json: JANE });

    const contact = await reader(server.url).findByEmail(' Jane@Example.com ');

    expect(contact).toEqual({
      id: '501',
      archived: false,
      email: 'jane@example.com',
      properties: {
        email: 'jane@example.com',
        firstname: 'Jane',
        hubspot_owner_id: '82',
        hs_email_optout: 'true',
      },
      ownerId: '82',
      ownerHistory: [
        { ownerId: '82', at: Date.UTC(2026, 0, 5, 12, 0, 0, 500), source: 'CRM_UI' },
        { ownerId: null, at: Date.UTC(2026, 0, 5, 11), source: 'UNKNOWN' },
        { ownerId: '71', at: Date.UTC(2026, 0, 5, 10), source: 'INTEGRATION' },
      ],
      optedOut: true,
    });
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests;
    expect(request?.method).toBe('GET');
    expect(request?.path.split('?')[0]).toBe('/crm/v3/objects/contacts/jane@example.com');
    expect(request?.headers.authorization).toBe('Bearer sesame');
    expect(query(server, 0).get('idProperty')).toBe('email');
    expect(query(server, 0).get('propertiesWithHistory')).toBe('hubspot_owner_id');
    expect(query(server, 0).get('properties')?.split(',')).toEqual(
      expect.arrayContaining(['email', 'firstname', 'hubspot_owner_id', 'hs_email_optout', 'hs_language']),
    );
  });

  it('keeps what a path cannot hold encoded', async () => {
    const server = await serving({ status: 200, json: JANE });

    await reader(server.url).findByEmail('a/b?c+d@example.com');

    expect(server.requests[0]?.path.split('?')[0]).toBe('/crm/v3/objects/contacts/a%2Fb%3Fc%2Bd@example.com');
  });

  it('is looked for among the archived when it is not among the living', async () => {
    const server = await serving(NOT_FOUND, { status: 200, json: { ...JANE, archived: true } });

    expect(await reader(server.url).findByEmail('jane@example.com')).toMatchObject({
      id: '501',
      archived: true,
    });
    expect([query(server, 0).get('archived'), query(server, 1).get('archived')]).toEqual(['false', 'true']);
  });

  it('is null when HubSpot knows neither', async () => {
    const server = await serving(NOT_FOUND);

    expect(await reader(server.url).findByEmail('jane@example.com')).toBeNull();
    expect(server.requests).toHaveLength(2);
  });
});

describe('a contact by id', () => {
  it('is the survivor of a merge', async () => {
    const server = await serving({ status: 200, json: { ...JANE, id: '777' } });

    expect(await reader(server.url).findById('501')).toMatchObject({ id: '777' });
    expect(server.requests[0]?.path).toMatch(/^\/crm\/v3\/objects\/contacts\/501\?/);
    expect(query(server, 0).has('idProperty')).toBe(false);
  });
});

describe('an owner', () => {
  it('has a name and an address', async () => {
    const server = await serving({
      status: 200,
      json: { id: '71', firstName: 'Ada', lastName: 'Berg', email: 'ada@example.com', archived: false },
    });

    expect(await reader(server.url).findOwner('71')).toEqual({
      id: '71',
      name: 'Ada Berg',
      email: 'ada@example.com',
    });
    expect(server.requests[0]?.path).toBe('/crm/v3/owners/71?idProperty=id&archived=false');
  });

  it('who was deactivated or never was is null', async () => {
    const gone = await serving({ status: 200, json: { id: '71', archived: true } });
    const never = await serving(NOT_FOUND);

    expect(await reader(gone.url).findOwner('71')).toBeNull();
    expect(await reader(never.url).findOwner('72')).toBeNull();
  });
});

describe('a task', () => {
  const stamp = 'web/req-1/create-task';
  const token = 'lhbe71c79158da84622d48';
  const carrying = (id: string, createdAt: string, body = `Reference: ${stamp} ${token}`) => ({
    id,
    properties: { hs_task_body: body, hs_createdate: createdAt },
  });
  const whole = {
    id: '9001',
    archived: false,
    properties: { hs_task_status: 'COMPLETED' },
    associations: {
      contacts: { results: [{ id: '501', type: 'a' }, { id: '501', type: 'b' }, { id: '502' }] },
    },
  };

  it('is found by its token, among words that only look alike, and read whole', async () => {
    const server = await serving(
      {
        status: 200,
        json: {
          results: [
            carrying('1', '2026-01-01T00:00:00Z', 'another text'),
            carrying('9002', '2026-01-05T12:00:01Z'),
            carrying('9001', '2026-01-05T12:00:00Z'),
          ],
        },
      },
      { status: 200, json: whole },
    );

    const task = await reader(server.url).findByStamp(stamp);

    expect(task).toEqual({ id: '9001', archived: false, completed: true, contactIds: ['501', '502'] });
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/crm/v3/objects/tasks/search' });
    expect(JSON.parse(server.requests[0]?.body ?? '').filterGroups).toEqual([
      { filters: [{ propertyName: 'hs_task_body', operator: 'CONTAINS_TOKEN', value: token }] },
    ]);
    expect(server.requests[1]?.path).toMatch(/^\/crm\/v3\/objects\/tasks\/9001\?/);
    expect(query(server, 1).get('associations')).toBe('contacts');
  });

  it('that was archived since the search is still found', async () => {
    const server = await serving(
      { status: 200, json: { results: [carrying('9001', '2026-01-05T12:00:00Z')] } },
      NOT_FOUND,
      { status: 200, json: { ...whole, archived: true, associations: undefined } },
    );

    expect(await reader(server.url).findByStamp(stamp)).toMatchObject({ archived: true, contactIds: [] });
  });

  it('is looked for on every page', async () => {
    const server = await serving(
      {
        status: 200,
        json: { results: [carrying('1', '2026', 'no')], paging: { next: { after: '100' } } },
      },
      { status: 200, json: { results: [carrying('9001', '2026')] } },
      { status: 200, json: whole },
    );

    expect(await reader(server.url).findByStamp(stamp)).toMatchObject({ id: '9001' });
    expect(JSON.parse(server.requests[1]?.body ?? '').after).toBe('100');
  });

  it('is null when nothing carries the stamp', async () => {
    const server = await serving({ status: 200, json: { results: [] } });

    expect(await reader(server.url).findByStamp(stamp)).toBeNull();
  });

  it('is not declared absent when there are more pages than are read', async () => {
    const server = await serving({
      status: 200,
      json: { results: [], paging: { next: { after: '100' } } },
    });

    await expect(reader(server.url).findByStamp(stamp)).rejects.toMatchObject({ code: 'page-cap' });
    expect(server.requests).toHaveLength(5);
  });

  it('is read by the unique property where the portal has one, archived or not', async () => {
    const server = await serving(NOT_FOUND, { status: 200, json: { ...whole, archived: true } });

    const task = await reader(server.url, { taskUniqueProperty: 'handoff_stamp' }).findByStamp(stamp);

    expect(task).toMatchObject({ id: '9001', archived: true });
    expect(server.requests[0]?.path.split('?')[0]).toBe(`/crm/v3/objects/tasks/${token}`);
    expect(query(server, 0).get('idProperty')).toBe('handoff_stamp');
    expect(query(server, 1).get('archived')).toBe('true');
  });
});

describe('HubSpot is unreadable', () => {
  async function codeOf(reading: Promise<unknown>): Promise<string> {
    const error = await reading.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DestinationUnreadable);
    const unreadable = error as DestinationUnreadable;
    expect(`${unreadable.message} ${unreadable.stack} ${JSON.stringify(unreadable)}`).not.toMatch(
      /jane|sesame|127\.0\.0\.1/i,
    );
    return unreadable.code;
  }

  it.each<[string, Answer]>([
    ['credentials', { status: 401 }],
    ['credentials', { status: 403 }],
    ['rate-limited', { status: 429 }],
    ['status-400', { status: 400, text: 'jane@example.com' }],
    ['status-500', { status: 500 }],
    ['status-503', { status: 503 }],
    ['status-204', { status: 204 }],
    ['status-302', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['unparsable', { status: 200, text: '<html>Jane</html>' }],
    ['unparsable', { status: 200, json: { id: '501' } }],
    ['unparsable', { status: 200, json: { ...JANE, id: 'jane@example.com' } }],
    // A 404 that HubSpot did not write proves no absence.
    ['status-404', { status: 404, text: '<html>nothing here</html>' }],
    ['status-404', { status: 404, json: { status: 'error', category: 'MIGRATION' } }],
  ])('with code %s after %j', async (code, answer) => {
    const server = await serving(answer);

    expect(await codeOf(reader(server.url).findByEmail('jane@example.com'))).toBe(code);
    expect(server.requests).toHaveLength(1);
  });

  it('when it cannot be reached', async () => {
    const refused = reader(`http://127.0.0.1:${await deadPort()}`);

    expect(await codeOf(refused.findByEmail('jane@example.com'))).toBe('connect-refused');
    expect(await codeOf(reader('http://nowhere.invalid').findById('1'))).toBe('resolve-failed');
  });

  it('when the connection is reset', async () => {
    const server = await wireServer((socket) => socket.resetAndDestroy());
    open.push(server);

    expect(await codeOf(reader(server.url).findByEmail('jane@example.com'))).toBe('connection-reset');
  });

  it('when the credential is missing or late', async () => {
    const server = await serving({ status: 200, json: JANE });
    const missing = reader(server.url, { token: () => Promise.reject(new Error('sesame')) });
    const late = reader(server.url, { token: () => new Promise(() => {}), timeoutMs: 50 });

    expect(await codeOf(missing.findByEmail('jane@example.com'))).toBe('secret-unavailable');
    expect(await codeOf(late.findByEmail('jane@example.com'))).toBe('timeout');
    expect(server.connections()).toBe(0);
  });

  it('when all requests of a read together take too long', async () => {
    let now = 1_000;
    const server = await wireServer((socket) => {
      now += 600;
      socket.end(`HTTP/1.1 404 Not Found\r\n\r\n${JSON.stringify(NOT_FOUND.json)}`);
    });
    open.push(server);
    const slow = reader(server.url, { timeoutMs: 500, clock: () => now });

    expect(await codeOf(slow.findByEmail('jane@example.com'))).toBe('timeout');
    expect(server.requests).toHaveLength(1);
  });
});
