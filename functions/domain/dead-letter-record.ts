import type { LeadKey } from './action.ts';
import { approvalLines, investigateLine } from './command-line.ts';
import {
  type DeadLetter,
  type DeadLetterReason,
  isUnderInvestigation,
  type Resolution,
} from './dead-letter.ts';
import { cameAndWasReceived, type NoticeContext, reasonSentence } from './intake-notice.ts';
import { readableTime } from './words.ts';

/** A dead letter without what it says and without the reasons that people typed. Times are ISO 8601. */
export interface DeadLetterRecord {
  readonly messageId: string;
  readonly reason: DeadLetterReason;
  readonly receivedAt: string;
  readonly receiveCount: number;
  /** Who is asked about it; null where its investigation has ended. */
  readonly waiting: { readonly who: string; readonly since: string; readonly dueAt: string | null } | null;
  readonly resolution: (Pick<Resolution, 'kind' | 'by'> & { readonly at: string }) | null;
}

/** The dead letters of an id under which there is no handoff, as data and as text. */
export interface ShownDeadLetters extends LeadKey {
  readonly deadLetters: readonly DeadLetterRecord[];
  readonly text: string;
}

/** What is kept under an id that has no handoff; no personal data. */
export function shownDeadLetters(
  key: LeadKey,
  deadLetters: readonly DeadLetter[],
  context: NoticeContext,
): ShownDeadLetters {
  const { route, leadRequestId } = key;
  const open = isUnderInvestigation(deadLetters);
  const text = [
    `Under ${route}/${leadRequestId} there is no handoff, but ${deadLetters.length === 1 ? 'a message' : `${deadLetters.length} messages`} of the queue that could not be accepted (dead-letter).`,
    ...deadLetters.map(letterText),
    open ? whatToDo(key, context) : 'Nothing is being investigated any more, and nobody is asked.',
  ].join('\n\n');
  return { route, leadRequestId, deadLetters: deadLetters.map(recordOf), text };
}

function recordOf(letter: DeadLetter): DeadLetterRecord {
  const { messageId, reason, receivedAt, receiveCount, waiting, resolution } = letter;
  return {
    messageId,
    reason,
    receivedAt: iso(receivedAt),
    receiveCount,
    waiting:
      resolution === null
        ? {
            who: waiting.who,
            since: iso(waiting.since),
            dueAt: waiting.dueAt === null ? null : iso(waiting.dueAt),
          }
        : null,
    resolution: resolution && { kind: resolution.kind, by: resolution.by, at: iso(resolution.at) },
  };
}

function letterText(letter: DeadLetter): string {
  const { messageId, reason, waiting, resolution } = letter;
  const due = waiting.dueAt === null ? 'without a due time' : `until ${readableTime(waiting.dueAt)}`;
  return [
    `Message ${messageId}: ${reasonSentence(reason)} (${reason.code}). It ${cameAndWasReceived(letter)}.`,
    resolution === null
      ? `It waits for ${waiting.who} since ${readableTime(waiting.since)}, ${due}.`
      : `Its investigation has ended: ${endedBy(resolution)}.`,
  ].join('\n');
}

/** An approver names a dead letter that is not being investigated: there is none, or its investigation has ended. */
export class NotUnderInvestigation extends Error {
  override readonly name = 'NotUnderInvestigation';

  constructor({ route, leadRequestId }: LeadKey, ended: Resolution | null) {
    super(
      ended === null
        ? `There is no dead letter under ${leadRequestId} on route ${route}: "waiting" lists those that are investigated.`
        : `Nothing under ${leadRequestId} on route ${route} is being investigated any more: ${endedBy(ended)}.`,
    );
  }
}

/** Two approvers ended an investigation at the same time, one by a corrected request and one by dismissing it; this is the later one. */
export class EndedMeanwhile extends Error {
  override readonly name = 'EndedMeanwhile';

  constructor(leadRequestId: string, ended: Resolution, accepted: string | null) {
    super(
      `The investigation under ${leadRequestId} was ended by somebody else meanwhile: ${endedBy(ended)}.${
        accepted === null
          ? ''
          : ` Your request was accepted all the same, as ${accepted}: talk to each other.`
      }`,
    );
  }
}

/** How the investigation of a dead letter ended, who ended it and when. */
export function endedBy({ kind, by, at }: Omit<Resolution, 'reason'>): string {
  const what = kind === 'accepted' ? 'a corrected request was accepted' : 'it was dismissed';
  return `${what}, by ${by} at ${readableTime(at)}`;
}

function whatToDo({ route, leadRequestId }: LeadKey, { route: settings, stage }: NoticeContext): string {
  const approvers = settings.approvers.map(({ name, email }) => `${name} (${email})`).join(' or ');
  const dismissal = { route, dismissal: { leadRequestId, by: '', reason: '' } };
  const lines = approvalLines(leadRequestId, route, { stage });
  return [
    'What it says is personal data, and only the command line shows it:',
    `  ${investigateLine(leadRequestId, route, { stage }, '--body')}`,
    `An approver (${approvers}) hands the corrected request in with`,
    `  ${lines.submit}`,
    'or, where there is nothing to hand off, ends it with',
    `  ${lines.dismiss}`,
    `or with this as the event of the function lead-handoff-${stage}-start, "by" and "reason" filled in:`,
    `  ${JSON.stringify(dismissal)}`,
  ].join('\n');
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
