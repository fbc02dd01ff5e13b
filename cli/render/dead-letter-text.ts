import type { LeadKey } from '../../functions/domain/action.ts';
import { approvalLines, type CommandPlace } from '../../functions/domain/command-line.ts';
import {
  type DeadLetter,
  type DeadLetterReason,
  isUnderInvestigation,
} from '../../functions/domain/dead-letter.ts';
import { handoffStatus } from '../../functions/domain/handoff.ts';
import type { RouteSettings } from '../../functions/domain/route.ts';
import { readableTime } from '../../functions/domain/words.ts';
import type { UnderId } from '../../functions/ports/ledger.ts';
import { overdueSince } from '../overdue.ts';
import { type Paint, painter } from './paint.ts';
import { counted } from './words.ts';

export interface DeadLetterOptions {
  readonly route: RouteSettings;
  /** Shows what the messages say, which is personal data. */
  readonly body: boolean;
  readonly colour: boolean;
  /** How long a person may take to answer, in milliseconds. */
  readonly answerMs: number;
  readonly now: number;
  /** Where the commands have to be run that it names. */
  readonly place: CommandPlace;
}

/** The dead letters of an id as data; times are ISO 8601. */
export function shownDeadLetters(found: UnderId, body: boolean): object {
  const { handoff, waiting, conflicts } = found;
  return {
    handoff:
      handoff === null
        ? null
        : { execution: handoff.execution, run: handoff.run, status: handoffStatus({ handoff, waiting }) },
    deadLetters: found.deadLetters.map((letter) => ({
      messageId: letter.messageId,
      reason: letter.reason,
      receivedAt: new Date(letter.receivedAt).toISOString(),
      receiveCount: letter.receiveCount,
      bytes: Buffer.byteLength(letter.body),
      truncated: letter.truncated,
      ...(body ? { body: letter.body } : {}),
      waiting: letter.resolution === null ? shownWaiting(letter) : null,
      resolution:
        letter.resolution === null
          ? null
          : { ...letter.resolution, at: new Date(letter.resolution.at).toISOString() },
    })),
    refusedMeanwhile: conflicts.map(({ intentHash, firstSeenAt }) => ({
      intentHash,
      firstSeenAt: new Date(firstSeenAt).toISOString(),
    })),
  };
}

function shownWaiting({ waiting: { who, since, dueAt, asked } }: DeadLetter): object {
  return {
    who,
    since: new Date(since).toISOString(),
    dueAt: dueAt === null ? null : new Date(dueAt).toISOString(),
    asked,
  };
}

/** The dead letters of an id for people: why, when, which message, and how the investigation ends. */
export function deadLettersText(key: LeadKey, found: UnderId, options: DeadLetterOptions): string {
  const paint = painter(options.colour);
  const { deadLetters, conflicts } = found;
  const open = isUnderInvestigation(deadLetters);
  const state = open ? paint('yellow', 'under investigation') : 'nothing is being investigated any more';
  const head = [
    paint('bold', `${key.route}/${key.leadRequestId}`),
    line('state', state),
    line('handoff', handoffText(found)),
    ...(conflicts.length === 0
      ? []
      : [line('refused', `${counted(conflicts.length, 'other request')} under this id, kept as a conflict`)]),
  ].join('\n');
  const letters = deadLetters.map((letter, i) =>
    letterText(letter, `Dead letter ${i + 1} of ${deadLetters.length}`, options, paint),
  );
  return [head, ...letters, ...(open ? [nextSteps(key, options, paint)] : [])].join('\n\n');
}

function handoffText({ handoff, waiting }: UnderId): string {
  if (handoff === null) return 'there is none under this id';
  return `${handoffStatus({ handoff, waiting })}, ${handoff.execution}; it goes on as if nothing had come`;
}

function letterText(letter: DeadLetter, title: string, options: DeadLetterOptions, paint: Paint): string {
  const { messageId, reason, receivedAt, receiveCount, body, truncated } = letter;
  const size = `${counted(Buffer.byteLength(body), 'byte')}${truncated ? ', the rest was cut off' : ''}`;
  return [
    paint('bold', title),
    line('message', messageId),
    line('reason', reasonText(reason)),
    line(
      'came',
      `${readableTime(receivedAt)}, received ${counted(receiveCount, 'time')}, the dead-letter queue included`,
    ),
    ending(letter, options, paint),
    line('says', options.body ? `${size}:` : `${size} of personal data; --body shows it`),
    ...(options.body ? [visible(body)] : []),
  ].join('\n');
}

function ending(
  { waiting, resolution }: DeadLetter,
  { answerMs, now }: DeadLetterOptions,
  paint: Paint,
): string {
  if (resolution !== null) {
    const { kind, by, at, reason } = resolution;
    const what = kind === 'accepted' ? 'a corrected request was accepted' : 'dismissed';
    return line('ended', `${what}, by ${by} at ${readableTime(at)}: "${reason}"`);
  }
  const overdue = overdueSince(waiting, answerMs, now);
  const until =
    overdue === null
      ? waiting.dueAt === null
        ? 'without a due time'
        : `until ${readableTime(waiting.dueAt)}`
      : paint('red', `overdue since ${readableTime(overdue)}`);
  return line('waits for', `${waiting.who}, since ${readableTime(waiting.since)}, ${until}`);
}

function nextSteps(
  { leadRequestId }: LeadKey,
  { route: { name, approvers }, place }: DeadLetterOptions,
  paint: Paint,
): string {
  const who = approvers.map((approver) => `${approver.name} <${approver.email}>`).join(' or ');
  const { submit, dismiss } = approvalLines(leadRequestId, name, place);
  return [
    paint('bold', `What an approver can do (${who})`),
    '  Hand the corrected request in:',
    `    ${submit}`,
    '  Where there is nothing to hand off:',
    `    ${dismiss}`,
  ].join('\n');
}

function reasonText({ code, field }: DeadLetterReason): string {
  const named = field === null ? '' : `: ${field} is missing or wrong`;
  switch (code) {
    case 'not-json':
      return `it is not JSON (${code})`;
    case 'not-a-lead-message':
      return `it is not {"route": …, "lead": …}${named} (${code})`;
    case 'unknown-route':
      return `it names no route of this stage (${code})`;
    case 'invalid-lead-request':
      return `its lead request is not valid${named} (${code})`;
    case 'not-accepted':
      return `its lead request is valid, and every try to accept it failed (${code})`;
  }
}

function line(name: string, value: string): string {
  return `  ${name.padEnd(11)}  ${value}`;
}

/** A message may hold anything, and a terminal obeys some of it: control characters are shown, and not sent. */
function visible(body: string): string {
  return body
    .split('\n')
    .map((text) => `    ${text.replace(/[\p{Cc}\p{Cf}]/gu, (character) => escaped(character))}`)
    .join('\n');
}

function escaped(character: string): string {
  return character === '\t'
    ? character
    : `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
