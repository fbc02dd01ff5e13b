import {
  type ActionState,
  type Claim,
  type Disposition,
  FINAL_PHASES,
  type Grant,
  type HistoryEntry,
  type OperationReference,
  type Phase,
  settledOutcome,
  type Warning,
} from './action-state.ts';
import type { Decision, RecordedDecision } from './decision.ts';
import type { Evidence } from './evidence.ts';
import type { Outcome } from './outcome.ts';

/** A worker asks to be the only one to run an attempt. */
export interface ClaimEvent {
  readonly type: 'claim';
  readonly attempt: number;
  readonly claim: Claim;
  readonly operation: OperationReference;
  /** Null where the receiver has no keys. `lastsUntilMs` is the window less its margin; counted from the first claim. */
  readonly keyWindow: { readonly trustedMs: number; readonly landingBoundMs: number } | null;
}

/** A worker says what it did. */
export interface SettleEvent {
  readonly type: 'settle';
  readonly claimId: string;
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly at: number;
}

/** Reconcile writes what it concluded from one read. */
export interface ReconcileEvent {
  readonly type: 'reconcile';
  /** Unique, so that a write of ours that is met again is recognised. */
  readonly id: string;
  readonly at: number;
  /** The version that the conclusion was drawn from; anything newer makes it void. */
  readonly seenVersion: number;
  readonly readStartedAt: number;
  readonly finding: string;
  readonly absenceProven: boolean;
  readonly unreadable: boolean;
  readonly disposition: Disposition;
  readonly reason: string;
  readonly change: ReconcileChange;
  readonly backOffUntil: number | null;
  /** The pending decision was used, or turned down. */
  readonly decisionConsumed: boolean;
}

/** What a reconcile changes besides its record of the read. */
export type ReconcileChange =
  | { readonly kind: 'none' }
  /** The destination, or a person, says that it is done. */
  | { readonly kind: 'done'; readonly evidence: Evidence }
  /** Attempt n+1 may run; `freezeAgain` gives it a new body, `newIdentity` a new operation. */
  | {
      readonly kind: 'grant';
      readonly grant: Grant;
      readonly freezeAgain: boolean;
      readonly newIdentity: boolean;
    }
  | { readonly kind: 'take-over'; readonly claim: Claim }
  | { readonly kind: 'release' }
  | { readonly kind: 'stopping'; readonly reason: string }
  | {
      readonly kind: 'stopped';
      readonly phase: 'stopped' | 'stopped-but-done' | 'stopped-unclear';
      readonly reason: string;
      readonly evidence: Evidence | null;
    }
  | { readonly kind: 'warn'; readonly warning: Warning };

/** A person's decision is written down; reconcile consumes it. */
export interface DecideEvent {
  readonly type: 'decide';
  readonly decision: Decision;
}

export type ActionEvent = ClaimEvent | SettleEvent | ReconcileEvent | DecideEvent;

export type RejectionCode =
  | 'no-grant'
  | 'grant-expired'
  | 'key-window-passed'
  | 'already-claimed'
  | 'already-settled'
  | 'older-attempt'
  | 'not-claimable'
  | 'operation-mismatch'
  | 'changed-since-read'
  | 'worker-may-run'
  | 'already-decided'
  | 'already-final';

export class Rejected {
  readonly code: RejectionCode;
  constructor(code: RejectionCode) {
    this.code = code;
  }
}

/** The longest audit trail that an action keeps. */
export const HISTORY_CAP = 60;

/**
 * The only way in which an action's record changes: pure, total, and blind to where the record is kept.
 *
 * @returns the same object when the event was already applied (a write of ours that is met again), a new state with the
 *   version one higher, or the reason why the event is turned down.
 */
export function transition(state: ActionState, event: ActionEvent): ActionState | Rejected {
  switch (event.type) {
    case 'claim':
      return claimed(state, event);
    case 'settle':
      return settled(state, event);
    case 'reconcile':
      return reconciled(state, event);
    case 'decide':
      return decided(state, event);
  }
}

function claimed(state: ActionState, event: ClaimEvent): ActionState | Rejected {
  if (state.claim?.id === event.claim.id) return state;
  const rejection = claimRejection(state, event);
  if (rejection) return new Rejected(rejection);
  return next(
    state,
    {
      phase: 'claimed',
      attempt: event.attempt,
      claim: event.claim,
      operation: event.operation,
      // Where no earlier attempt had an effect, this one's is the first that the receiver will recognise.
      firstClaimAt:
        state.grant?.basis === 'not-applied' ? event.claim.at : (state.firstClaimAt ?? event.claim.at),
      grant: null,
      settledAt: null,
      reason: null,
      notBefore: null,
      backOff: null,
      unreadableReads: 0,
    },
    { at: event.claim.at, event: 'claimed', attempt: event.attempt, detail: event.claim.by.name },
  );
}

function claimRejection(state: ActionState, event: ClaimEvent): RejectionCode | null {
  if (settledOutcome(state.phase) === 'performed') return 'already-settled';
  if (event.attempt < state.attempt) return 'older-attempt';
  if (state.phase === 'taken-over') return 'not-claimable';
  if (state.phase === 'stopping' || FINAL_PHASES.includes(state.phase)) return 'not-claimable';
  // A person has spoken: reconcile hears it before anything runs.
  if (state.decision) return 'not-claimable';
  if (event.attempt === state.attempt)
    return state.phase === 'claimed' ? 'already-claimed' : 'already-settled';
  if (event.attempt !== state.attempt + 1) return 'no-grant';
  if (state.attempt > 0) {
    if (state.grant?.attempt !== event.attempt) return 'no-grant';
    if (event.claim.at > state.grant.expiresAt) return 'grant-expired';
  }
  if (!isNext(state, event.operation)) return 'operation-mismatch';
  if (event.keyWindow && state.firstClaimAt !== null && !keyMayBeForgotten(state.grant)) {
    const landsBy = event.claim.deadline + event.keyWindow.landingBoundMs;
    if (landsBy > state.firstClaimAt + event.keyWindow.trustedMs) return 'key-window-passed';
  }
  return null;
}

/** The same operation as before, or the first claim of the revision that was frozen for it. */
function isNext({ operation, nextRevision }: ActionState, next: OperationReference): boolean {
  if (next.revision !== nextRevision) return false;
  if (operation?.revision !== nextRevision) return true;
  return operation.identity === next.identity && operation.bodyHash === next.bodyHash;
}

/**
 * No earlier attempt had an effect that the key would have to protect; or a person who decided on proven absence has decided on a
 * send that the receiver will not recognise.
 */
function keyMayBeForgotten(grant: Grant | null): boolean {
  return grant?.basis === 'not-applied' || (grant?.basis === 'absent' && grant.decisionId !== null);
}

function settled(state: ActionState, event: SettleEvent): ActionState | Rejected {
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

function reconciled(state: ActionState, event: ReconcileEvent): ActionState | Rejected {
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
    letGo: state.letGo || (event.decisionConsumed && letsGo(state, event)),
  };
  const entry: HistoryEntry = {
    at: event.at,
    event: change.kind === 'none' ? event.disposition : change.kind,
    attempt: state.attempt,
    detail: `${event.finding} · ${event.reason}`,
  };
  return next(state, { ...base, ...changeOf(state, event) }, entry);
}

/** A decision that was heard and led back to the question was turned down; taking over asks on purpose. */
function resultOf({ decision, lastDecision }: ActionState, event: ReconcileEvent): RecordedDecision | null {
  if (!decision) return lastDecision;
  const turnedDown = event.disposition === 'ask' && event.change.kind === 'none';
  return { decision, result: turnedDown ? 'turned-down' : 'used' };
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
          ? { replacement: state.replacement + 1, firstClaimAt: null, requestLeft: false }
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
      return { warnings: withWarning(state.warnings, change.warning) };
  }
}

/** An attempt under this identity may still turn out to have had its effect. */
function unresolved(state: ActionState): boolean {
  return state.mayHaveLanded || state.phase === 'claimed' || state.phase === 'unknown';
}

function decided(state: ActionState, event: DecideEvent): ActionState | Rejected {
  if (state.lastDecision?.decision.id === event.decision.id) return state;
  if (FINAL_PHASES.includes(state.phase)) return new Rejected('already-final');
  // A stop is possible at any time, and takes the place of what was decided before.
  const mayReplace = event.decision.kind === 'stop' && state.decision?.kind !== 'stop';
  if (state.decision && !mayReplace) return new Rejected('already-decided');
  return next(
    state,
    { decision: event.decision, lastDecision: { decision: event.decision, result: 'pending' } },
    {
      at: event.decision.at,
      event: `decided-${event.decision.kind}`,
      attempt: state.attempt,
      detail: event.decision.by,
    },
  );
}

function next(state: ActionState, change: Partial<ActionState>, entry: HistoryEntry): ActionState {
  const history = [...state.history, entry];
  const changed: ActionState = {
    ...state,
    ...change,
    version: state.version + 1,
    history: capped(history),
  };
  return { ...changed, warnings: duplicateWarning(changed) };
}

/** Over the cap the oldest turn that changed nothing goes first; the first entry always stays. */
function capped(history: readonly HistoryEntry[]): readonly HistoryEntry[] {
  if (history.length <= HISTORY_CAP) return history;
  const idle = history.findIndex(({ event }, i) => i > 0 && (event === 'wait' || event === 'park'));
  return history.toSpliced(Math.max(1, idle), 1);
}

/** Two attempts may both have had an effect: an earlier one reported success late, and the newer one did not end without. */
function duplicateWarning(state: ActionState): readonly Warning[] {
  if (state.lateEvidence === null) return state.warnings;
  const newerMayHaveHadOne: readonly Phase[] = [
    'claimed',
    'unknown',
    'taken-over',
    'stopping',
    'stopped',
    'stopped-unclear',
  ];
  const ended = state.phase === 'performed' || state.phase === 'stopped-but-done';
  const twoRecords = ended && state.evidence?.recordId !== state.lateEvidence.recordId;
  // A stop that rests on the late report alone has not seen what the newer attempt did.
  const unseen =
    state.phase === 'stopped-but-done' &&
    state.lastRead?.finding !== 'done' &&
    state.warnings.includes('possible-duplicate');
  const possible = newerMayHaveHadOne.includes(state.phase) || twoRecords || unseen;
  return possible
    ? withWarning(state.warnings, 'possible-duplicate')
    : state.warnings.filter((warning) => warning !== 'possible-duplicate');
}

function withWarning(warnings: readonly Warning[], warning: Warning): readonly Warning[] {
  return warnings.includes(warning) ? warnings : [...warnings, warning];
}
