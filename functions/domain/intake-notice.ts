import type { LeadKey } from './action.ts';
import { approvalLines, decideLine, investigateLine, resubmitLine, showLine } from './command-line.ts';
import { DEAD_LETTER, type DeadLetter, type DeadLetterReason } from './dead-letter.ts';
import type { Handoff, Waiting } from './handoff.ts';
import type { RecoveryOpened } from './recovery-opened.ts';
import type { RouteSettings } from './route.ts';
import { type PersonsHandoff, SAME_PERSON } from './same-person.ts';
import type { Stage, StageNumbers } from './stage-numbers.ts';
import { readableTime } from './words.ts';

/** Why the recovery owner is told of a request that came under a known id with other fields. */
export const OTHER_FIELDS = 'other-fields';

export interface NoticeContext {
  readonly route: RouteSettings;
  readonly stage: Stage;
}

/** Until when a person who is asked now has to answer, epoch milliseconds. */
export function answerDueAt(
  now: number,
  { route, numbers }: { route: Pick<RouteSettings, 'askSlaSeconds'>; numbers: StageNumbers },
): number {
  return now + (route.askSlaSeconds ?? numbers.askSlaSeconds) * 1000;
}

/** Asks what to do with a handoff whose person has another one. */
export function samePersonOpened(
  handoff: Pick<Handoff, 'route' | 'leadRequestId'>,
  rival: PersonsHandoff,
  waiting: Waiting,
  context: NoticeContext,
): RecoveryOpened {
  const { route, leadRequestId } = handoff;
  const { windowHours } = context.route.samePerson;
  const stop = { decision: 'stop', action: 'upsert-contact', leadRequestId } as const;
  return opened(handoff, waiting, [
    `${route}/${leadRequestId} waits for a person: its person sent ${route}/${rival.leadRequestId} less than ${windowHours} hours before or after it (${SAME_PERSON}).`,
    '',
    'Nothing was done for it. Look at both:',
    ...[rival.leadRequestId, leadRequestId].map((id) => `  ${showLine(id, route, context)}`),
    '',
    `Then start an execution of the state machine ${recoveryMachine(route, context)}, or run the command; fill in who you are and why. To hand it off as well:`,
    `  ${input({ decision: 'resubmit', leadRequestId })}`,
    `  ${resubmitLine(leadRequestId, route, context)}`,
    'To leave it at the other one, stop its first action, and the others stop with it:',
    `  ${input(stop)}`,
    `  ${decideLine(stop, route, context)}`,
    '',
    dueSentence(waiting, context),
  ]);
}

/** Asks what to do with a message that could not be accepted. */
export function deadLetterOpened(key: LeadKey, letter: DeadLetter, context: NoticeContext): RecoveryOpened {
  const { route, leadRequestId } = key;
  const { messageId, reason, waiting } = letter;
  return opened(key, waiting, [
    `A message of the queue could not be accepted on route ${route}: ${reasonSentence(reason)} (${DEAD_LETTER}).`,
    '',
    `It is message ${messageId}, which ${cameAndWasReceived(letter)}. It is kept under the id ${leadRequestId}:`,
    `  ${investigateLine(leadRequestId, route, context)}`,
    `  ${investigateLine(leadRequestId, route, context, '--body')}   (with what it says, which is personal data)`,
    '',
    'Until this is decided, no other request under this id is accepted. It is not sent again by itself: find out what went wrong, and mend it where it came from.',
    'An approver hands the corrected request in with',
    `  ${approvalLines(leadRequestId, route, context).submit}`,
    '',
    dueSentence(waiting, context),
  ]);
}

/** Tells of a request that came under a known id with other fields. Nobody waits for an answer. */
export function otherFieldsOpened(key: LeadKey, intentHash: string, context: NoticeContext): RecoveryOpened {
  const { route, leadRequestId } = key;
  const text = [
    `The id ${leadRequestId} came again on route ${route}, with other fields than the first time (${OTHER_FIELDS}).`,
    '',
    `The first request stands and goes on. The other fields were refused, and are kept as ${intentHash}:`,
    `  ${showLine(leadRequestId, route, context)}`,
    '',
    'Where an action was refused because of its first fields, an approver may put these in their place: the decision "amend" with this hash as its evidence.',
    'Where the source uses one id for two inquiries, mend the source: the second inquiry is not handed off.',
  ].join('\n');
  const who = context.route.recoveryOwner.email;
  return { ...key, action: 'handoff', why: OTHER_FIELDS, who, asked: 0, escalated: false, dueAt: null, text };
}

function opened(key: LeadKey, waiting: Waiting, lines: readonly string[]): RecoveryOpened {
  const { route, leadRequestId } = key;
  const { action, why, who, asked, dueAt } = waiting;
  return {
    route,
    leadRequestId,
    action,
    why,
    who,
    asked,
    escalated: asked > 0,
    dueAt: dueAt === null ? null : new Date(dueAt).toISOString(),
    text: lines.join('\n'),
  };
}

/** When a message came, and how often it was read before it was written down. */
export function cameAndWasReceived({ receivedAt, receiveCount }: DeadLetter): string {
  const times = receiveCount === 1 ? 'once' : `${receiveCount} times`;
  return `came at ${readableTime(receivedAt)} and was received ${times}, the dead-letter queue included`;
}

/** Why a message could not be accepted, after "because". */
export function reasonSentence({ code, field }: DeadLetterReason): string {
  switch (code) {
    case 'not-json':
      return 'it is not JSON';
    case 'not-a-lead-message':
      return `it is not {"route": …, "lead": …}${field === null ? '' : `, ${field} is missing or wrong`}`;
    case 'unknown-route':
      return 'it names no route of this stage';
    case 'invalid-lead-request':
      return `its lead request is not valid${field === null ? '' : `, ${field} is missing or wrong`}`;
    case 'not-accepted':
      return 'its lead request is valid, and every try to accept it failed';
  }
}

function dueSentence({ dueAt }: Waiting, { route }: NoticeContext): string {
  return dueAt === null
    ? 'Nobody else is asked any more: it waits until somebody decides.'
    : `Please answer by ${readableTime(dueAt)}; then ${route.escalationOwner.email} is asked.`;
}

/** The name of the state machine that takes decisions about a route's handoffs. */
function recoveryMachine(route: string, { stage }: NoticeContext): string {
  return `lead-handoff-${stage}-recovery-${route}`;
}

function input(decision: object): string {
  return JSON.stringify({ ...decision, by: '', reason: '' });
}
