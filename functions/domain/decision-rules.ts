import type { ActionName } from './action.ts';
import type { ActionState } from './action-state.ts';
import type { ReceiverContract } from './contract.ts';
import type { Decision, DecisionKind } from './decision.ts';
import { insideKeyWindow, neverLeft, provenNotApplied } from './decision-guide.ts';
import type { StageNumbers } from './stage-numbers.ts';

/** What a judgement looks at: the action, and what the destination showed. */
export interface DecisionFacts {
  readonly now: number;
  readonly action: ActionName;
  readonly state: ActionState;
  readonly seen: SeenFinding;
  readonly contract: ReceiverContract;
  readonly numbers: StageNumbers;
}

/** A finding as the ledger remembers it. */
export interface SeenFinding {
  /** As `findingCode` writes it; null where the destination was never read. */
  readonly code: string | null;
  /** The read proves that the action's own effect is not there. */
  readonly absenceProven: boolean;
}

/** What a decision needs besides its kind. */
export type DecisionDetails = Pick<Decision, 'kind' | 'evidence' | 'riskAccepted' | 'notDone'>;

/** Why a decision is not possible, as a code. */
export type DecisionRefusal =
  | 'already-final'
  | 'already-done'
  | 'taken-over'
  | 'not-taken-over'
  | 'person-changed-it'
  | 'no-owner-to-keep'
  | 'not-an-introduction'
  | 'nothing-was-sent'
  | 'other-address'
  | 'not-for-this-finding'
  | 'risk-not-accepted'
  | 'statement-missing'
  | 'evidence-missing'
  | 'not-proven';

/**
 * `allowed`: what the destination showed bears the decision. `if-proven`: it may be recorded, and holds if the fresh read before it is
 * used proves that the effect is not there. Anything else is a refusal.
 */
export type Judgement = 'allowed' | 'if-proven' | { readonly refused: DecisionRefusal };

const refused = (reason: DecisionRefusal): Judgement => ({ refused: reason });
const isUnclear = ({ seen }: DecisionFacts) => seen.code === null || seen.code.startsWith('unclear');
const isSuperseded = ({ seen }: DecisionFacts) => seen.code?.startsWith('superseded') === true;
/** Nothing of this action is, or can still come, at the destination. */
const isAbsent = ({ seen, state }: DecisionFacts) =>
  seen.code === 'absent' || state.attempt === 0 || provenNotApplied(state);

/** A contact that a person archived or deleted may come back; an owner or a task that they changed stays theirs. */
const mayComeBack = ({ seen }: DecisionFacts) =>
  seen.code === 'superseded:contact-archived' || seen.code === 'superseded:contact-deleted';

/** What each decision needs. Final and done actions are judged before it. */
const RULES: Readonly<Record<DecisionKind, (facts: DecisionFacts, details: DecisionDetails) => Judgement>> = {
  resume: (facts) => {
    const { state, seen } = facts;
    if (state.phase === 'taken-over') return refused('taken-over');
    if (isSuperseded(facts)) {
      const mayFreezeAgain = seen.code === 'superseded:sender-no-longer-owner' && neverLeft(state);
      if (mayFreezeAgain) return 'allowed';
      return mayComeBack(facts) ? 'if-proven' : refused('person-changed-it');
    }
    if (isAbsent(facts)) return 'allowed';
    const recognised = facts.contract.kind === 'idempotency-key' && insideKeyWindow(facts);
    return recognised && seen.code !== null ? 'allowed' : 'if-proven';
  },
  // Every later action needs the contact's id.
  confirm: ({ action }, { evidence }) =>
    action === 'upsert-contact' && !evidence ? refused('evidence-missing') : 'allowed',
  'take-over': (facts, { riskAccepted }) => {
    if (facts.state.phase === 'taken-over') return refused('taken-over');
    if (facts.seen.absenceProven || isAbsent(facts)) return 'allowed';
    if (!isUnclear(facts)) return refused('not-for-this-finding');
    return riskAccepted ? 'allowed' : refused('risk-not-accepted');
  },
  release: ({ state }, { notDone }) => {
    if (state.phase !== 'taken-over') return refused('not-taken-over');
    return notDone ? 'allowed' : refused('statement-missing');
  },
  'keep-owner': ({ action, seen }) => {
    const changed = seen.code === 'superseded:owner-changed' || seen.code === 'superseded:possible-overwrite';
    return action === 'assign-owner' && changed ? 'allowed' : refused('no-owner-to-keep');
  },
  'send-as-current-owner': (facts) => {
    const { action, state, seen } = facts;
    if (action !== 'send-introduction') return refused('not-an-introduction');
    if (state.phase === 'taken-over') return refused('taken-over');
    if (state.attempt === 0) return refused('nothing-was-sent');
    if (seen.code === 'absent' || seen.absenceProven) return 'allowed';
    return isUnclear(facts) || isSuperseded(facts) ? 'if-proven' : refused('not-for-this-finding');
  },
  amend: (facts) => {
    const { state } = facts;
    if (state.phase === 'taken-over') return refused('taken-over');
    if (state.attempt === 0) return refused('nothing-was-sent');
    if (isSuperseded(facts)) return mayComeBack(facts) ? 'if-proven' : refused('person-changed-it');
    return isAbsent(facts) ? 'allowed' : 'if-proven';
  },
  stop: () => 'allowed',
};

/** Whether a person may decide this about an action on which the destination showed that. Pure. */
export function judgeDecision(facts: DecisionFacts, details: DecisionDetails): Judgement {
  const { phase } = facts.state;
  if (phase === 'performed') return refused('already-done');
  if (phase === 'stopped' || phase === 'stopped-but-done' || phase === 'stopped-unclear') {
    return refused('already-final');
  }
  // An intent to stop is only waited for; what was done meanwhile may still be confirmed.
  if (phase === 'stopping' && details.kind !== 'confirm') return refused('already-final');
  if (facts.seen.code === 'done' && details.kind !== 'stop' && details.kind !== 'confirm') {
    return refused('already-done');
  }
  return RULES[details.kind](facts, details);
}
