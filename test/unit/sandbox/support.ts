import { createSandbox } from '../../../functions/sandbox/sandbox.ts';
import type { SettingsInput } from '../../../functions/sandbox/settings.ts';
import type { SandboxResponse } from '../../../functions/sandbox/wire.ts';

export const SECRET = 'test-secret';
/** 2026-03-01T09:00:00.000Z */
export const START = Date.UTC(2026, 2, 1, 9, 0, 0);

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: a vendor's JSON, whose shape is what the tests look at
  readonly json: any;
  readonly response: SandboxResponse;
}

export interface Bench {
  /** Moves the sandbox's clock on, in milliseconds. */
  pass(ms: number): void;
  request(method: string, target: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  hubspot(method: string, path: string, body?: unknown, key?: string): Promise<Reply>;
  resend(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  control(method: string, path: string, body?: unknown): Promise<Reply>;
}

/** A sandbox without a network, a clock that stands still, and ids that count. */
export function bench(options: { settings?: SettingsInput; controlToken?: string } = {}): Bench {
  let now = START;
  let issued = 0;
  const sandbox = createSandbox({
    clock: () => now,
    ids: () => {
      issued += 1;
      return `00000000-0000-4000-8000-${String(issued).padStart(12, '0')}`;
    },
    bearer: SECRET,
    ...options,
  });
  const request: Bench['request'] = async (method, target, body, headers = {}) => {
    const raw = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const response = await sandbox.handle({ method, target, headers, body: raw });
    return { status: response.status, headers: response.headers, json: parse(response.body), response };
  };
  return {
    request,
    pass: (ms) => {
      now += ms;
    },
    hubspot: (method, path, body, key = `${SECRET}.write`) =>
      request(method, `/hubspot${path}`, body, { authorization: `Bearer ${key}` }),
    resend: (method, path, body, headers = {}) =>
      request(method, `/resend${path}`, body, {
        authorization: `Bearer ${SECRET}`,
        'user-agent': 'sandbox-test/1.0',
        ...headers,
      }),
    control: (method, path, body) => request(method, path, body),
  };
}

function parse(body: string): unknown {
  try {
    return body === '' ? undefined : JSON.parse(body);
  } catch {
    return body;
  }
}

export const CONTACTS = '/crm/v3/objects/contacts';
export const TASKS = '/crm/v3/objects/tasks';

export async function createContact(b: Bench, properties: Record<string, string>): Promise<string> {
  const reply = await b.hubspot('POST', CONTACTS, { properties });
  return reply.json.id;
}

export function taskBody(contactId: string, properties: Record<string, string> = {}) {
  return {
    properties: { hs_timestamp: '2026-03-02T09:00:00.000Z', hs_task_subject: 'Call the lead', ...properties },
    associations: [
      { to: { id: contactId }, types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 204 }] },
    ],
  };
}

export const EMAIL = {
  from: 'Ada Berg <ada.berg@sales.example.com>',
  to: ['lead@example.org'],
  reply_to: 'ada.berg@sales.example.com',
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: 'Hello',
};
