import { afterEach, describe, expect, it } from 'vitest';
import { resendReader } from '../../../functions/adapters/resend/reader.ts';
import { resendSender } from '../../../functions/adapters/resend/sender.ts';
import type { EmailMessage } from '../../../functions/ports/emails.ts';
import type { SettingsInput } from '../../../functions/sandbox/settings.ts';
import { type SandboxBench, sandboxBench } from './sandbox-bench.ts';

const MESSAGE: EmailMessage = {
  from: 'Ada Berg <ada.berg@sales.example.com>',
  replyTo: 'ada.berg@sales.example.com',
  to: 'jane@example.com',
  subject: 'Hello Jane',
  text: 'Hello Jane,\nI am Ada.',
  html: '<p>Hello Jane,</p><p>I am Ada &amp; happy.</p>',
};

const open: SandboxBench[] = [];
afterEach(async () => {
  for (const bench of open.splice(0)) await bench.close();
});

async function resend(settings: SettingsInput = {}) {
  const bench = await sandboxBench(settings);
  open.push(bench);
  const common = { baseUrl: bench.resendUrl, clock: bench.clock };
  const sender = resendSender({ ...common, token: bench.token('write'), timeoutMs: 5_000 });
  return {
    bench,
    sender,
    reader: resendReader({ ...common, token: bench.token('full'), timeoutMs: 5_000 }),
    since: bench.clock(),
    send: (message: EmailMessage = MESSAGE, identity = 'web/req-1/send-introduction') =>
      sender.send(sender.encode(message), { identity, deadline: bench.clock() + 10_000 }),
  };
}

describe('an introduction', () => {
  it('is read by id, for its recipient alone', async () => {
    const { reader, send, since } = await resend();
    const sent = await send();
    const id = sent.outcome === 'performed' ? (sent.evidence.recordId ?? '') : '';

    expect(await reader.findById(id, 'JANE@example.com')).toEqual({
      kind: 'sent',
      id,
      createdAt: since,
      lastEvent: 'delivered',
    });
    expect(await reader.findById(id, 'joan@example.com')).toEqual({ kind: 'none' });
    expect(await reader.findById('00000000-0000-4000-8000-000000000000', 'jane@example.com')).toEqual({
      kind: 'none',
    });
  });

  it('is sent once under its key, however often it is asked for, and is found again', async () => {
    const { bench, reader, since, send } = await resend();
    expect(await reader.findSent(MESSAGE, since)).toEqual({ kind: 'none' });

    const first = await send();
    bench.advance(60_000);
    const second = await send();

    expect(first).toMatchObject({
      outcome: 'performed',
      evidence: { kind: 'receipt', destination: 'resend' },
    });
    const id = first.outcome === 'performed' ? first.evidence.recordId : null;
    expect(second).toMatchObject({ outcome: 'performed', evidence: { recordId: id } });
    expect((await bench.inspect()).emails).toHaveLength(1);
    expect(await reader.findSent(MESSAGE, since)).toEqual({
      kind: 'sent',
      id,
      createdAt: since,
      lastEvent: 'delivered',
    });
    expect(await reader.findSent({ ...MESSAGE, text: 'Hello Jane,\nI am Ben.' }, since)).toEqual({
      kind: 'none',
    });
  });

  it('with other bytes under the same key is not sent', async () => {
    const { bench, send } = await resend();
    await send();

    expect(await send({ ...MESSAGE, subject: 'Hello again' })).toEqual({
      outcome: 'unknown',
      reason: 'key-used-with-other-bytes',
    });
    expect((await bench.inspect()).emails).toHaveLength(1);
  });

  it('whose key is still in flight is unknown', async () => {
    const { bench, send } = await resend();
    await bench.plan({ operation: 'send-email', kind: 'land-late', delayMs: 60_000, wire: 'drop' });

    expect(await send()).toEqual({ outcome: 'unknown', reason: 'connection-reset' });
    expect(await send()).toEqual({ outcome: 'unknown', reason: 'same-key-in-flight' });
  });

  it.each(['scheduled', 'queued', 'canceled', 'failed', 'suppressed'])(
    'that Resend calls %s is not called sent',
    async (lastEvent) => {
      const { bench, reader, since, send } = await resend();
      const outcome = await send();
      const emailId = outcome.outcome === 'performed' ? outcome.evidence.recordId : null;
      await bench.person('email-event', { emailId, lastEvent });

      expect(await reader.findSent(MESSAGE, since)).toEqual({ kind: 'pending', id: emailId, lastEvent });
    },
  );

  it('is found behind more than a page of others', async () => {
    const { reader, since, send } = await resend();
    await send();
    for (let i = 0; i < 120; i++) await send({ ...MESSAGE, to: `joe${i}@example.com` }, `web/other-${i}/x`);

    expect(await reader.findSent(MESSAGE, since)).toMatchObject({ kind: 'sent' });
  });
});

it('a key that may only send cannot read', async () => {
  const { bench, since } = await resend();
  const restricted = resendReader({
    baseUrl: bench.resendUrl,
    clock: bench.clock,
    token: bench.token('write'),
    timeoutMs: 5_000,
  });

  await expect(restricted.findSent(MESSAGE, since)).rejects.toMatchObject({ code: 'credentials' });
});

it('looking for what was sent leaves nothing but GET requests', async () => {
  const { bench, reader, since, send } = await resend();
  await send();
  const before = (await bench.inspect()).requests.length;

  await reader.findSent(MESSAGE, since);

  const asked = (await bench.inspect()).requests.slice(before);
  expect(asked.length).toBeGreaterThanOrEqual(2);
  expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['GET']));
});
