import type { Claim, Disposition, Grant, OperationReference, Warning } from './action-state.ts';
import type { Decision } from './decision.ts';
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
  /** The decision in force was heard: used, unless `decisionResult` says otherwise. */
  readonly decisionConsumed: boolean;
  readonly decisionResult?: 'turned-down' | 'too-late';
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
  /** `evidence`: of the effect that the warning is about. */
  | { readonly kind: 'warn'; readonly warning: Warning; readonly evidence: Evidence | null };

/** A person's decision is written down; reconcile consumes it. */
export interface DecideEvent {
  readonly type: 'decide';
  readonly decision: Decision;
  /** The version that the decision was judged on; anything newer makes it void. */
  readonly seenVersion?: number;
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
