import type { ActionName } from './action.ts';
import { provenNotApplied } from './decision-guide.ts';
import type { DecisionDetails, DecisionFacts, DecisionRefusal } from './decision-rules.ts';
import { destinationName, readableTime } from './words.ts';

/** How sentences speak of an action's effect. */
interface EffectWords {
  /** After "whether": it happened. */
  readonly happened: string;
  readonly notHappened: string;
  /** What happens on the first attempt, and on a later one. */
  readonly first: string;
  readonly again: string;
  /** What a person does who does it by hand. */
  readonly byHand: string;
  /** What stopping it means for the rest. */
  readonly stopped: string;
}

export const EFFECTS: Readonly<Record<ActionName, EffectWords>> = {
  'upsert-contact': {
    happened: 'the contact was written',
    notHappened: 'the contact was not written',
    first: 'the contact is written',
    again: 'the contact is written once more',
    byHand: 'write the contact in the CRM',
    stopped:
      'No contact is written any more, and everything that needs it ends too: owner, task, introduction.',
  },
  'assign-owner': {
    happened: 'the owner was set',
    notHappened: 'the owner was not set',
    first: 'the owner is set',
    again: 'the owner is set once more',
    byHand: 'set the owner in the CRM',
    stopped:
      'No owner is set any more. The task goes on; the introduction asks separately, because it needs an owner.',
  },
  'create-task': {
    happened: 'the task was created',
    notHappened: 'the task was not created',
    first: 'the task is created',
    again: 'the task is created once more',
    byHand: 'create the task in the CRM',
    stopped: 'No task is created any more. The introduction goes on.',
  },
  'send-introduction': {
    happened: 'the introduction was sent',
    notHappened: 'the introduction was not sent',
    first: 'the introduction is sent',
    again: 'the introduction is sent once more',
    byHand: 'write to the lead',
    stopped: 'No introduction is sent any more. The task goes on.',
  },
};

/**
 * What a decision will do, for the person who is about to make it.
 *
 * @param firstFields intent hash of the fields that came first
 */
export function whatItDoes(
  details: DecisionDetails,
  judgement: 'allowed' | 'if-proven',
  facts: DecisionFacts,
  firstFields: string,
): string {
  const words = EFFECTS[facts.action];
  switch (details.kind) {
    case 'resume':
      return `${resume(judgement, facts)}${heldFor(facts)}`;
    case 'confirm':
      return `Takes your word that ${words.happened}; it is not tried again. ${namedRecord(facts)}`;
    case 'take-over':
      return `Keeps everything else away from it while you ${words.byHand}. Come back afterwards and choose confirm, or release.${
        details.riskAccepted
          ? ` Whether ${words.happened} is not known: with "riskAccepted" you accept that it may happen twice.`
          : ''
      }`;
    case 'release':
      return `Gives it back: you state that you did not do it. ${name(facts)} is read, and what is missing goes on by itself.`;
    case 'keep-owner':
      return `${giveBack(facts)}Leaves the owner that the CRM shows now, and counts the assignment as done. The task and the introduction go on under that owner.`;
    case 'send-as-current-owner':
      return judgement === 'allowed'
        ? `Reads ${name(facts)} again and, if it still does not show the former one, writes a new introduction in the name of the owner that the CRM shows then, and sends it. ${name(facts)} takes it for another message, and would not notice a repeat.`
        : `${onlyIfProven(facts)}, a new introduction is written in the name of the owner that the CRM shows then, and sent; otherwise you are asked again.`;
    case 'amend':
      return judgement === 'allowed'
        ? `${capital(`${ifStillAbsent(facts)}${amended(details, firstFields)}`)}, and ${words.again}.`
        : `${onlyIfProven(facts)}, ${amended(details, firstFields)}, and ${words.again}; otherwise you are asked again.`;
    case 'stop':
      return `${words.stopped}${isCertain(facts) ? '' : ` Should it turn out that ${words.happened}, the record will say so.`}`;
  }
}

/** The CRM is read again before the decision is carried out, so whom a person sets meanwhile is who stays. */
function giveBack({ seen, state }: DecisionFacts): string {
  if (seen.code !== OVERWRITTEN) return '';
  const former = state.evidence?.facts.overwrittenOwnerId;
  const whom = typeof former === 'string' ? `owner ${former}` : 'the owner that was written over';
  const what = former === null ? 'clear its owner' : `set ${whom}`;
  return `To give the contact back, ${what} in the CRM first, and choose this afterwards: it is read again. `;
}

function amended({ evidence }: DecisionDetails, firstFields: string): string {
  if (evidence === undefined) {
    return "the request is written anew from the lead's fields and the route's settings as they are deployed now";
  }
  const hash = evidence.slice(0, 12);
  const fields =
    evidence === firstFields
      ? `the first fields ${hash} come back into their place`
      : `the corrected fields ${hash} take the place of the lead's`;
  return `${fields} (for this and every later action)`;
}

function capital(sentence: string): string {
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
}

function resume(judgement: 'allowed' | 'if-proven', facts: DecisionFacts): string {
  const { action, state, seen, contract } = facts;
  const { first, again } = EFFECTS[action];
  if (judgement === 'if-proven') {
    const gone = seen.code === 'superseded:contact-archived' || seen.code === 'superseded:contact-deleted';
    const when = gone ? 'Choose this when the contact is there again. ' : '';
    return `${when}${onlyIfProven(facts)}, ${again}; otherwise you are asked again.`;
  }
  if (state.attempt === 0) return `Lets it go on: ${first}.`;
  if (seen.code === 'superseded:sender-no-longer-owner') {
    return 'Writes the introduction again in the name of the present owner, and sends it. No request of the former one ever left.';
  }
  if (provenNotApplied(state)) return `Tries it once more: ${first}. The attempts before had no effect.`;
  if (seen.code === 'absent') {
    const unseen =
      contract.kind === 'stamp-and-search'
        ? ' A task that its search does not show would then be there twice.'
        : '';
    return `${ifStillAbsent(facts)}${again}.${unseen}`;
  }
  return `Sends the same request again under the same key. ${name(facts)} recognises a repeat${until(facts)}, and does nothing twice.`;
}

/** A person who decides while nothing may go out waits as well. */
function heldFor({ state }: DecisionFacts): string {
  const reason = state.lastRead?.disposition === 'park' ? state.lastRead.reason : null;
  if (reason === 'route-paused') return ' It waits until the route is open again.';
  return reason === 'breaker-open' ? ' It waits until the destination works again.' : '';
}

/** Before a decision on what was absent is carried out, it is looked for once more. */
function ifStillAbsent(facts: DecisionFacts): string {
  return facts.seen.code === 'absent' ? `Reads ${name(facts)} again and, if it is still not there, ` : '';
}

function onlyIfProven(facts: DecisionFacts): string {
  return `Reads ${name(facts)} again. Only if that proves that ${EFFECTS[facts.action].notHappened}`;
}

function namedRecord(facts: DecisionFacts): string {
  const { action, state } = facts;
  const late = state.lateEvidence?.recordId;
  if (late) return `The record ${late}, which was reported late, is looked up.`;
  return action === 'upsert-contact'
    ? `Put the contact's id into "evidence": every later action works on that contact.`
    : action === 'assign-owner'
      ? `Add the owner's id as "evidence", and it is compared with the contact's.`
      : `Where the record is at ${name(facts)}, add its id as "evidence": it is looked up, and must be this lead's.`;
}

/** The latest time at which a repeat surely meets a receiver that still recognises its key. */
function until({ state, contract, numbers }: DecisionFacts): string {
  if (state.firstClaimAt === null || contract.keyWindowMs === null) return '';
  const trusted = contract.keyWindowMs - contract.keyWindowMarginMs;
  const last = state.firstClaimAt + trusted - numbers.claimDeadlineMs - contract.landingBoundMs;
  return ` until ${readableTime(last)}`;
}

/** Nothing of it can have happened without the record saying so. */
function isCertain({ state, seen }: DecisionFacts): boolean {
  return provenNotApplied(state) || seen.absenceProven;
}

function name({ contract }: DecisionFacts): string {
  return destinationName(contract.destination);
}

/** The finding of an owner of ours in the place of a person's. */
export const OVERWRITTEN = 'superseded:possible-overwrite';

/** Why a choice is not possible, after "because". */
const REFUSALS: Readonly<Record<DecisionRefusal, string>> = {
  'already-final': 'it has ended',
  'already-done': 'it is done',
  'taken-over': 'somebody has taken it over; confirm or release comes first',
  'not-taken-over': 'nobody has taken it over',
  'person-changed-it': 'a person changed what it was about, and that stands',
  'no-owner-to-keep': 'nobody changed the owner',
  'not-an-introduction': 'it is no introduction',
  'nothing-was-sent': 'nothing was sent yet',
  'other-address': 'the contact was made under another email address',
  'not-for-this-finding': 'the destination shows something else than this needs',
  'risk-not-accepted': 'whether it happened is not known, and the risk was not accepted',
  'statement-missing': 'it needs the statement that it was not done',
  'evidence-missing': 'it needs the id of the record',
  'not-proven': 'nothing proves that it did not happen',
};

/** @param seen what the person sees; absent where that is not known */
export function refusalInWords(why: DecisionRefusal, seen: string | null = null): string {
  return why === 'person-changed-it' && seen === OVERWRITTEN
    ? 'the owner that this handoff set is there already, in the place of a person’s'
    : REFUSALS[why];
}
