import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SandboxServer, startSandboxServer } from '../../../functions/sandbox/server.ts';
import { EMAIL, SECRET } from './support.ts';

/** Long enough to be told from an immediate answer on a busy machine. */
const DELAY_MS = 250;

let server: SandboxServer;

beforeEach(async () => {
  server = await startSandboxServer({ port: 0, bearer: SECRET });
});
afterEach(() => server.close());

function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
}

const send = (signal?: AbortSignal) => post('/resend/emails', EMAIL, signal);
const plan = (fault: Record<string, unknown>) => post('/faults', { operation: 'send-email', ...fault });

async function sentCount(): Promise<number> {
  const inspected = (await (await fetch(`${server.url}/inspect`)).json()) as { emails: unknown[] };
  return inspected.emails.length;
}

async function outcome(work: Promise<unknown>, withinMs: number): Promise<'settled' | 'pending'> {
  const settled = work.then(
    () => 'settled' as const,
    () => 'settled' as const,
  );
  return Promise.race([settled, sleep(withinMs, 'pending' as const)]);
}

describe('over a real socket', () => {
  test('without a fault the answer comes', async () => {
    const answer = await send();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.headers.get('content-length')).toBe(String((await answer.text()).length));
  });

  test('apply-then-drop: the connection ends without an answer, the message is out', async () => {
    await plan({ kind: 'apply-then-drop' });
    await expect(send()).rejects.toThrow('fetch failed');
    expect(await sentCount()).toBe(1);
  });

  test('drop: the connection ends without an answer, nothing is out', async () => {
    await plan({ kind: 'drop' });
    await expect(send()).rejects.toThrow('fetch failed');
    expect(await sentCount()).toBe(0);
  });

  test('hang: no answer, nothing is out, and the client has to give up', async () => {
    await plan({ kind: 'hang' });
    await expect(send(AbortSignal.timeout(DELAY_MS))).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(await sentCount()).toBe(0);
  });

  test('land-late: no answer, and the message goes out after the client gave up', async () => {
    await plan({ kind: 'land-late', delayMs: DELAY_MS });
    await expect(send()).rejects.toThrow('fetch failed');
    const atOnce = await sentCount();
    await expect.poll(sentCount, { timeout: 5_000, interval: 25 }).toBe(1);
    expect(atOnce).toBe(0);
  });

  test('delay: the message is out before its answer comes', async () => {
    await plan({ kind: 'delay', delayMs: DELAY_MS });
    const answer = send();
    await expect.poll(sentCount, { timeout: 5_000, interval: 10 }).toBe(1);
    const early = await outcome(answer, 0);
    expect(early).toBe('pending');
    expect((await answer).status).toBe(200);
  });

  test('slow-body: the headers come first, the whole body later', async () => {
    await plan({ kind: 'slow-body', delayMs: DELAY_MS });
    const answer = await send();
    const body = answer.text();
    const early = await outcome(body, 0);
    expect(answer.status).toBe(200);
    expect(early).toBe('pending');
    expect(JSON.parse(await body)).toEqual({ id: expect.any(String) });
  });

  test('garbage: status 200, and the body is no JSON', async () => {
    await plan({ kind: 'garbage' });
    const answer = await send();
    expect(answer.status).toBe(200);
    await expect(answer.json()).rejects.toThrow(SyntaxError);
    expect(await sentCount()).toBe(1);
  });

  test('status: the planned answer, nothing is out', async () => {
    await plan({ kind: 'status', status: 503, headers: { 'retry-after': '3' }, body: { name: 'down' } });
    const answer = await send();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '3']);
    expect(await answer.json()).toEqual({ name: 'down' });
    expect(await sentCount()).toBe(0);
  });

  test('person-sets-owner: somebody is faster than our write', async () => {
    const created = (await (
      await post('/hubspot/crm/v3/objects/contacts', { properties: { email: 'lead@example.org' } })
    ).json()) as { id: string };
    await post('/faults', { operation: 'set-owner', kind: 'person-sets-owner', ownerId: '82' });
    await fetch(`${server.url}/hubspot/crm/v3/objects/contacts/${created.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${SECRET}` },
      body: JSON.stringify({ properties: { hubspot_owner_id: '71' } }),
    });
    const inspected = await (await fetch(`${server.url}/inspect`)).json();
    expect(inspected).toMatchObject({
      contacts: [{ ownerHistory: [{ value: '71' }, { value: '82', sourceType: 'CRM_UI' }] }],
    });
  });
});
