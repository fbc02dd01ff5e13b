import type { ActionName } from './action.ts';
import { type ActionState, amendmentFor, FINAL_PHASES } from './action-state.ts';
import { whatItDoes } from './choice-words.ts';
import type { ReceiverContract } from './contract.ts';
import { DECISIONS, type DecisionKind } from './decision.ts';
import { decisionInForce } from './decision-in-force.ts';
import {
  type DecisionDetails,
  type DecisionFacts,
  type DecisionRefusal,
  judgeDecision,
  type SeenFinding,
} from './decision-rules.ts';
import { type Conflict, fieldsOf, type LedgerRecord } from './handoff.ts';
import type { RouteSettings } from './route.ts';
import type { StageNumbers } from './stage-numbers.ts';

/** The input of a route's recovery state machine, ready to paste. Texts that a person has to fill in are empty, and refused so. */
export interface DecisionInput {
  readonly leadRequestId: string;
  readonly action: ActionName;
  readonly decision: DecisionKind;
  readonly by: '';
  readonly reason: '';
  readonly evidence?: string;
  readonly finding: string;
  readonly riskAccepted?: true;
  readonly notDone?: true;
}

/** One thing that a person may decide about an action. */
export interface Choice {
  readonly decision: DecisionKind;
  /** `if-proven`: it holds only if the destination, read again, proves that the effect is not there. */
  readonly judgement: 'allowed' | 'if-proven';
  /** What it will do, in one plain sentence or two. */
  readonly does: string;
  /** Only an approver of the route may. */
  readonly approversOnly: boolean;
  readonly input: DecisionInput;
}

/** One thing that a person might expect to be able to decide, and why it is not possible. */
export interface RefusedChoice {
  readonly decision: DecisionKind;
  readonly why: DecisionRefusal;
}

export interface Choices {
  /** A person is asked about the action, or may be. */
  readonly asked: boolean;
  readonly possible: readonly Choice[];
  readonly refused: readonly RefusedChoice[];
}

/** What choices are judged by. */
export interface ChoiceOptions {
  readonly route: RouteSettings;
  readonly numbers: StageNumbers;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The promise of the destination that an action writes to. */
  readonly contractOf: (action: ActionName) => ReceiverContract;
}

/** How many corrections are offered at most: the newest. */
const MOST_CORRECTIONS = 3;

/** Stands for the record id that a person has still to name. */
const NAMED_LATER = 'named-later';

/** Refusals that tell a person something; the others are of decisions that nobody would expect here. */
const TELLING: readonly DecisionRefusal[] = ['person-changed-it', 'not-for-this-finding', 'taken-over'];

/** Whether a person is asked about an action, or may be: it asks, is parked, or was taken over. */
export function takesDecision(state: ActionState, { waiting, handoff }: LedgerRecord): boolean {
  if (handoff.closedAt !== null || FINAL_PHASES.includes(state.phase)) return false;
  const last = state.lastRead?.disposition;
  return (
    last === 'ask' ||
    last === 'park' ||
    state.phase === 'taken-over' ||
    waiting.some(({ action }) => action === state.action)
  );
}

/** What the person sees: the last read, or what is certain without one. */
export function seenFinding({ attempt, lastRead }: ActionState): SeenFinding {
  if (attempt === 0) return { code: 'absent', absenceProven: true };
  return { code: lastRead?.finding ?? null, absenceProven: lastRead?.absenceProven ?? false };
}

/** The finding that a decision is bound to. */
export function findingSeen(state: ActionState): string {
  return seenFinding(state).code ?? 'unclear:unreadable';
}

/** What may be decided about an action now, with an input for each, and what may not. */
export function choicesOf(state: ActionState, record: LedgerRecord, options: ChoiceOptions): Choices {
  if (!takesDecision(state, record)) return { asked: false, possible: [], refused: [] };
  // What one person has decided stands until it was carried out; only a stop may take its place.
  const kinds = decisionInForce(state) ? DECISIONS.filter((kind) => kind === 'stop') : DECISIONS;
  const facts = factsOf(state, options);
  const possible: Choice[] = [];
  const refused: RefusedChoice[] = [];
  for (const details of kinds.flatMap((kind) => detailsOf(kind, facts, record))) {
    const judgement = judgeDecision(facts, details);
    if (typeof judgement === 'string') {
      possible.push(choice(details, judgement, facts, record, options.route));
    } else if (TELLING.includes(judgement.refused) && details.evidence === undefined) {
      // Where amend is refused, so are its corrections: that is told once.
      refused.push({ decision: details.kind, why: judgement.refused });
    }
  }
  return { asked: true, possible, refused };
}

function factsOf(state: ActionState, { now, numbers, contractOf }: ChoiceOptions): DecisionFacts {
  const { action } = state;
  return { now, action, state, seen: seenFinding(state), contract: contractOf(action), numbers };
}

/** Every form in which a decision can be made, each with all that it may need. */
function detailsOf(kind: DecisionKind, facts: DecisionFacts, record: LedgerRecord): DecisionDetails[] {
  switch (kind) {
    case 'confirm':
      return [{ kind, evidence: facts.state.lateEvidence?.recordId ?? NAMED_LATER }];
    case 'take-over': {
      const isSafe = typeof judgeDecision(facts, { kind }) === 'string';
      return [isSafe ? { kind } : { kind, riskAccepted: true }];
    }
    case 'release':
      return [{ kind, notDone: true }];
    case 'amend':
      return [
        { kind },
        ...corrections(record, facts.state)
          .filter(({ intentHash }) => !changesAddress(facts.action, intentHash, record))
          .map(({ intentHash }) => ({ kind, evidence: intentHash })),
      ];
    default:
      return [{ kind }];
  }
}

/** The requests of the same id with other fields than those that the action is made of now, newest first. */
export function corrections(
  { handoff, conflicts, operations }: Pick<LedgerRecord, 'handoff' | 'conflicts' | 'operations'>,
  state: ActionState,
): readonly Conflict[] {
  const frozen = operations.find(
    ({ action, revision }) => action === state.action && revision === state.operation?.revision,
  );
  const madeOf = amendmentFor(state)?.intentHash ?? frozen?.fieldsHash ?? fieldsOf(handoff);
  return conflicts
    .filter(({ intentHash }) => intentHash !== madeOf)
    .toSorted((a, b) => b.firstSeenAt - a.firstSeenAt)
    .slice(0, MOST_CORRECTIONS);
}

/** The contact, its owner and its consent hang on the address: once there is a contact, another address is another person. */
export function changesAddress(
  action: ActionName,
  hash: string | undefined,
  { handoff, conflicts }: Pick<LedgerRecord, 'handoff' | 'conflicts'>,
): boolean {
  if (action === 'upsert-contact') return false;
  const corrected = conflicts.find(({ intentHash }) => intentHash === hash);
  return corrected !== undefined && corrected.lead.email !== handoff.lead.email;
}

function choice(
  details: DecisionDetails,
  judgement: 'allowed' | 'if-proven',
  facts: DecisionFacts,
  { handoff }: LedgerRecord,
  route: RouteSettings,
): Choice {
  const { kind: decision, evidence, riskAccepted, notDone } = details;
  const { action, state } = facts;
  const atApproval = decision === 'resume' && route.approvalPoint === action;
  return {
    decision,
    judgement,
    does: whatItDoes(details, judgement, facts, handoff.intentHash),
    approversOnly: decision === 'amend' || atApproval,
    input: {
      leadRequestId: handoff.leadRequestId,
      action,
      decision,
      by: '',
      reason: '',
      ...evidenceInput(action, evidence),
      finding: findingSeen(state),
      ...(riskAccepted ? { riskAccepted } : {}),
      ...(notDone ? { notDone } : {}),
    },
  };
}

/** Where a record has to be named that nobody knows yet, the field is there and empty. */
function evidenceInput(action: ActionName, evidence: string | undefined): Pick<DecisionInput, 'evidence'> {
  if (evidence === NAMED_LATER) return action === 'upsert-contact' ? { evidence: '' } : {};
  return evidence === undefined ? {} : { evidence };
}
