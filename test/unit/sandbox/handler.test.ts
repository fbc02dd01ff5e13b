import type { Context, LambdaFunctionURLEvent } from 'aws-lambda';
import { beforeEach, expect, test, vi } from 'vitest';
import { EMAIL } from './support.ts';

const { getSecret } = vi.hoisted(() => ({ getSecret: vi.fn() }));
vi.mock('@aws-lambda-powertools/parameters/secrets', () => ({ getSecret }));

const context = { getRemainingTimeInMillis: () => 15_000 } as Context;

beforeEach(() => {
  vi.resetModules();
  vi.stubEnv('SANDBOX_SECRET_NAME', 'test/sandbox');
  vi.stubEnv('POWERTOOLS_TRACE_ENABLED', 'false');
  vi.stubEnv('POWERTOOLS_DEV', 'true');
  getSecret.mockReset();
  getSecret.mockResolvedValue('S');
});

/** A fresh instance of the function, as after a cold start. */
async function coldStart() {
  const logged: string[] = [];
  for (const level of ['log', 'info', 'debug', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line) => {
      logged.push(String(line));
    });
  }
  const { handler } = await import('../../../functions/sandbox/handler.ts');
  const invoke = async (method: string, target: string, body?: unknown, token = 'S') => {
    const [rawPath = '', rawQueryString = ''] = target.split('?');
    const event = {
      version: '2.0',
      rawPath,
      rawQueryString,
      headers: { authorization: `Bearer ${token}`, 'user-agent': 'test' },
      requestContext: { http: { method } },
      isBase64Encoded: body !== undefined,
      ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)).toString('base64') }),
    } as unknown as LambdaFunctionURLEvent;
    const answer = (await handler(event, context)) as { statusCode: number; body: string };
    return { status: answer.statusCode, json: answer.body ? JSON.parse(answer.body) : undefined };
  };
  return { invoke, logged };
}

test('serves the vendors’ routes with the secret, and keeps its state between requests', async () => {
  const { invoke } = await coldStart();
  const sent = await invoke('POST', '/resend/emails', EMAIL);
  const listed = await invoke('GET', '/resend/emails?limit=1');
  const refused = await invoke('GET', '/resend/emails', undefined, 'wrong');
  expect(sent.status).toBe(200);
  expect(listed.json.data[0].id).toBe(sent.json.id);
  expect(refused.status).toBe(403);
  expect(getSecret).toHaveBeenCalledExactlyOnceWith('test/sandbox');
});

test('the control API is closed to everything but its own token', async () => {
  const { invoke } = await coldStart();
  const withSecret = await invoke('GET', '/inspect', undefined, 'S');
  const withToken = await invoke('GET', '/inspect', undefined, 'S.control');
  expect([withSecret.status, withToken.status]).toEqual([401, 200]);
});

test('what a function URL cannot do becomes 502 and 504, and late answers come late', async () => {
  const { invoke } = await coldStart();
  const faults = ['drop', 'apply-then-drop', 'hang'].map((kind) => ({ operation: 'send-email', kind }));
  const late = { operation: 'send-email', kind: 'delay', delayMs: 1 };
  const slow = { operation: 'send-email', kind: 'slow-body', delayMs: 1 };
  await invoke('POST', '/faults', [...faults, late, slow], 'S.control');
  const statuses: number[] = [];
  for (let n = 0; n < 5; n += 1) statuses.push((await invoke('POST', '/resend/emails', EMAIL)).status);
  const { json } = await invoke('GET', '/inspect', undefined, 'S.control');
  expect(statuses).toEqual([502, 502, 504, 200, 200]);
  expect(json.emails).toHaveLength(3);
});

test('logs what was done, and nobody’s address', async () => {
  const { invoke, logged } = await coldStart();
  await invoke('POST', '/hubspot/crm/v3/objects/contacts', { properties: { email: 'lead@example.org' } });
  await invoke('GET', '/hubspot/crm/v3/objects/contacts/lead%40example.org?idProperty=email');
  const text = logged.join('\n');
  expect(text).toContain('"create-contact"');
  expect(text).toContain('"read-contact"');
  expect(text).not.toContain('lead');
});

test('a secret that could not be read is asked for again', async () => {
  const { invoke } = await coldStart();
  getSecret.mockRejectedValueOnce(new Error('throttled'));
  await expect(invoke('GET', '/resend/domains')).rejects.toThrow('throttled');
  expect((await invoke('GET', '/resend/domains')).status).toBe(200);
});

test('without the name of its secret the function says what is missing', async () => {
  vi.stubEnv('SANDBOX_SECRET_NAME', '');
  const { invoke } = await coldStart();
  await expect(invoke('GET', '/resend/domains')).rejects.toThrow('SANDBOX_SECRET_NAME');
});
