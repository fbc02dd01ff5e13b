import { afterEach, describe, expect, it } from 'vitest';
import { resendContract } from '../../../functions/adapters/resend/contract.ts';
import { resendSender } from '../../../functions/adapters/resend/sender.ts';
import { STAGE_NUMBERS } from '../../../functions/domain/stage-numbers.ts';
import type { EmailMessage } from '../../../functions/ports/emails.ts';
import { type Answer, answering, deadPort, type WireServer, wireServer } from './wire-server.ts';

const NOW = Date.UTC(2026, 0, 5, 12);
const CALL = { identity: 'web/req-1/send-introduction', deadline: NOW + 60_000 };
const MESSAGE: EmailMessage = {
  from: 'Ada Berg <ada@sales.example.com>',
  replyTo: 'ada@sales.example.com',
  to: 'jane@example.com',
  subject: 'Hello Jane',
  text: 'Hello Jane,\nI am Ada.',
  html: '<p>Hello Jane,</p>',
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

function sender(baseUrl: string) {
  return resendSender({ baseUrl, token: async () => 're_sesame', timeoutMs: 5_000, clock: () => NOW });
}

async function outcomeOf(answer: Answer) {
  const server = await serving(answer);
  const resend = sender(server.url);
  const outcome = await resend.send(resend.encode(MESSAGE), CALL);
  expect(server.requests).toHaveLength(1);
  expect(JSON.stringify(outcome)).not.toMatch(/jane|ada|sesame/i);
  return outcome;
}

function refusal(status: number, name: string, message = 'About jane@example.com'): Answer {
  return { status, json: { statusCode: status, name, message } };
}

it('encodes a message always to the same bytes', () => {
  const { encode } = sender('http://127.0.0.1:1');
  const shuffled = {
    html: MESSAGE.html,
    text: MESSAGE.text,
    to: MESSAGE.to,
    subject: MESSAGE.subject,
    replyTo: MESSAGE.replyTo,
    from: MESSAGE.from,
  };

  expect(encode(MESSAGE)).toBe(
    '{"from":"Ada Berg <ada@sales.example.com>","to":["jane@example.com"],"reply_to":"ada@sales.example.com","subject":"Hello Jane","text":"Hello Jane,\\nI am Ada.","html":"<p>Hello Jane,</p>"}',
  );
  expect(encode(shuffled)).toBe(encode(MESSAGE));
});

describe('a send', () => {
  it('carries the identity as key and the frozen bytes', async () => {
    const server = await serving({ status: 200, json: { id: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794' } });

    const outcome = await sender(server.url).send('{"frozen":"é"}', CALL);

    expect(outcome).toEqual({
      outcome: 'performed',
      evidence: {
        kind: 'receipt',
        destination: 'resend',
        recordId: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794',
        readAt: NOW,
        facts: { status: 200 },
      },
    });
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/emails', body: '{"frozen":"é"}' });
    expect(server.requests[0]?.headers).toMatchObject({
      'idempotency-key': 'web/req-1/send-introduction',
      authorization: 'Bearer re_sesame',
      'user-agent': 'lead-handoff',
    });
  });

  it.each<[string, Answer]>([
    ['key-used-with-other-bytes', refusal(409, 'invalid_idempotent_request')],
    ['same-key-in-flight', refusal(409, 'concurrent_idempotent_requests')],
    ['status-409', { status: 409 }],
    ['status-500', refusal(500, 'application_error')],
    ['status-500', refusal(500, 'internal_server_error')],
    ['status-503', { status: 503 }],
    ['status-408', { status: 408 }],
    ['status-307', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }],
    ['unparsable', { status: 200, text: 'Sent to jane@example.com' }],
    ['unparsable', { status: 200, json: { id: 'jane@example.com' } }],
  ])('is unknown (%s) after %j', async (reason, answer) => {
    expect(await outcomeOf(answer)).toEqual({ outcome: 'unknown', reason });
  });

  it.each<[string, string]>([
    ['rate-limited', 'rate_limit_exceeded'],
    ['daily-quota-exceeded', 'daily_quota_exceeded'],
    ['monthly-quota-exceeded', 'monthly_quota_exceeded'],
    ['rate-limited', 'something_new'],
  ])('is not applied (%s) after 429 %s', async (reason, name) => {
    expect(await outcomeOf({ ...refusal(429, name), headers: { 'retry-after': '2' } })).toEqual({
      outcome: 'not-applied',
      reason,
      requestLeft: true,
      retryAfterMs: 2_000,
    });
  });

  it.each<[string, Answer]>([
    ['invalid-idempotency-key', refusal(400, 'invalid_idempotency_key')],
    ['validation-error', refusal(400, 'validation_error')],
    ['credentials', refusal(400, 'validation_error', 'API key is invalid')],
    ['credentials', refusal(401, 'missing_api_key')],
    ['credentials', refusal(401, 'validation_error')],
    ['credentials', refusal(403, 'invalid_api_key')],
    ['sender-not-verified', refusal(403, 'validation_error', 'The example.com domain is not verified.')],
    ['not-found', refusal(404, 'not_found')],
    ['missing-required-field', refusal(422, 'missing_required_field')],
    ['invalid-from-address', refusal(422, 'invalid_from_address')],
    ['security-error', refusal(451, 'security_error')],
    ['status-422', refusal(422, 'jane@example.com')],
    ['status-413', { status: 413, text: '<html>' }],
  ])('is refused (%s) by %j', async (reason, answer) => {
    expect(await outcomeOf(answer)).toEqual({ outcome: 'refused', reason });
  });

  it('is not applied when nothing left, and unknown when something did', async () => {
    const resetting = await wireServer((socket) => socket.resetAndDestroy());
    open.push(resetting);

    expect(await sender(`http://127.0.0.1:${await deadPort()}`).send('{}', CALL)).toEqual({
      outcome: 'not-applied',
      reason: 'connect-refused',
      requestLeft: false,
    });
    expect(await sender(resetting.url).send('{}', CALL)).toEqual({
      outcome: 'unknown',
      reason: 'connection-reset',
    });
    expect(resetting.requests).toHaveLength(1);
  });
});

it('declares its contract', () => {
  expect(resendContract(STAGE_NUMBERS.prod)).toMatchObject({
    destination: 'resend',
    kind: 'idempotency-key',
    keyWindowMs: 86_400_000,
    keyWindowMarginMs: 3_600_000,
    landingBoundMs: 60_000,
    readLagMs: 10_000,
    readCredentialException: expect.stringContaining('no read-only API key'),
  });
});
