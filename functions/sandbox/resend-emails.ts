import * as v from 'valibot';
import { type Call, jsonBody, param } from './call.ts';
import { horizon } from './property-history.ts';
import { missingField, ResendRefusal, validationError } from './resend-errors.ts';
import { earlierEmailId, keyOf, rememberKey } from './resend-keys.ts';
import { resendTime } from './resend-time.ts';
import type { Email } from './state.ts';
import { addressOf, isTestAddress } from './test-recipients.ts';
import { type Answer, ok } from './wire.ts';

/**
 * Messages as Resend's `/emails` serves them. Reads never show tags, headers or idempotency keys.
 * https://resend.com/docs/api-reference/emails/send-email, …/retrieve-email, …/list-emails
 */

const MAX_RECIPIENTS = 50;

const mailboxes = v.optional(v.union([v.string(), v.array(v.string())]));

const sendBody = v.object({
  from: v.optional(v.string()),
  to: mailboxes,
  subject: v.optional(v.string()),
  cc: mailboxes,
  bcc: mailboxes,
  reply_to: mailboxes,
  html: v.optional(v.nullable(v.string())),
  text: v.optional(v.nullable(v.string())),
  headers: v.optional(v.record(v.string(), v.string())),
  tags: v.optional(v.array(v.object({ name: v.string(), value: v.string() }))),
  scheduled_at: v.optional(v.nullable(v.string())),
});

export function sendEmail(call: Call): Answer {
  const key = keyOf(call);
  const message = parseMessage(call);
  const earlier = key === null ? null : earlierEmailId(call, key);
  if (earlier !== null) return ok({ id: earlier });
  const email: Email = {
    ...message,
    id: call.ids(),
    key,
    acceptedAt: call.now,
    lastEvent: message.scheduledAt === null ? call.state.settings.emailLastEvent : 'scheduled',
  };
  call.state.emails.push(email);
  call.state.emailById.set(email.id, email);
  if (key !== null) rememberKey(call, key, email.id);
  return { status: 200, body: { id: email.id }, applied: true };
}

type Message = Omit<Email, 'id' | 'key' | 'acceptedAt' | 'lastEvent'>;

function parseMessage(call: Call): Message {
  const parsed = v.safeParse(sendBody, jsonBody(call));
  if (!parsed.success) throw validationError(`Invalid request body: ${v.summarize(parsed.issues)}`);
  const { from, subject, html, text, scheduled_at: scheduledAt } = parsed.output;
  if (!from) throw missingField('from');
  if (parsed.output.to === undefined) throw missingField('to');
  if (!subject) throw missingField('subject');
  if (!html && !text) throw missingField('html');
  requireMailbox('from', from);
  const message: Message = {
    from,
    to: recipients('to', parsed.output.to),
    cc: recipients('cc', parsed.output.cc),
    bcc: recipients('bcc', parsed.output.bcc),
    replyTo: listOf(parsed.output.reply_to),
    subject,
    html: html || null,
    text: text || null,
    scheduledAt: scheduledAt || null,
  };
  for (const address of message.replyTo) requireMailbox('reply_to', address);
  if (message.to.length === 0) throw missingField('to');
  return message;
}

/** Refuses anybody who could be real: nothing is stored and nothing is sent. */
function recipients(field: string, value: string | readonly string[] | undefined): string[] {
  const list = listOf(value);
  if (list.length > MAX_RECIPIENTS) {
    throw validationError(`The \`${field}\` field must not have more than ${MAX_RECIPIENTS} recipients.`);
  }
  for (const mailbox of list) {
    if (!isTestAddress(requireMailbox(field, mailbox))) {
      throw validationError(
        `The sandbox refuses the \`${field}\` field: only reserved test domains (example.com, example.org, example.net, ` +
          '*.example, *.test, *.invalid, localhost) may receive.',
      );
    }
  }
  return list;
}

function requireMailbox(field: string, mailbox: string): string {
  const address = addressOf(mailbox);
  if (address === null) {
    throw validationError(
      `Invalid \`${field}\` field. The email address needs to follow the \`email@example.com\` or ` +
        '`Name <email@example.com>` format.',
    );
  }
  return address;
}

function listOf(value: string | readonly string[] | undefined): string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : [...value];
}

export function readEmail(call: Call): Answer {
  const id = param(call, 0);
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) {
    throw new ResendRefusal(422, 'invalid_parameter', 'The `id` must be a valid UUID.');
  }
  const email = call.state.emailById.get(id.toLowerCase());
  if (!email || email.acceptedAt > horizon(call.now, call.state.settings.keyReadLagMs)) throw emailNotFound();
  const body = {
    object: 'email',
    ...summary(email),
    message_id: `<${email.id}@email.example.com>`,
    html: email.html,
    text: email.text,
  };
  return ok(body);
}

/** Newest first; `after` and `before` are ids. https://resend.com/docs/api-reference/pagination */
export function listEmails(call: Call): Answer {
  const until = horizon(call.now, call.state.settings.keyReadLagMs);
  const visible = call.state.emails.filter((email) => email.acceptedAt <= until).reverse();
  const limit = pageLimit(call.query.get('limit'));
  const after = call.query.get('after');
  const before = call.query.get('before');
  if (after && before) throw validationError('The `after` and `before` parameters cannot be used together.');
  let from = 0;
  let to = visible.length;
  if (after) from = position(visible, after) + 1;
  if (before) to = position(visible, before);
  const data = before ? visible.slice(Math.max(from, to - limit), to) : visible.slice(from, from + limit);
  const hasMore = to - from > limit;
  return {
    status: 200,
    body: { object: 'list', has_more: hasMore, data: data.map(summary) },
    applied: false,
  };
}

/** `POST /emails/{id}/cancel`: a scheduled message that is not sent after all. */
export function cancelEmail(call: Call): Answer {
  const email = call.state.emailById.get(param(call, 0).toLowerCase());
  if (!email) throw emailNotFound();
  if (email.lastEvent !== 'scheduled') throw validationError('Only scheduled emails can be canceled.');
  email.lastEvent = 'canceled';
  return { status: 200, body: { object: 'email', id: email.id }, applied: true };
}

function pageLimit(raw: string | null): number {
  if (raw === null) return 20;
  const limit = Number(raw);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw validationError('The `limit` must be a number between 1 and 100.');
  }
  return limit;
}

function position(emails: readonly Email[], id: string): number {
  const found = emails.findIndex((email) => email.id === id);
  if (found === -1) throw validationError('The pagination cursor is not the id of an email.');
  return found;
}

function emailNotFound(): ResendRefusal {
  return new ResendRefusal(404, 'not_found', 'Email not found');
}

function summary(email: Email): Record<string, unknown> {
  return {
    id: email.id,
    to: email.to,
    from: email.from,
    created_at: resendTime(email.acceptedAt),
    subject: email.subject,
    bcc: email.bcc,
    cc: email.cc,
    reply_to: email.replyTo,
    last_event: email.lastEvent,
    scheduled_at: email.scheduledAt,
  };
}
