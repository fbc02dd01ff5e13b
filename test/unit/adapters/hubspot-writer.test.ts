import { afterEach, describe, expect, it } from 'vitest';
import { hubspotWriter } from '../../../functions/adapters/hubspot/writer.ts';
import { SecretUnavailable } from '../../../functions/adapters/secrets.ts';
import type { WriteCall } from '../../../functions/ports/contacts.ts';
import type { TaskBody } from '../../../functions/ports/tasks.ts';
import { type Answer, answering, deadPort, type WireServer, wireServer } from './wire-server.ts';

const NOW = Date.UTC(2026, 0, 5, 12);
const CALL: WriteCall = { identity: 'web/req-1/upsert-contact', deadline: NOW + 60_000 };
const JANE = { email: 'jane@example.com', firstname: 'Jane', phone: '+49 30 1' };
const TASK: TaskBody = {
  contactId: '501',
  ownerId: '71',
  stamp: 'web/req-1/create-task',
  subject: 'Call Jane',
  body: 'Jane asked for a call.',
  dueAt: Date.UTC(2026, 0, 6, 9, 30),
};

const open: WireServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serving(...answers: Answer[]): Promise<WireServer> {
  const server = await answering(...answers);
  open.push(server);
  return server;
}

function writer(baseUrl: string, over: Partial<Parameters<typeof hubspotWriter>[0]> = {}) {
  return hubspotWriter({
    baseUrl,
    token: async () => 'sesame',
    timeoutMs: 5_000,
    clock: () => NOW,
    ...over,
  });
}

/** Creates Jane against one answer, and looks for her and the credential in what comes out. */
async function outcomeOf(answer: Answer) {
  const server = await serving(answer);
  const outcome = await writer(server.url).createContact(JANE, CALL);
  expect(server.requests).toHaveLength(1);
  expect(JSON.stringify(outcome)).not.toMatch(/jane|49 30|sesame/i);
  return outcome;
}

describe('creating a contact', () => {
  it('is performed when HubSpot names the record', async () => {
    const server = await serving({ status: 201, json: { id: '501', properties: JANE } });

    const outcome = await writer(server.url).createContact(JANE, CALL);

    expect(outcome).toEqual({
      outcome: 'performed',
      evidence: {
        kind: 'receipt',
        destination: 'hubspot',
        recordId: '501',
        readAt: NOW,
        facts: { status: 201 },
      },
    });
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/crm/v3/objects/contacts' });
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sesame');
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ properties: JANE });
  });

  it('that meets an existing contact asks to be read back', async () => {
    const outcome = await outcomeOf({
      status: 409,
      json: { status: 'error', message: 'Contact already exists. Existing ID: 501', category: 'CONFLICT' },
    });

    expect(outcome).toEqual({ outcome: 'unknown', reason: 'already-exists', conflict: true });
  });

  it.each<[Answer, number | undefined]>([
    [{ status: 429, headers: { 'retry-after': '11' } }, 11_000],
    [{ status: 429, headers: { 'Retry-After': 'Mon, 05 Jan 2026 12:00:30 GMT' } }, 30_000],
    [{ status: 429, text: '<html>slow down</html>' }, undefined],
  ])('is not applied when the rate is limited: %j', async (answer, retryAfterMs) => {
    expect(await outcomeOf(answer)).toEqual({
      outcome: 'not-applied',
      reason: 'rate-limited',
      requestLeft: true,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  });

  it.each<[string, Answer]>([
    ['status-500', { status: 500 }],
    ['status-502', { status: 502, text: '<html>Jane</html>' }],
    ['status-503', { status: 503, headers: { 'retry-after': '1' } }],
    ['status-504', { status: 504 }],
    ['status-302', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['status-204', { status: 204 }],
    ['status-408', { status: 408 }],
    ['status-423', { status: 423 }],
    ['status-477', { status: 477 }],
    ['unparsable', { status: 201, text: '<html>Welcome, Jane</html>' }],
    ['unparsable', { status: 200, json: { properties: JANE } }],
    ['unparsable', { status: 200, json: { id: 'jane@example.com' } }],
  ])('is unknown (%s) after %j', async (reason, answer) => {
    expect(await outcomeOf(answer)).toEqual({ outcome: 'unknown', reason });
  });

  it.each<[string, Answer]>([
    ['credentials', { status: 401 }],
    ['permissions', { status: 403 }],
    ['record-not-found', { status: 404 }],
    ['status-415', { status: 415 }],
    ['invalid-request', { status: 400 }],
    ['invalid-request', { status: 400, json: { status: 'error', message: 'jane@example.com is odd' } }],
    [
      'invalid-email',
      {
        status: 400,
        json: {
          status: 'error',
          message:
            'Property values were not valid: [{"isValid":false,"message":"Email address jane@example.com is invalid","error":"INVALID_EMAIL","name":"email"}]',
          category: 'VALIDATION_ERROR',
        },
      },
    ],
    [
      'invalid-phone',
      {
        status: 400,
        json: {
          status: 'error',
          message: 'x',
          errors: [{ message: '+49 30 1', code: 'X', context: { propertyName: ['phone'] } }],
        },
      },
    ],
    ['invalid-firstname', { status: 422, json: { message: 'x', errors: [{ in: 'firstname' }] } }],
    // A name that we did not send may be a value that a vendor put in the wrong place.
    ['invalid-request', { status: 400, json: { message: 'x', errors: [{ in: 'jane@example.com' }] } }],
  ])('is refused (%s) by %j', async (reason, answer) => {
    expect(await outcomeOf(answer)).toEqual({ outcome: 'refused', reason });
  });
});

describe('a write that gets no answer', () => {
  it('is not applied when the connection is refused', async () => {
    expect(await writer(`http://127.0.0.1:${await deadPort()}`).createContact(JANE, CALL)).toEqual({
      outcome: 'not-applied',
      reason: 'connect-refused',
      requestLeft: false,
    });
  });

  it('is not applied when the name does not resolve', async () => {
    expect(await writer('http://nowhere.invalid').createContact(JANE, CALL)).toEqual({
      outcome: 'not-applied',
      reason: 'resolve-failed',
      requestLeft: false,
    });
  });

  it('is not applied when TLS fails', async () => {
    const server = await wireServer(
      () => {},
      (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    );
    open.push(server);

    expect(await writer(`https://127.0.0.1:${server.port}`).createContact(JANE, CALL)).toEqual({
      outcome: 'not-applied',
      reason: 'tls-failed',
      requestLeft: false,
    });
  });

  it('is not applied when the deadline of the claim has passed', async () => {
    const server = await serving({ status: 500 });

    const outcome = await writer(server.url).update('501', JANE, { ...CALL, deadline: NOW });

    expect(outcome).toEqual({ outcome: 'not-applied', reason: 'deadline-passed', requestLeft: false });
    expect(server.connections()).toBe(0);
  });

  it('is not applied when the credential cannot be read', async () => {
    const server = await serving({ status: 500 });
    const token = () => Promise.reject(new SecretUnavailable('test/web/hubspot/write'));

    expect(await writer(server.url, { token }).createContact(JANE, CALL)).toEqual({
      outcome: 'not-applied',
      reason: 'secret-unavailable',
      requestLeft: false,
    });
    expect(server.connections()).toBe(0);
  });

  it('is not applied when the credential takes longer than the claim lasts', async () => {
    const server = await serving({ status: 500 });
    const token = () => new Promise<string>(() => {});

    const outcome = await writer(server.url, { token }).createContact(JANE, { ...CALL, deadline: NOW + 50 });

    expect(outcome).toEqual({ outcome: 'not-applied', reason: 'deadline-passed', requestLeft: false });
    expect(server.connections()).toBe(0);
  });

  it('ends with the claim, when that is before the time of a call', async () => {
    const server = await wireServer(() => {});
    open.push(server);

    const outcome = await writer(server.url).createContact(JANE, { ...CALL, deadline: NOW + 1_000 });

    expect(outcome).toEqual({ outcome: 'unknown', reason: 'timeout' });
    expect(server.requests).toHaveLength(1);
  });

  it('is unknown after a reset', async () => {
    const server = await wireServer((socket) => socket.resetAndDestroy());
    open.push(server);

    expect(await writer(server.url).createContact(JANE, CALL)).toEqual({
      outcome: 'unknown',
      reason: 'connection-reset',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('is unknown after an answer that is no HTTP', async () => {
    const server = await wireServer((socket) => socket.end('hello\r\n\r\n'));
    open.push(server);

    expect(await writer(server.url).createContact(JANE, CALL)).toEqual({
      outcome: 'unknown',
      reason: 'unparsable',
    });
  });
});

describe('changing a contact', () => {
  it('patches what it is given, and follows the survivor of a merge', async () => {
    const server = await serving({ status: 200, json: { id: '777', properties: {} } });

    const outcome = await writer(server.url).update('501', { phone: '+49 30 1' }, CALL);

    expect(outcome).toMatchObject({ outcome: 'performed', evidence: { recordId: '777' } });
    expect(server.requests[0]).toMatchObject({
      method: 'PATCH',
      path: '/crm/v3/objects/contacts/501',
      body: '{"properties":{"phone":"+49 30 1"}}',
    });
  });

  it('is refused when its email belongs to another contact', async () => {
    const server = await serving({ status: 409 });

    expect(await writer(server.url).update('501', JANE, CALL)).toEqual({
      outcome: 'refused',
      reason: 'conflict',
    });
  });

  it('sets the owner', async () => {
    const server = await serving({
      status: 200,
      json: { id: '501', properties: { hubspot_owner_id: '71', email: 'jane@example.com' } },
    });

    const outcome = await writer(server.url).setOwner('501', '71', CALL);

    expect(outcome).toMatchObject({
      outcome: 'performed',
      evidence: { recordId: '501', facts: { status: 200, ownerId: '71' } },
    });
    expect(server.requests[0]?.body).toBe('{"properties":{"hubspot_owner_id":"71"}}');
    expect(JSON.stringify(outcome)).not.toContain('jane');
  });

  it('does not claim an owner that the answer contradicts', async () => {
    const server = await serving({
      status: 200,
      json: { id: '501', properties: { hubspot_owner_id: '82' } },
    });

    expect(await writer(server.url).setOwner('501', '71', CALL)).toEqual({
      outcome: 'unknown',
      reason: 'owner-differs',
    });
  });
});

describe('creating a task', () => {
  it('stamps the text and ties the task to the contact', async () => {
    const server = await serving({
      status: 201,
      json: { id: '9001', properties: { hubspot_owner_id: '71' } },
    });

    const outcome = await writer(server.url).createTask(TASK, CALL);

    expect(outcome).toMatchObject({ outcome: 'performed', evidence: { recordId: '9001' } });
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/crm/v3/objects/tasks' });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      properties: {
        hs_timestamp: '2026-01-06T09:30:00.000Z',
        hs_task_subject: 'Call Jane',
        hs_task_body: 'Jane asked for a call.<br><br>Reference: web/req-1/create-task lhbe71c79158da84622d48',
        hs_task_status: 'NOT_STARTED',
        hs_task_type: 'TODO',
        hubspot_owner_id: '71',
      },
      associations: [
        { to: { id: '501' }, types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 204 }] },
      ],
    });
  });

  it('gives the token to the unique property, and no owner where there is none', async () => {
    const server = await serving({ status: 201, json: { id: '9001' } });

    await writer(server.url, { taskUniqueProperty: 'handoff_stamp' }).createTask(
      { ...TASK, ownerId: null },
      CALL,
    );

    const { properties } = JSON.parse(server.requests[0]?.body ?? '');
    expect(properties.handoff_stamp).toBe('lhbe71c79158da84622d48');
    expect(properties).not.toHaveProperty('hubspot_owner_id');
  });

  it.each<Answer>([
    { status: 409, json: { message: 'Task already exists. Existing ID: 9001' } },
    {
      status: 400,
      json: {
        message:
          'Property values were not valid: [{"isValid":false,"message":"9001 already has that value.","error":"CONFLICTING_UNIQUE_VALUE","name":"handoff_stamp"}]',
      },
    },
  ])('that exists already says so: %j', async (answer) => {
    const server = await serving(answer);

    const outcome = await writer(server.url, { taskUniqueProperty: 'handoff_stamp' }).createTask(TASK, CALL);

    expect(outcome).toMatchObject({ outcome: 'unknown', reason: 'already-exists' });
  });
});

it('uses a new connection for every write', async () => {
  const server = await serving({ status: 200, json: { id: '501' }, headers: { connection: 'keep-alive' } });
  const hubspot = writer(server.url);

  for (let i = 0; i < 3; i++) await hubspot.update('501', JANE, CALL);

  expect(server.requests).toHaveLength(3);
  expect(server.connections()).toBe(3);
});
