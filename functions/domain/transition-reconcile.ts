import type { ReconcileEvent, RejectionCode } from './action-events.ts';
import { Rejected } from './action-events.ts';
import { next, withWarning } from './action-history.ts';
import { type ActionState, FINAL_PHASES, type Grant, type HistoryEntry } from './action-state.ts';
import type { RecordedDecision } from './decision.ts';
import { decisionInForce } from './decision-in-force.ts';

/** The action with what one read came to, or why that read is void. */
export function reconciled(state: ActionState, event: ReconcileEvent): ActionState | Rejected {
  if (state.lastRead?.id === event.id) return state;
  if (state.version !== event.seenVersion) return new Rejected('changed-since-read');
  const { change } = event;
  const rejection = reconcileRejection(state, event);
  if (rejection) return new Rejected(rejection);
  const base: Partial<ActionState> = {
    lastRead: {
      id: event.id,
      at: event.readStartedAt,
      finding: event.finding,
      disposition: event.disposition,
      reason: event.reason,
      absenceProven: event.absenceProven,
      heard: event.decisionConsumed ? null : (state.decision?.id ?? null),
    },
    unreadableReads: event.unreadable ? state.unreadableReads + 1 : 0,
    // Once it has let an attempt go it is used up: one that is not claimed then waits again, and longer.
    backOff:
      event.backOffUntil !== null
        ? { attempt: state.attempt, until: event.backOffUntil }
        : event.disposition === 'resume'
          ? null
          : state.backOff,
    decision: event.decisionConsumed ? null : state.decision,
    lastDecision: event.decisionConsumed ? resultOf(state, event) : state.lastDecision,
    // While a person is asked nobody may claim.
    grant: event.disposition === 'ask' ? null : state.grant,
    letGo: state.letGo || (event.decisionConsumed && letsGo(state, event)),
  };
  const entry: HistoryEntry = {
    at: event.at,
    event: change.kind === 'none' ? event.disposition : change.kind,
    attempt: state.attempt,
    detail: `${event.finding} · ${event.reason}`,
  };
  return next(state, withoutStaleFreeze(state, { ...base, ...changeOf(state, event) }), entry);
}

/** What was frozen with corrected fields for a grant that is gone is not claimed by another one. */
function withoutStaleFreeze(state: ActionState, change: Partial<ActionState>): Partial<ActionState> {
  const { amendment } = state.grant ?? {};
  const stands = change.grant?.amendment?.decisionId === amendment?.decisionId;
  if (amendment === undefined || stands) return change;
  return { ...change, nextRevision: state.nextRevision + 1 };
}

function resultOf(state: ActionState, event: ReconcileEvent): RecordedDecision | null {
  const decision = decisionInForce(state);
  return decision ? { decision, result: event.decisionResult ?? 'used' } : state.lastDecision;
}

function letsGo({ decision }: ActionState, { disposition }: ReconcileEvent): boolean {
  return decision?.kind === 'resume' && disposition === 'resume';
}

function reconcileRejection(state: ActionState, event: ReconcileEvent): RejectionCode | null {
  const { change } = event;
  const final = FINAL_PHASES.includes(state.phase);
  if (final && change.kind !== 'none' && change.kind !== 'done' && change.kind !== 'warn')
    return 'already-final';
  if (change.kind === 'grant') {
    if (state.attempt === 0 || change.grant.attempt !== state.attempt + 1) return 'no-grant';
    if (state.phase === 'taken-over' || state.phase === 'stopping') return 'not-claimable';
    if (workerMayRun(state, event.readStartedAt)) return 'worker-may-run';
  }
  if (change.kind === 'take-over' && workerMayRun(state, event.readStartedAt)) return 'worker-may-run';
  return null;
}

/** Whether the read began before the last attempt's worker was surely over. */
function workerMayRun(state: ActionState, readStartedAt: number): boolean {
  if (state.claim === null) return false;
  if (state.settledAt !== null) return readStartedAt < state.settledAt;
  return state.phase === 'claimed' && readStartedAt <= state.claim.goneAt;
}

function changeOf(state: ActionState, event: ReconcileEvent): Partial<ActionState> {
  const { change } = event;
  switch (change.kind) {
    case 'none':
      return {};
    case 'done': {
      const stopping = state.phase.startsWith('stop');
      return {
        phase: stopping ? 'stopped-but-done' : 'performed',
        evidence: change.evidence,
        grant: null,
        settledAt: state.settledAt ?? event.at,
        // An `unknown` that proved done is no longer the reason of anything; a stop keeps its own.
        reason: stopping ? state.reason : null,
      };
    }
    case 'grant':
      return {
        grant: change.grant,
        mayHaveLanded: change.newIdentity
          ? false
          : change.grant.basis === 'absent'
            ? false
            : unresolved(state),
        // Always a new number: what was frozen for an attempt that was never claimed is out of date by now.
        nextRevision: change.freezeAgain ? state.nextRevision + 1 : state.nextRevision,
        ...(change.newIdentity
          ? { replacement: replacementFor(state, change.grant), firstClaimAt: null, requestLeft: false }
          : { requestLeft: state.requestLeft || state.phase === 'claimed' }),
      };
    case 'take-over':
      return {
        phase: 'taken-over',
        attempt: state.attempt + 1,
        claim: change.claim,
        grant: null,
        settledAt: null,
        reason: null,
        requestLeft: state.requestLeft || state.phase === 'claimed',
        mayHaveLanded: event.finding === 'absent' ? false : unresolved(state),
      };
    case 'release':
      return { phase: 'not-applied', settledAt: event.at, reason: 'released' };
    case 'stopping':
      return { phase: 'stopping', reason: change.reason, grant: null };
    case 'stopped':
      return {
        phase: change.phase,
        reason: change.reason,
        evidence: change.evidence ?? state.evidence,
        grant: null,
        settledAt: state.settledAt ?? event.at,
      };
    case 'warn':
      return {
        warnings: withWarning(state.warnings, change.warning),
        evidence: change.evidence ?? state.evidence,
      };
  }
}

/** One new operation for each decision, however often its grant is made before somebody claims it. */
function replacementFor({ replacement, grant }: ActionState, { decisionId }: Grant): number {
  return grant !== null && grant.decisionId === decisionId ? replacement : replacement + 1;
}

/** An attempt under this identity may still turn out to have had its effect. */
function unresolved(state: ActionState): boolean {
  return state.mayHaveLanded || state.phase === 'claimed' || state.phase === 'unknown';
}
