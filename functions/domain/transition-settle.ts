import type { Rejected, SettleEvent } from './action-events.ts';
import { next, withWarning } from './action-history.ts';
import { type ActionState, type HistoryEntry, settledOutcome } from './action-state.ts';
import type { Evidence } from './evidence.ts';
import type { Outcome } from './outcome.ts';

/** The action with what a worker says that it did; a result that comes late never overwrites a newer claim. */
export function settled(state: ActionState, event: SettleEvent): ActionState | Rejected {
  const { outcome } = event;
  const ours = state.claim?.id === event.claimId;
  const reason = 'reason' in outcome ? outcome.reason : null;
  const entry: HistoryEntry = {
    at: event.at,
    event: outcome.outcome,
    attempt: event.attempt,
    detail: reason,
  };
  if (ours && state.phase === 'claimed') {
    const hadNone = outcome.outcome === 'not-applied' || outcome.outcome === 'refused';
    if (hadNone && state.lateEvidence) return lateOneStands(state, event, state.lateEvidence, entry);
    const left = outcome.outcome !== 'not-applied' || outcome.requestLeft;
    const requestLeft = state.requestLeft || left;
    return next(
      state,
      {
        phase: outcome.outcome,
        settledAt: event.at,
        reason,
        requestLeft,
        firstClaimAt: requestLeft ? state.firstClaimAt : null,
        mayHaveLanded: state.mayHaveLanded || outcome.outcome === 'unknown',
        evidence: outcome.outcome === 'performed' ? outcome.evidence : state.evidence,
        notBefore:
          outcome.outcome === 'not-applied' && outcome.retryAfterMs !== undefined
            ? event.at + outcome.retryAfterMs
            : null,
        grant: null,
        warnings:
          reason === 'possible-overwrite'
            ? withWarning(state.warnings, 'possible-overwrite')
            : state.warnings,
      },
      entry,
    );
  }
  if (alreadyTold(state, outcome, ours, reason)) return state;
  return lateResult(state, event, entry, ours);
}

/** This attempt provably had no effect, so an earlier one that reported success late is the only one. */
function lateOneStands(
  state: ActionState,
  { at }: SettleEvent,
  evidence: Evidence,
  entry: HistoryEntry,
): ActionState {
  return next(state, { phase: 'performed', evidence, grant: null, settledAt: at, reason: null }, entry);
}

/** A write of ours that is met again, or a success whose record reconcile has seen meanwhile. */
function alreadyTold(state: ActionState, outcome: Outcome, ours: boolean, reason: string | null): boolean {
  if (outcome.outcome === 'performed') {
    const known = [
      settledOutcome(state.phase) === 'performed' || state.phase === 'stopped-but-done'
        ? state.evidence
        : null,
      state.lateEvidence,
    ];
    return known.some((evidence) => evidence?.recordId === outcome.evidence.recordId);
  }
  return ours && settledOutcome(state.phase) === outcome.outcome && state.reason === reason;
}

function justWritten({ history }: ActionState, entry: HistoryEntry): boolean {
  const last = history.at(-1);
  return last?.event === entry.event && last.attempt === entry.attempt && last.at === entry.at;
}

/** A result that meets a record which has moved on: kept as evidence, never over a newer claim. */
function lateResult(
  state: ActionState,
  event: SettleEvent,
  entry: HistoryEntry,
  ours: boolean,
): ActionState | Rejected {
  const late: HistoryEntry = { ...entry, event: `late-${entry.event}` };
  if (justWritten(state, entry) || justWritten(state, late)) return state;
  if (event.outcome.outcome !== 'performed') return next(state, {}, late);
  const { evidence } = event.outcome;
  if (ours && state.phase === 'performed') return next(state, { lateEvidence: evidence }, late);
  if (state.phase === 'stopping' || state.phase === 'stopped' || state.phase === 'stopped-unclear') {
    return next(state, { phase: 'stopped-but-done', evidence, lateEvidence: evidence }, late);
  }
  // A newer attempt that provably had no effect leaves the late one as the only one.
  const onlyEffect = ours || state.phase === 'not-applied' || state.phase === 'refused';
  if (onlyEffect && state.phase !== 'stopped-but-done') {
    return next(
      state,
      { phase: 'performed', evidence, lateEvidence: evidence, grant: null, settledAt: event.at },
      late,
    );
  }
  return next(state, { lateEvidence: evidence }, late);
}
