import { afterEach, describe, expect, it } from 'vitest';
import { resendDomains, resendKeyAccess } from '../../functions/adapters/resend/account.ts';
import type { EmailMessage } from '../../functions/ports/emails.ts';
import { halves } from './support/meaning.ts';
import { closeAll, recordIdOf, secondOpinion } from './support/second-opinion.ts';

afterEach(closeAll);

const KEY = 'web/req-1/send-introduction';
const MESSAGE: EmailMessage = {
  from: 'Ada Berg <ada.berg@sales.example.com>',
  replyTo: 'ada.berg@sales.example.com',
  to: 'jane@example.com',
  subject: 'Hello Jane',
  text: 'Hello Jane,\nI am Ada.',
  html: '<p>Hello Jane,</p><p>I am Ada &amp; happy.</p>',
};

/** The message as a user of Resend's client writes it. */
const AS_CLIENT_WRITES = {
  from: MESSAGE.from,
  to: [MESSAGE.to],
  replyTo: MESSAGE.replyTo,
  subject: MESSAGE.subject,
  text: MESSAGE.text,
  html: MESSAGE.html,
};

async function mail() {
  const opinion = await secondOpinion();
  const { ours, theirs, bench } = opinion;
  const body = ours.mailSender.encode(MESSAGE);
  return {
    ...opinion,
    since: bench.clock(),
    send: (bytes = body) => ours.mailSender.send(bytes, opinion.call(KEY)),
    /** Resend's client with exactly our bytes. */
    sendSameBytes: () =>
      theirs.mailSender.post<{ id: string }>('/emails', JSON.parse(body), { idempotencyKey: KEY }),
  };
}

describe('an introduction', () => {
  it('that our adapter sends is the one that Resend’s client sends', async () => {
    const we = await mail();
    const they = await mail();

    await we.send();
    const { error } = await they.theirs.mailSender.emails.send(AS_CLIENT_WRITES, { idempotencyKey: KEY });

    expect(error).toBeNull();
    const withoutId = ({ id: _, ...email }: { id: string }) => email;
    const [ours, theirs] = [(await we.bench.inspect()).emails, (await they.bench.inspect()).emails];
    expect(ours).toMatchObject([{ to: ['jane@example.com'], key: KEY, subject: 'Hello Jane' }]);
    expect(ours.map(withoutId)).toEqual(theirs.map(withoutId));
    const [our, their] = halves([...we.recorder.exchanges, ...they.recorder.exchanges]);
    expect(our).toEqual(their);
    for (const { headers } of [...we.recorder.exchanges, ...they.recorder.exchanges]) {
      expect(headers).toMatchObject({
        authorization: 'Bearer sandbox-secret.write',
        'content-type': 'application/json',
        'idempotency-key': KEY,
      });
    }
  });

  it('sent again with the same bytes under its key is answered to both with the first one’s id', async () => {
    const { bench, send, sendSameBytes, recorder } = await mail();
    const id = recordIdOf(await send());

    const { data } = await sendSameBytes();

    expect(data?.id).toBe(id);
    expect(recordIdOf(await send())).toBe(id);
    expect((await bench.inspect()).emails).toHaveLength(1);
    const [first, second] = recorder.taken();
    expect(second?.body).toBe(first?.body);
  });

  it('sent with other bytes under its key is refused to both, even where only their order differs', async () => {
    const { bench, theirs, send } = await mail();
    const { data } = await theirs.mailSender.emails.send(AS_CLIENT_WRITES, { idempotencyKey: KEY });

    expect(await send()).toEqual({ outcome: 'unknown', reason: 'key-used-with-other-bytes' });
    const { error } = await theirs.mailSender.emails.send(
      { ...AS_CLIENT_WRITES, subject: 'Hello again' },
      { idempotencyKey: KEY },
    );
    expect(error).toMatchObject({ name: 'invalid_idempotent_request', statusCode: 409 });
    expect((await bench.inspect()).emails).toMatchObject([{ id: data?.id }]);
  });

  it('whose key is in flight is refused to both', async () => {
    const { bench, send, sendSameBytes } = await mail();
    await bench.plan({ operation: 'send-email', kind: 'land-late', delayMs: 60_000, wire: 'drop' });
    expect(await send()).toEqual({ outcome: 'unknown', reason: 'connection-reset' });

    const { error } = await sendSameBytes();

    expect(error).toMatchObject({ name: 'concurrent_idempotent_requests', statusCode: 409 });
    expect(await send()).toEqual({ outcome: 'unknown', reason: 'same-key-in-flight' });
    expect((await bench.inspect()).emails).toEqual([]);
  });

  it('is found in the list, and equals what Resend’s client gets', async () => {
    const { ours, theirs, recorder, send, since } = await mail();
    const id = recordIdOf(await send());
    recorder.taken();

    const found = await ours.mail.findSent(MESSAGE, since);
    const list = await theirs.mail.emails.list({ limit: 100 });
    const got = await theirs.mail.emails.get(id);

    expect(found).toEqual({ kind: 'sent', id, createdAt: since, lastEvent: 'delivered' });
    expect(list.data?.data.map((email) => email.id)).toEqual([id]);
    expect(list.data?.has_more).toBe(false);
    expect(got.data).toMatchObject({
      object: 'email',
      id,
      to: [MESSAGE.to],
      from: MESSAGE.from,
      reply_to: [MESSAGE.replyTo],
      subject: MESSAGE.subject,
      text: MESSAGE.text,
      html: MESSAGE.html,
      last_event: 'delivered',
    });
    expect(got.data?.created_at).toBe('2026-01-05 12:00:00.000000+00');
    const [our, their] = halves(recorder.taken());
    expect(our).toEqual(their);
  });

  it('is read by its id as Resend’s client gets it, and only where it is to that person', async () => {
    const { ours, theirs, recorder, send, since } = await mail();
    const id = recordIdOf(await send());
    recorder.taken();

    const found = await ours.mail.findById(id, MESSAGE.to);
    const got = await theirs.mail.emails.get(id);

    expect(found).toEqual({ kind: 'sent', id, createdAt: since, lastEvent: 'delivered' });
    expect(got.data).toMatchObject({ id, to: [MESSAGE.to], last_event: 'delivered' });
    const [our, their] = halves(recorder.taken());
    expect(our).toEqual(their);
    expect(await ours.mail.findById(id, 'joe@example.com')).toEqual({ kind: 'none' });
  });

  it('that is not there is found by neither', async () => {
    const { ours, theirs } = await mail();
    const id = '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794';

    const { error } = await theirs.mail.emails.get(id);

    expect(error).toMatchObject({ name: 'not_found', statusCode: 404 });
    expect(await ours.mail.findById(id, MESSAGE.to)).toEqual({ kind: 'none' });
  });

  it('is looked for on the next page in the way of Resend’s client', async () => {
    const { ours, theirs, bench, recorder, send, since, call } = await mail();
    const id = recordIdOf(await send());
    for (let i = 0; i < 100; i++) {
      const other = ours.mailSender.encode({ ...MESSAGE, to: `joe${i}@example.com` });
      await ours.mailSender.send(other, call(`web/other-${i}/send-introduction`));
    }
    recorder.taken();

    expect(await ours.mail.findSent(MESSAGE, since)).toMatchObject({ kind: 'sent', id });
    const first = await theirs.mail.emails.list({ limit: 100 });
    const second = await theirs.mail.emails.list({ limit: 100, after: first.data?.data.at(-1)?.id ?? '' });
    await theirs.mail.emails.get(id);

    expect(first.data?.has_more).toBe(true);
    expect(second.data?.data.map((email) => email.id)).toEqual([id]);
    const [our, their] = halves(recorder.taken());
    expect(our).toEqual(their);
    expect((await bench.inspect()).emails).toHaveLength(101);
  });

  it('to somebody real is refused to both', async () => {
    const { theirs, ours, send } = await mail();
    const real = { ...MESSAGE, to: 'jane@company.com' };

    const { error } = await theirs.mailSender.emails.send({ ...AS_CLIENT_WRITES, to: real.to });

    expect(error).toMatchObject({ name: 'validation_error', statusCode: 422 });
    expect(await send(ours.mailSender.encode(real))).toEqual({
      outcome: 'refused',
      reason: 'validation-error',
    });
  });
});

describe('the account', () => {
  it('has the domains that Resend’s client lists', async () => {
    const { ours, theirs } = await mail();

    const { data } = await theirs.mail.domains.list({ limit: 100 });

    expect(await resendDomains(ours.mailAccount)).toEqual([
      { name: 'example.com', status: 'verified' },
      { name: 'sales.example.com', status: 'verified' },
    ]);
    expect(data?.data.map(({ name, status }) => ({ name, status }))).toEqual(
      await resendDomains(ours.mailAccount),
    );
  });

  it('has a key that may only send, and both see that it may not read', async () => {
    const { ours, theirs, bench } = await mail();

    const { error } = await theirs.mailSender.emails.list();

    expect(error).toMatchObject({ name: 'restricted_api_key', statusCode: 401 });
    expect(await resendKeyAccess({ ...ours.mailAccount, token: bench.token('write') })).toBe('sending');
    expect(await resendKeyAccess(ours.mailAccount)).toBe('full');
  });
});
