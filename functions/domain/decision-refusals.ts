import type { ActionName, LeadKey } from './action.ts';
import type { ActionState } from './action-state.ts';
import { OVERWRITTEN, refusalInWords } from './choice-words.ts';
import type { Decision, DecisionKind, RecordedDecision } from './decision.ts';
import type { DecisionRefusal } from './decision-rules.ts';
import type { Conflict, Handoff } from './handoff.ts';
import type { RouteSettings } from './route.ts';
import type { PersonsHandoff } from './same-person.ts';
import { inWords, readableTime } from './words.ts';

export type RefusalName =
  | 'InvalidDecision'
  | 'UnknownHandoff'
  | 'HandoffClosed'
  | 'NobodyIsAsked'
  | 'StaleDecision'
  | 'AlreadyDecided'
  | 'DecisionNotPossible'
  | 'NotAnApprover'
  | 'NothingToAmend'
  | 'SamePerson';

/** Why what a person asked for is not done: a name for machines, and a sentence that says what is so and what to do. */
export class Refusal {
  readonly error: RefusalName;
  readonly message: string;

  constructor(error: RefusalName, message: string) {
    this.error = error;
    this.message = message;
  }
}

/** @param problem what is wrong with the field, without its value */
export function invalidDecision(field: string, problem: string): Refusal {
  return new Refusal('InvalidDecision', `${field}: ${problem}.`);
}

export function unknownHandoff({ route, leadRequestId }: LeadKey): Refusal {
  return new Refusal(
    'UnknownHandoff',
    `There is no handoff ${leadRequestId} on route ${route}: check the id and the route; "waiting" lists what waits.`,
  );
}

/** @param actions those of the handoff: who decided about them last is told */
export function handoffClosed(
  { route, leadRequestId, closedAt, joinedTo }: Handoff,
  actions: readonly ActionState[],
): Refusal {
  const at = closedAt === null ? '' : ` at ${readableTime(closedAt)}`;
  const joined =
    joinedTo === undefined ? '' : `, because lead request ${joinedTo} of the same person stands for it,`;
  return new Refusal(
    'HandoffClosed',
    `The handoff ${route}/${leadRequestId} was closed${at}${joined} and takes no more decisions: "show" says how it ended.${lastOf(actions)}`,
  );
}

export function nobodyIsAsked({ action, lastDecision }: ActionState): Refusal {
  return new Refusal(
    'NobodyIsAsked',
    `Nobody is asked about ${action} now, so there is nothing to answer.${said(lastDecision)} Look at "show"; only stop is possible at any time.`,
  );
}

export function staleDecision(action: ActionName, decidedOn: string, seenNow: string): Refusal {
  return new Refusal(
    'StaleDecision',
    `Your decision about ${action} rests on "${inWords(decidedOn)}", but the last read says "${inWords(seenNow)}": look at "show" and decide on that.`,
  );
}

export function alreadyDecided(action: ActionName, pending: Decision): Refusal {
  const then =
    pending.kind === 'stop'
      ? 'Nothing takes the place of a stop.'
      : 'Until it is carried out, only stop may take its place.';
  return new Refusal(
    'AlreadyDecided',
    `About ${action} it is already decided: ${decided({ decision: pending, result: 'pending' })}. ${then}`,
  );
}

/**
 * @param seen the finding that the person sees, where that tells more
 * @param before the last decision about the action, where that is told: it may have ended it
 */
export function decisionNotPossible(
  action: ActionName,
  decision: DecisionKind,
  why: DecisionRefusal,
  { seen = null, before = null }: { seen?: string | null; before?: RecordedDecision | null } = {},
): Refusal {
  return new Refusal(
    'DecisionNotPossible',
    `${decision} is not possible for ${action}, because ${refusalInWords(why, seen)}. ${seen === OVERWRITTEN && why === 'person-changed-it' ? TO_GIVE_BACK : WHAT_TO_DO[why]}${said(before)}`,
  );
}

export function notAnApprover(decision: DecisionKind, { name, approvers }: RouteSettings): Refusal {
  const names = approvers.map((approver) => `${approver.name} (${approver.email})`);
  return new Refusal(
    'NotAnApprover',
    `Only an approver may decide ${decision} here: on route ${name} that is ${names.join(' or ')}, and "by" must be the name or the email address as written here.`,
  );
}

/** @param other the handoff of the person whom the corrected address belongs to */
export function samePersonElsewhere(other: PersonsHandoff): Refusal {
  const { leadRequestId, acceptedAt } = other;
  return new Refusal(
    'SamePerson',
    `The corrected address is that of another handoff, ${leadRequestId}, accepted at ${readableTime(acceptedAt)}: look at that one, and stop one of the two. To hand off both, decide again with "riskAccepted": true.`,
  );
}

/** @param named the hash that the person gave: where it is the beginning of one that came, that one is told whole */
export function nothingToAmend(
  { leadRequestId }: LeadKey,
  conflicts: readonly Conflict[],
  named: string,
): Refusal {
  const hashes = conflicts
    .toSorted((a, b) => a.firstSeenAt - b.firstSeenAt)
    .map(({ intentHash }) => intentHash);
  const meant = hashes.filter((hash) => hash.startsWith(named));
  const known = (meant.length === 0 ? hashes : meant).slice(-MOST_HASHES);
  const then =
    known.length === 0
      ? 'hand the lead request in again under its id with the corrected fields, then amend'
      : known.length === 1
        ? `put this hash, whole, into "evidence": ${known[0]}`
        : `put one of these hashes, whole, into "evidence": ${known.join(', ')}`;
  return new Refusal(
    'NothingToAmend',
    `Lead request ${leadRequestId} never came with fields of that hash: ${then}.`,
  );
}

/** What to do where our owner stands in the place of a person's. */
const TO_GIVE_BACK = 'Look at "show": keep-owner says how to give the contact back.';

/** How many hashes a sentence names at most: the newest. */
const MOST_HASHES = 3;

const RESULTS: Readonly<Record<RecordedDecision['result'], string>> = {
  pending: 'not carried out yet',
  used: 'carried out',
  'turned-down': 'not carried out, because a fresh read did not bear it',
  'too-late': 'not carried out, because the action was over before',
};

/** The newest decision about any of the actions, as a sentence. */
function lastOf(actions: readonly ActionState[]): string {
  const [newest] = actions
    .flatMap(({ action, lastDecision }) => (lastDecision === null ? [] : [{ action, lastDecision }]))
    .sort((a, b) => b.lastDecision.decision.at - a.lastDecision.decision.at);
  return newest === undefined ? '' : said(newest.lastDecision, ` about ${newest.action}`);
}

function said(before: RecordedDecision | null, about = ''): string {
  return before === null ? '' : ` The last decision${about}: ${decided(before)}.`;
}

/** Who decided what and when, and what became of it. */
function decided({ decision: { kind, by, at }, result }: RecordedDecision): string {
  return `${kind} by ${by} at ${readableTime(at)}, ${RESULTS[result]}`;
}

const LOOK = 'Look at "show" for what is possible.';

const WHAT_TO_DO: Readonly<Record<DecisionRefusal, string>> = {
  'already-final': '"show" says how it ended, or how it is ending.',
  'already-done': 'There is nothing left to decide about it.',
  'taken-over': 'Choose confirm if it was done by hand, release if it was not.',
  'not-taken-over': 'Choose take-over first where you want to do it by hand.',
  'person-changed-it':
    'What that person did stays: choose confirm where the effect is there all the same, or stop.',
  'no-owner-to-keep': LOOK,
  'not-an-introduction': 'It goes with send-introduction only.',
  'nothing-was-sent': 'Choose resume to let it go on.',
  'other-address': 'Stop what is left, and hand the lead in under a new id with the right address.',
  'not-for-this-finding': LOOK,
  'risk-not-accepted': 'Add "riskAccepted": true if you accept that it may happen twice.',
  'statement-missing': 'Add "notDone": true to state that you did not do it.',
  'evidence-missing': 'Add it as "evidence".',
  'not-proven': 'Decide again when a read has proved that it did not happen.',
};
