import * as v from 'valibot';
import { DestinationUnreadable } from '../../ports/destination-unreadable.ts';
import type { EmailMessage, EmailReader, SentEmail } from '../../ports/emails.ts';
import type { DestinationOptions } from '../http/destination-options.ts';
import { type ReadSession, readSession } from '../http/read-session.ts';
import { bareAddress, oneLine } from './addresses.ts';
import { RESEND } from './contract.ts';

const PAGE_SIZE = 100;
const PAGES = 20;
/** How far Resend's clock may run behind ours, in milliseconds. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** Accepted, but nothing that says it is on its way. */
const NOT_ON_ITS_WAY = new Set(['scheduled', 'queued', 'canceled', 'cancelled', 'failed', 'suppressed']);

const moment = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))),
  v.number(),
);

const summary = v.object({
  id: v.string(),
  to: v.array(v.string()),
  from: v.string(),
  subject: v.nullish(v.string(), ''),
  created_at: moment,
  last_event: v.nullish(v.string(), null),
});

const page = v.object({ data: v.array(summary), has_more: v.boolean() });

const whole = v.object({
  ...summary.entries,
  text: v.nullish(v.string(), ''),
  html: v.nullish(v.string(), ''),
});

type Summary = v.InferOutput<typeof summary>;
type Whole = v.InferOutput<typeof whole>;

/**
 * Reads Resend's sent mail, with nothing but GET requests: its keys cannot be read-only.
 *
 * Resend gives neither keys nor tags back, so a message is recognised by its recipient, its sender, its subject, and by a text
 * and an HTML that are equal to the last character. All requests of a search may take `timeoutMs` together.
 *
 * @see https://resend.com/docs/api-reference/emails/list-emails
 * @see https://resend.com/docs/api-reference/emails/retrieve-email
 */
export function resendReader(options: DestinationOptions): EmailReader {
  return {
    async findSent(message, since) {
      const session = readSession({ name: RESEND, saysNotFound: () => false }, options);
      let after: string | undefined;
      let pending: SentEmail | undefined;
      for (let read = 0; read < PAGES; read++) {
        const { data, has_more } = await pageAfter(session, after);
        const oldestWanted = since - CLOCK_SKEW_MS;
        for (const entry of data.filter((one) => one.created_at >= oldestWanted && resembles(one, message))) {
          const email = await wholeOf(session, entry.id);
          if (!equals(email, message)) continue;
          const found = sentEmail(email);
          if (found.kind === 'sent') return found;
          pending ??= found;
        }
        const last = data.at(-1);
        if (!has_more || last === undefined || last.created_at < oldestWanted)
          return pending ?? { kind: 'none' };
        after = last.id;
      }
      return pending ?? { kind: 'page-cap' };
    },
    async findById(id, to) {
      // Resend would answer 422, which says nothing of who mistyped what.
      if (!UUID.test(id)) return { kind: 'none' };
      const session = readSession({ name: RESEND, saysNotFound }, options);
      const path = `/emails/${encodeURIComponent(id)}`;
      const email = await session.ask({ method: 'GET', path, label: '/emails/{id}' }, whole);
      const [recipient, ...others] = email?.to ?? [];
      const toThem = others.length === 0 && bareAddress(recipient ?? '') === bareAddress(to);
      return email && toThem ? sentEmail(email) : { kind: 'none' };
    },
  };
}

/** The ids of messages. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Resend's own error object. */
function saysNotFound(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'name' in body && body.name === 'not_found';
}

async function pageAfter(
  session: ReadSession,
  after: string | undefined,
): Promise<v.InferOutput<typeof page>> {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(after === undefined ? {} : { after }) });
  return present(await session.ask({ method: 'GET', path: `/emails?${query}`, label: '/emails' }, page));
}

async function wholeOf(session: ReadSession, id: string): Promise<Whole> {
  const path = `/emails/${encodeURIComponent(id)}`;
  return present(await session.ask({ method: 'GET', path, label: '/emails/{id}' }, whole));
}

function present<T>(answer: T | null): T {
  if (answer === null) throw new DestinationUnreadable(RESEND, 'status-404');
  return answer;
}

function resembles(entry: Summary, message: EmailMessage): boolean {
  return (
    entry.to.length === 1 &&
    bareAddress(entry.to[0] ?? '') === bareAddress(message.to) &&
    bareAddress(entry.from) === bareAddress(message.from) &&
    oneLine(entry.subject) === oneLine(message.subject)
  );
}

function equals(email: Whole, message: EmailMessage): boolean {
  return resembles(email, message) && email.text === message.text && email.html === message.html;
}

function sentEmail({ id, created_at, last_event }: Whole): SentEmail {
  return NOT_ON_ITS_WAY.has(last_event ?? '')
    ? { kind: 'pending', id, lastEvent: last_event }
    : { kind: 'sent', id, createdAt: created_at, lastEvent: last_event };
}
