import { createHash } from 'node:crypto';
import type { LeadKey } from './action.ts';
import type { Waiting } from './handoff.ts';
import { InvalidLeadMessage, type LeadMessage, type MessageFault, parseLeadMessage } from './lead-message.ts';
import {
  InvalidLeadRequest,
  isLeadRequestId,
  LEAD_REQUEST_FIELDS,
  parseLeadRequest,
} from './lead-request.ts';

/** Why a message waits that could not be accepted. */
export const DEAD_LETTER = 'dead-letter';

/** Bytes of a message that are kept: no lead request may be longer. */
const LONGEST_BODY = 65_536;

/**
 * Why a message ended among the dead letters, as a code and the field that it is about. `not-accepted`: the lead request is a good
 * one, and none of the tries to accept it came to an end.
 */
export interface DeadLetterReason {
  readonly code: MessageFault | 'unknown-route' | 'invalid-lead-request' | 'not-accepted';
  readonly field: string | null;
}

/** A message that could not be accepted: work to investigate, never permission to replay. */
export interface DeadLetter {
  readonly messageId: string;
  readonly reason: DeadLetterReason;
  /** When the source put it on the queue, epoch milliseconds. */
  readonly receivedAt: number;
  /** How often it had been received when it was written down. */
  readonly receiveCount: number;
  /** What it says, as it came. The ledger alone holds it. */
  readonly body: string;
  /** The message was longer than what is kept of it. */
  readonly truncated: boolean;
  /** Who is asked about it. */
  readonly waiting: Waiting;
  readonly resolution: Resolution | null;
}

/** How an approver ended the investigation of a dead letter. */
export interface Resolution {
  /** `accepted`: the corrected request was handed in; `dismissed`: there is nothing to hand off. */
  readonly kind: 'accepted' | 'dismissed';
  readonly by: string;
  readonly reason: string;
  readonly at: number;
}

/** A message as the queue delivers it. */
export interface QueuedMessage {
  readonly messageId: string;
  readonly body: string;
  /** When the source put it on the queue, epoch milliseconds. */
  readonly sentAt: number;
  readonly receiveCount: number;
}

/** The message of a dead letter, and under which id it is kept. */
export interface ReadDeadLetter {
  readonly key: LeadKey;
  readonly deadLetter: Omit<DeadLetter, 'waiting' | 'resolution'>;
}

/**
 * Reads a dead letter. It is kept under its lead request id where it has one, and otherwise under an id that is made of the
 * message's; a message without a known route goes to the first one, because somebody has to look at it.
 *
 * @param routes the names of all routes, at least one
 */
export function readDeadLetter(message: QueuedMessage, routes: readonly string[]): ReadDeadLetter {
  const { messageId, sentAt: receivedAt, receiveCount } = message;
  const { reason, route, leadRequestId } = examined(message.body, routes);
  const kept = beginning(message.body, LONGEST_BODY);
  return {
    key: { route: route ?? routes[0] ?? '', leadRequestId: leadRequestId ?? nameOfMessage(messageId) },
    deadLetter: {
      messageId,
      reason,
      receivedAt,
      receiveCount,
      body: kept,
      truncated: kept.length < message.body.length,
    },
  };
}

/** Whether somebody still has to look at one of them. */
export function isUnderInvestigation(deadLetters: readonly DeadLetter[]): boolean {
  return deadLetters.some(({ resolution }) => resolution === null);
}

interface Examined {
  readonly reason: DeadLetterReason;
  readonly route: string | null;
  readonly leadRequestId: string | null;
}

function examined(body: string, routes: readonly string[]): Examined {
  let message: LeadMessage;
  try {
    message = parseLeadMessage(body);
  } catch (error) {
    if (!(error instanceof InvalidLeadMessage)) throw error;
    return { reason: { code: error.code, field: error.field }, route: null, leadRequestId: null };
  }
  const { lead } = message;
  const route = routes.find((name) => name === message.route) ?? null;
  const id = (lead as { leadRequestId?: unknown } | null)?.leadRequestId;
  const leadRequestId = isLeadRequestId(id) ? id : null;
  if (route === null) return { reason: { code: 'unknown-route', field: 'route' }, route, leadRequestId };
  return { reason: reasonOf(lead), route, leadRequestId };
}

function reasonOf(lead: unknown): DeadLetterReason {
  try {
    parseLeadRequest(lead);
    return { code: 'not-accepted', field: null };
  } catch (error) {
    if (!(error instanceof InvalidLeadRequest)) throw error;
    // The name of a field that nobody knows could itself say something of a person.
    const known = LEAD_REQUEST_FIELDS.includes(error.field);
    return { code: 'invalid-lead-request', field: known ? error.field : null };
  }
}

/** The flag by which an approver names a dead letter that has no lead request id of its own: that of the corrected request is another. */
export function keptUnderFlag(leadRequestId: string): string[] {
  return /^dead-[0-9a-f]{16}$/.test(leadRequestId) ? ['--kept-under', leadRequestId] : [];
}

function nameOfMessage(messageId: string): string {
  return `dead-${createHash('sha256').update(messageId).digest('hex').slice(0, 16)}`;
}

/** As many whole characters as fit into `bytes` of UTF-8. */
function beginning(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}
