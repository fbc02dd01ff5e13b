import type { LeadKey } from '../domain/action.ts';
import type { ActionState } from '../domain/action-state.ts';
import { isApprover } from '../domain/approval.ts';
import type { Decision, DecisionResult, RecordedDecision } from '../domain/decision.ts';
import { decisionInForce } from '../domain/decision-in-force.ts';
import {
  alreadyDecided,
  decisionNotPossible,
  handoffClosed,
  nobodyIsAsked,
  notAnApprover,
  nothingToAmend,
  type Refusal,
  samePersonElsewhere,
  staleDecision,
  unknownHandoff,
} from '../domain/decision-refusals.ts';
import type { DecideRequest } from '../domain/decision-request.ts';
import { type DecisionFacts, judgeDecision } from '../domain/decision-rules.ts';
import type { LedgerRecord } from '../domain/handoff.ts';
import { canonicalHash } from '../domain/intent.ts';
import { changesAddress, findingSeen, seenFinding, takesDecision } from '../domain/recovery-choices.ts';
import { statesOf } from '../domain/recovery-record.ts';
import { type PersonsHandoff, personKey, rivalOf } from '../domain/same-person.ts';
import { Rejected, recordedDecision } from '../domain/transition.ts';
import { LedgerUnavailable } from '../ports/ledger.ts';
import { waitingFor } from './ask-again.ts';
import { type CarriedOn, carryOn } from './carry-on.ts';
import type { RecoveryPorts } from './ports.ts';

/** The answer to a person whose decision is written down. Times are ISO 8601. */
export interface RecordedAnswer extends Pick<DecideRequest, 'leadRequestId' | 'action' | 'decision' | 'by'> {
  readonly decidedAt: string;
  /** `before`: it was written down earlier, and this changed nothing. */
  readonly recorded: 'now' | 'before';
  /** What had become of it when it was looked at. */
  readonly result: DecisionResult;
  readonly carriedOn: CarriedOn;
  /** The execution that acts on it. */
  readonly execution: string | null;
}

/** How often a decision is judged anew on a record that moved while it was judged. */
const FRESH_LOOKS = 5;

/**
 * Writes a person's decision down and brings it to the reconcile that hears it. A refusal changes nothing; so does a decision that
 * is written down already, except that it is carried on again, because whoever wrote it may have died before that.
 *
 * @param execution names what the person started, so that a repeat of it is known whatever was asked meanwhile
 * @throws LedgerUnavailable, WorkflowUnavailable; doing it again is safe
 */
export async function recordDecision(
  request: DecideRequest,
  execution: string,
  ports: RecoveryPorts,
): Promise<RecordedAnswer | Refusal> {
  const key: LeadKey = { route: ports.route.name, leadRequestId: request.leadRequestId };
  const id = canonicalHash({ ...request, execution });
  for (let look = 0; look < FRESH_LOOKS; look++) {
    const record = await ports.ledger.record(key);
    if (!record) return unknownHandoff(key);
    const state = statesOf(record).find(({ action }) => action === request.action) as ActionState;
    const before = recordedBefore(request, id, state);
    if (before) return answered(key, request, before, 'before', ports);
    const refusal = refusalOf(request, state, record, ports);
    if (refusal) return refusal;
    const rival = await rivalAtNewAddress(request, record, ports);
    if (rival) return samePersonElsewhere(rival);
    const decision = decisionOf(request, id, state, ports.clock());
    const event = { type: 'decide', decision, seenVersion: state.version } as const;
    const written = await ports.ledger.apply(key, event, state);
    if (written instanceof Rejected) continue;
    return answered(key, request, { decision, result: 'pending' }, 'now', ports);
  }
  throw new LedgerUnavailable('others keep writing', null);
}

async function answered(
  key: LeadKey,
  { leadRequestId, action, decision: kind }: DecideRequest,
  { decision, result }: RecordedDecision,
  recorded: RecordedAnswer['recorded'],
  ports: RecoveryPorts,
): Promise<RecordedAnswer> {
  return {
    leadRequestId,
    action,
    decision: kind,
    by: decision.by,
    decidedAt: new Date(decision.at).toISOString(),
    recorded,
    result,
    ...(await carryOn(key, action, ports)),
  };
}

function decisionOf(request: DecideRequest, id: string, state: ActionState, at: number): Decision {
  const { decision: kind, by, reason, evidence, riskAccepted, notDone } = request;
  return {
    id,
    kind,
    by,
    reason,
    at,
    findingSeen: findingSeen(state),
    ...(evidence === undefined ? {} : { evidence }),
    ...(riskAccepted ? { riskAccepted } : {}),
    ...(notDone ? { notDone } : {}),
  };
}

/** The same decision, where it was written down before and no new question has been asked since. */
function recordedBefore(request: DecideRequest, id: string, state: ActionState): RecordedDecision | null {
  const { lastDecision } = state;
  if (lastDecision === null) return null;
  // The same execution of the person's, delivered again: what was asked after it is not answered by it.
  const own = recordedDecision(state, id);
  if (own) return own;
  return isSame(request, lastDecision.decision) && stillStands(lastDecision, state) ? lastDecision : null;
}

function isSame(request: DecideRequest, { kind, by, reason, evidence, ...flags }: Decision): boolean {
  return (
    request.decision === kind &&
    request.by === by &&
    request.reason === reason &&
    request.evidence === evidence &&
    (request.riskAccepted ?? false) === (flags.riskAccepted ?? false) &&
    (request.notDone ?? false) === (flags.notDone ?? false)
  );
}

function stillStands({ decision, result }: RecordedDecision, { phase, lastRead }: ActionState): boolean {
  if (result !== 'used') return result === 'pending' || result === 'too-late';
  // Who has taken over is asked what came of it: that is the answer to the decision, and no new question.
  return decision.kind === 'take-over' ? phase === 'taken-over' : lastRead?.disposition !== 'ask';
}

function refusalOf(
  request: DecideRequest,
  state: ActionState,
  record: LedgerRecord,
  ports: RecoveryPorts,
): Refusal | null {
  const { action, decision: kind, evidence } = request;
  const { handoff, conflicts } = record;
  if (handoff.closedAt !== null) return handoffClosed(handoff, record.actions);
  const { clock, numbers, route, contractOf } = ports;
  const contract = contractOf(action);
  const facts: DecisionFacts = { now: clock(), action, state, seen: seenFinding(state), contract, numbers };
  const judgement = judgeDecision(facts, { ...request, kind });
  const why = typeof judgement === 'string' ? null : judgement.refused;
  if (why === 'already-final' || why === 'already-done') {
    return decisionNotPossible(action, kind, why, { before: state.lastDecision });
  }
  const pending = decisionInForce(state);
  if (pending && !(kind === 'stop' && pending.kind !== 'stop')) return alreadyDecided(action, pending);
  if (kind !== 'stop' && !isAsked(state, record)) return nobodyIsAsked(state);
  if (request.finding !== undefined && request.finding !== findingSeen(state)) {
    return staleDecision(action, request.finding, findingSeen(state));
  }
  const needsApprover = kind === 'amend' || (kind === 'resume' && route.approvalPoint === action);
  if (needsApprover && !isApprover(request.by, route)) return notAnApprover(kind, route);
  if (kind === 'amend' && evidence && !conflicts.some(({ intentHash }) => intentHash === evidence)) {
    return nothingToAmend(handoff, conflicts, evidence);
  }
  if (kind === 'amend' && changesAddress(action, evidence, record)) {
    return decisionNotPossible(action, kind, 'other-address');
  }
  return why === null ? null : decisionNotPossible(action, kind, why, { seen: findingSeen(state) });
}

/** Of a correction that makes the lead another person's: that person's other handoff, unless it is known and accepted. */
async function rivalAtNewAddress(
  { decision, evidence, riskAccepted }: DecideRequest,
  { handoff, conflicts }: LedgerRecord,
  ports: RecoveryPorts,
): Promise<PersonsHandoff | null> {
  const corrected =
    decision === 'amend' ? conflicts.find(({ intentHash }) => intentHash === evidence)?.lead : undefined;
  if (!corrected || personKey(corrected.email) === personKey(handoff.lead.email)) return null;
  const { ledger, route, clock } = ports;
  if (riskAccepted || route.samePerson.policy === 'allow') return null;
  const last = await ledger.personsHandoff(personKey(corrected.email), route.name);
  // Now, and not when the lead request came, it becomes that person's.
  return last && rivalOf({ ...handoff, acceptedAt: clock() }, last, route.samePerson);
}

/** The action is asked about, or the handoff as a whole is. */
function isAsked(state: ActionState, record: LedgerRecord): boolean {
  return takesDecision(state, record) || waitingFor(record, 'handoff') !== undefined;
}
