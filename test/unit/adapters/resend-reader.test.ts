import { afterEach, describe, expect, it } from 'vitest';
import { resendReader } from '../../../functions/adapters/resend/reader.ts';
import { DestinationUnreadable } from '../../../functions/ports/destination-unreadable.ts';
import type { EmailMessage } from '../../../functions/ports/emails.ts';
import { type Answer, answerText, type WireServer, wireServer } from './wire-server.ts';

const SINCE = Date.UTC(2026, 0, 5, 12);
const MESSAGE: EmailMessage = {
  from: 'Ada Berg <ada@sales.example.com>',
  replyTo: 'ada@sales.example.com',
  to: 'jane@example.com',
  subject: 'Hello Jane',
  text: 'Hello Jane,\nI am Ada.',
  html: '<p>Hello Jane,</p>',
};

interface Sent {
  readonly id: string;
  readonly to: string[];
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly created_at: string;
  readonly last_event: string | null;
}

function sent(id: string, over: Partial<Sent> = {}): Sent {
  return {
    id,
    to: ['jane@example.com'],
    from: 'Ada Berg <ada@sales.example.com>',
    subject: 'Hello Jane',
    text: 'Hello Jane,\nI am Ada.',
    html: '<p>Hello Jane,</p>',
    created_at: '2026-01-05 12:00:10.123456+00',
    last_event: 'delivered',
    ...over,
  };
}

const open: WireServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) {
    // Whatever a reader does, it leaves nothing but GET requests behind.
    expect(server.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    await server.close();
  }
});

/** Resend's list and retrieve, as its documentation describes them, over a list that is newest first. */
async function holding(emails: readonly Sent[]): Promise<WireServer> {
  const server = await wireServer((socket, request) => {
    const url = new URL(request.path, 'http://x');
    const id = url.pathname.split('/')[2];
    if (id !== undefined) {
      const found = emails.find((email) => email.id === id);
      socket.end(answerText({ status: found ? 200 : 404, json: found ?? { name: 'not_found' } }));
      return;
    }
    const limit = Number(url.searchParams.get('limit') ?? 20);
    const after = url.searchParams.get('after');
    const start = after === null ? 0 : emails.findIndex((email) => email.id === after) + 1;
    const data = emails.slice(start, start + limit).map(({ text, html, ...summary }) => summary);
    socket.end(
      answerText({
        status: 200,
        json: { object: 'list', has_more: start + limit < emails.length, data },
      }),
    );
  });
  open.push(server);
  return server;
}

function reader(baseUrl: string) {
  return resendReader({ baseUrl, token: async () => 're_sesame', timeoutMs: 5_000, clock: Date.now });
}

function lists(server: WireServer): string[] {
  return server.requests.map(({ path }) => path).filter((path) => path.startsWith('/emails?'));
}

describe('findSent', () => {
  it('finds the message that equals ours', async () => {
    const server = await holding([
      sent('e-3', { to: ['joe@example.com'] }),
      sent('e-2', { text: 'Hello Jane,\nI am Ben.' }),
      sent('e-1'),
    ]);

    expect(await reader(server.url).findSent(MESSAGE, SINCE)).toEqual({
      kind: 'sent',
      id: 'e-1',
      createdAt: Date.UTC(2026, 0, 5, 12, 0, 10, 123),
      lastEvent: 'delivered',
    });
    expect(server.requests[0]?.path).toBe('/emails?limit=100');
    expect(server.requests.map(({ path }) => path)).not.toContain('/emails/e-3');
  });

  it('recognises rewritten mailboxes and folded subjects', async () => {
    const server = await holding([
      sent('e-1', {
        to: ['Jane@Example.com'],
        from: '"Berg, Ada" <ADA@sales.example.com>',
        subject: ' Hello\r\n Jane',
        created_at: '2026-01-05T12:00:10.000Z',
      }),
    ]);

    expect(await reader(server.url).findSent(MESSAGE, SINCE)).toMatchObject({ kind: 'sent', id: 'e-1' });
  });

  it.each<[string, Partial<Sent>]>([
    ['text', { text: 'Hello Jane,\nI am Ada. ' }],
    ['html', { html: '<p>Hello Jane!</p>' }],
    ['subject', { subject: 'Hello jane' }],
    ['sender', { from: 'Ben <ben@sales.example.com>' }],
    ['recipient', { to: ['jane@example.org'] }],
    ['number of recipients', { to: ['jane@example.com', 'joe@example.com'] }],
  ])('passes over a message with another %s', async (_what, over) => {
    const server = await holding([sent('e-1', over)]);

    expect(await reader(server.url).findSent(MESSAGE, SINCE)).toEqual({ kind: 'none' });
  });

  it.each(['scheduled', 'queued', 'canceled', 'failed', 'suppressed'])(
    'does not call a message sent that is %s',
    async (lastEvent) => {
      const server = await holding([sent('e-1', { last_event: lastEvent })]);

      expect(await reader(server.url).findSent(MESSAGE, SINCE)).toEqual({
        kind: 'pending',
        id: 'e-1',
        lastEvent,
      });
    },
  );

  it.each(['sent', 'delivered', 'delivery_delayed', 'bounced', 'complained', 'opened', 'clicked', null])(
    'calls a message sent whose last event is %s',
    async (lastEvent) => {
      const server = await holding([sent('e-1', { last_event: lastEvent })]);

      expect(await reader(server.url).findSent(MESSAGE, SINCE)).toMatchObject({ kind: 'sent', lastEvent });
    },
  );

  it('prefers the one that was sent to one that was cancelled', async () => {
    const server = await holding([sent('e-2', { last_event: 'canceled' }), sent('e-1')]);

    expect(await reader(server.url).findSent(MESSAGE, SINCE)).toMatchObject({ kind: 'sent', id: 'e-1' });
  });

  it('reads page after page, back to the claim and no further', async () => {
    const others = (n: number, created_at: string) =>
      Array.from({ length: 100 }, (_, i) => sent(`o-${n}-${i}`, { to: ['joe@example.com'], created_at }));
    const server = await holding([
      ...others(1, '2026-01-05 12:20:00+00'),
      ...others(2, '2026-01-05 12:10:00+00'),
      ...others(3, '2026-01-05 11:00:00+00'),
      sent('e-0', { created_at: '2026-01-05 10:00:00+00' }),
    ]);

    expect(await reader(server.url).findSent(MESSAGE, SINCE)).toEqual({ kind: 'none' });
    expect(lists(server)).toEqual([
      '/emails?limit=100',
      '/emails?limit=100&after=o-1-99',
      '/emails?limit=100&after=o-2-99',
    ]);
  });

  it('allows for a clock of theirs that runs behind ours, by five minutes', async () => {
    const behind = await holding([sent('e-1', { created_at: '2026-01-05 11:55:00+00' })]);
    const before = await holding([sent('e-1', { created_at: '2026-01-05 11:54:59.999+00' })]);

    expect(await reader(behind.url).findSent(MESSAGE, SINCE)).toMatchObject({ kind: 'sent' });
    expect(await reader(before.url).findSent(MESSAGE, SINCE)).toEqual({ kind: 'none' });
  });

  it('concludes nothing from a list that is longer than it reads', async () => {
    const crowd = Array.from({ length: 2_001 }, (_, i) => sent(`o-${i}`, { to: ['joe@example.com'] }));
    const server = await holding([...crowd, sent('e-1')]);

    expect(await reader(server.url).findSent(MESSAGE, SINCE)).toEqual({ kind: 'page-cap' });
    expect(lists(server)).toHaveLength(20);
  });
});

describe('Resend is unreadable', () => {
  it.each<[string, Answer]>([
    ['credentials', { status: 401, json: { name: 'restricted_api_key' } }],
    ['rate-limited', { status: 429 }],
    ['status-404', { status: 404, json: { name: 'not_found' } }],
    ['status-500', { status: 500 }],
    ['unparsable', { status: 200, json: { data: [{ id: 'e-1' }], has_more: false } }],
    [
      'unparsable',
      {
        status: 200,
        json: {
          data: [{ id: 'e-1', to: [], from: '', subject: '', created_at: 'soon', last_event: null }],
          has_more: false,
        },
      },
    ],
    ['unparsable', { status: 200, text: 'jane@example.com' }],
  ])('with code %s after %j', async (code, answer) => {
    const server = await wireServer((socket) => socket.end(answerText(answer)));
    open.push(server);

    const error = await reader(server.url)
      .findSent(MESSAGE, SINCE)
      .catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(DestinationUnreadable);
    expect(error).toMatchObject({ destination: 'resend', code });
    expect(`${(error as Error).stack} ${JSON.stringify(error)}`).not.toMatch(/jane|sesame/i);
    expect(server.requests).toHaveLength(1);
  });

  it('when a listed message is gone before it is read', async () => {
    const server = await wireServer((socket, { path }) => {
      const { text, html, ...summary } = sent('e-1');
      const list = { status: 200, json: { has_more: false, data: [summary] } };
      socket.end(
        answerText(path.startsWith('/emails?') ? list : { status: 404, json: { name: 'not_found' } }),
      );
    });
    open.push(server);

    await expect(reader(server.url).findSent(MESSAGE, SINCE)).rejects.toMatchObject({ code: 'status-404' });
  });
});
