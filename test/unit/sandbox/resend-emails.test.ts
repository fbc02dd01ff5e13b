import { describe, expect, test } from 'vitest';
import { type Bench, bench, EMAIL } from './support.ts';

async function send(b: Bench, subject: string): Promise<string> {
  return (await b.resend('POST', '/emails', { ...EMAIL, subject })).json.id;
}

describe('messages as Resend serves them', () => {
  test('a sent message is read back without tags, headers or key', async () => {
    const b = bench();
    const sent = await b.resend(
      'POST',
      '/emails',
      { ...EMAIL, tags: [{ name: 'route', value: 'web' }], headers: { 'X-Entity-Ref-ID': '1' } },
      { 'idempotency-key': 'k1' },
    );
    expect(sent.status).toBe(200);
    expect(Object.keys(sent.json)).toEqual(['id']);

    const read = await b.resend('GET', `/emails/${sent.json.id}`);

    expect(read.json).toEqual({
      object: 'email',
      id: sent.json.id,
      to: ['lead@example.org'],
      from: 'Ada Berg <ada.berg@sales.example.com>',
      created_at: '2026-03-01 09:00:00.000000+00',
      subject: 'Hello',
      bcc: [],
      cc: [],
      reply_to: ['ada.berg@sales.example.com'],
      last_event: 'delivered',
      scheduled_at: null,
      message_id: `<${sent.json.id}@email.example.com>`,
      html: '<p>Hello</p>',
      text: 'Hello',
    });
  });

  test('the list is newest first, has no bodies, and pages both ways', async () => {
    const b = bench();
    const ids: string[] = [];
    for (const subject of ['1', '2', '3', '4', '5']) {
      ids.unshift(await send(b, subject));
      b.pass(1_000);
    }
    const subjects = async (query: string) => {
      const { json } = await b.resend('GET', `/emails${query}`);
      return [json.data.map((one: { subject: string }) => one.subject).join(''), json.has_more];
    };
    expect(await subjects('')).toEqual(['54321', false]);
    expect(await subjects('?limit=2')).toEqual(['54', true]);
    expect(await subjects(`?limit=2&after=${ids[1]}`)).toEqual(['32', true]);
    expect(await subjects(`?limit=2&after=${ids[3]}`)).toEqual(['1', false]);
    expect(await subjects(`?limit=2&before=${ids[3]}`)).toEqual(['43', true]);
    expect(await subjects(`?limit=2&before=${ids[1]}`)).toEqual(['5', false]);
    const { json } = await b.resend('GET', '/emails?limit=1');
    expect(json.object).toBe('list');
    expect(Object.keys(json.data[0])).toEqual([
      'id',
      'to',
      'from',
      'created_at',
      'subject',
      'bcc',
      'cc',
      'reply_to',
      'last_event',
      'scheduled_at',
    ]);
  });

  test('shows 20 messages unless told otherwise', async () => {
    const b = bench();
    for (let sent = 0; sent < 21; sent += 1) await send(b, String(sent));
    const { json } = await b.resend('GET', '/emails');
    expect(json.data).toHaveLength(20);
    expect(json.has_more).toBe(true);
  });

  test.each(['?limit=0', '?limit=101', '?limit=x', '?after=x', '?after=a&before=b'])(
    'a list with %s is refused',
    async (query) => {
      const b = bench();
      const refused = await b.resend('GET', `/emails${query}`);
      expect(refused.status).toBe(422);
      expect(refused.json).toMatchObject({ statusCode: 422, name: 'validation_error' });
    },
  );

  const without = (field: string) =>
    Object.fromEntries(Object.entries(EMAIL).filter(([name]) => name !== field));
  test.each([
    ['no from', without('from'), 'missing_required_field', 'Missing `from` field.'],
    ['no to', without('to'), 'missing_required_field', 'Missing `to` field.'],
    ['no subject', without('subject'), 'missing_required_field', 'Missing `subject` field.'],
    [
      'no body',
      { ...EMAIL, html: undefined, text: undefined },
      'missing_required_field',
      'Missing `html` field.',
    ],
    ['no address in to', { ...EMAIL, to: 'lead' }, 'validation_error', 'Invalid `to` field.'],
    ['no address in from', { ...EMAIL, from: 'Ada' }, 'validation_error', 'Invalid `from` field.'],
    [
      'no address in reply_to',
      { ...EMAIL, reply_to: ['x'] },
      'validation_error',
      'Invalid `reply_to` field.',
    ],
    ['an empty to', { ...EMAIL, to: [] }, 'missing_required_field', 'Missing `to` field.'],
    ['a number as the subject', { ...EMAIL, subject: 7 }, 'validation_error', 'Invalid request body'],
    [
      'too many recipients',
      { ...EMAIL, to: Array.from({ length: 51 }, (_, n) => `lead${n}@example.org`) },
      'validation_error',
      'must not have more than 50 recipients',
    ],
  ])('%s is refused with 422 and nothing is sent', async (_, body, name, message) => {
    const b = bench();
    const refused = await b.resend('POST', '/emails', body);
    expect(refused.status).toBe(422);
    expect(refused.json).toMatchObject({ statusCode: 422, name });
    expect(refused.json.message).toContain(message);
    expect((await b.control('GET', '/inspect')).json.emails).toEqual([]);
  });

  test('an unknown message, an id that is none, and an unknown address are told apart', async () => {
    const b = bench();
    const unknown = await b.resend('GET', '/emails/00000000-0000-4000-8000-999999999999');
    const noId = await b.resend('GET', '/emails/7');
    const nowhere = await b.resend('GET', '/mails');
    const wrongMethod = await b.resend('DELETE', '/emails');
    expect(unknown.json).toEqual({ statusCode: 404, message: 'Email not found', name: 'not_found' });
    expect([noId.status, noId.json.name]).toEqual([422, 'invalid_parameter']);
    expect([nowhere.status, nowhere.json.name]).toEqual([404, 'not_found']);
    expect([wrongMethod.status, wrongMethod.json.name]).toEqual([405, 'method_not_allowed']);
  });

  test('a scheduled message is scheduled, and cancelled only once', async () => {
    const b = bench();
    const { id } = (await b.resend('POST', '/emails', { ...EMAIL, scheduled_at: '2026-03-05T09:00:00Z' }))
      .json;
    const scheduled = await b.resend('GET', `/emails/${id}`);
    const cancelled = await b.resend('POST', `/emails/${id}/cancel`);
    const again = await b.resend('POST', `/emails/${id}/cancel`);
    const after = await b.resend('GET', `/emails/${id}`);
    expect(scheduled.json).toMatchObject({ last_event: 'scheduled', scheduled_at: '2026-03-05T09:00:00Z' });
    expect([cancelled.status, again.status]).toEqual([200, 422]);
    expect(after.json.last_event).toBe('canceled');
  });

  test('the fate of a message can be played', async () => {
    const b = bench({ settings: { emailLastEvent: 'queued' } });
    const id = await send(b, 'x');
    const before = await b.resend('GET', `/emails/${id}`);
    await b.control('POST', '/people/email-event', { emailId: id, lastEvent: 'bounced' });
    const after = await b.resend('GET', `/emails/${id}`);
    expect([before.json.last_event, after.json.last_event]).toEqual(['queued', 'bounced']);
  });

  test('the sending domains are listed with their state', async () => {
    const b = bench({ settings: { domains: [{ name: 'sales.example.com', status: 'pending' }] } });
    const { json } = await b.resend('GET', '/domains');
    expect(json).toMatchObject({
      object: 'list',
      has_more: false,
      data: [{ name: 'sales.example.com', status: 'pending' }],
    });
  });
});
