import type { ActionName } from './action.ts';
import type { Amendment } from './amendment.ts';
import type { Decision, RecordedDecision } from './decision.ts';
import type { Evidence } from './evidence.ts';
import type { OutcomeName } from './outcome.ts';

export type Phase =
  | 'open'
  | 'claimed'
  | 'performed'
  | 'not-applied'
  | 'unknown'
  | 'refused'
  | 'taken-over'
  | 'stopping'
  | 'stopped'
  | 'stopped-but-done'
  | 'stopped-unclear';

/** Phases that nothing but a person's later evidence changes: the action needs no further work. */
export const FINAL_PHASES: readonly Phase[] = ['performed', 'stopped', 'stopped-but-done', 'stopped-unclear'];

export type Disposition = 'keep' | 'resume' | 'wait' | 'park' | 'ask' | 'stop';

/** The conditional write that makes one worker, or one person, the only one allowed to run an attempt. */
export interface Claim {
  readonly id: string;
  readonly by: { readonly kind: 'worker' | 'person'; readonly name: string };
  /** Epoch milliseconds. */
  readonly at: number;
  /** The call must have ended by then. */
  readonly deadline: number;
  /** Claim time + function timeout: from then on the worker cannot run any more. */
  readonly goneAt: number;
  /** The X-Ray trace of the worker's invocation, where there is one; its request id is the worker's name. */
  readonly traceId?: string;
}

/** The permission for attempt n+1, written only by reconcile. */
export interface Grant {
  readonly attempt: number;
  /** Hash of the evidence it rests on. */
  readonly evidenceHash: string;
  readonly readStartedAt: number;
  readonly expiresAt: number;
  readonly basis: 'not-applied' | 'absent' | 'unclear';
  /** The decision that allowed it, or null where the guide did. */
  readonly decisionId: string | null;
  /** The corrected fields that the attempt is made of, where that decision names some. */
  readonly amendment?: Amendment;
}

/** A reference to the frozen body; the body itself is an item of its own. */
export interface OperationReference {
  readonly revision: number;
  readonly identity: string;
  readonly bodyHash: string;
}

export interface HistoryEntry {
  readonly at: number;
  readonly event: string;
  readonly attempt: number;
  readonly detail: string | null;
}

export type Warning = 'possible-duplicate' | 'possible-overwrite';

/** The ledger's record of one action. */
export interface ActionState {
  readonly action: ActionName;
  readonly phase: Phase;
  /** The last attempt that was claimed; 0 before the first. */
  readonly attempt: number;
  /** Grows by one with every write. 0: nothing was written yet. */
  readonly version: number;
  /** First claim under the current identity whose request may have left; the key window counts from it. */
  readonly firstClaimAt: number | null;
  readonly claim: Claim | null;
  readonly settledAt: number | null;
  /** Reason code of the last outcome, or of the end. */
  readonly reason: string | null;
  /** Epoch milliseconds before which the destination asked us not to come back. */
  readonly notBefore: number | null;
  readonly grant: Grant | null;
  /** The one that was claimed last; the destination is read for it. */
  readonly operation: OperationReference | null;
  /** Revision that the next claim must carry: that of `operation`, or a newer one that is frozen for it. */
  readonly nextRevision: number;
  /** Which identity the next freeze gets: 1, or n after a person decided on a new operation. */
  readonly replacement: number;
  /** The corrected fields that an attempt was claimed with: later ones are made of them as well. Null: of the handoff's fields. */
  readonly amendment: Amendment | null;
  /** A request of the current identity may have left. */
  readonly requestLeft: boolean;
  /** An earlier attempt of the current identity ended unknown and its absence was not proven since. */
  readonly mayHaveLanded: boolean;
  readonly evidence: Evidence | null;
  /** A result that came after a newer claim. */
  readonly lateEvidence: Evidence | null;
  /** Waits for reconcile, which consumes it; meanwhile nothing may be claimed. */
  readonly decision: Decision | null;
  /** The newest decision that was written down, and what became of it: writing it again changes nothing. */
  readonly lastDecision: RecordedDecision | null;
  /** Those before it, the newest last, so far that no late repeat of one is taken for a new one. */
  readonly earlierDecisions: readonly RecordedDecision[];
  /** A person let the action go on, also without an action that it needs. */
  readonly letGo: boolean;
  readonly warnings: readonly Warning[];
  /** The last reconcile, for people and records. */
  readonly lastRead: {
    readonly id: string;
    readonly at: number;
    readonly finding: string;
    readonly disposition: Disposition;
    readonly reason: string;
    /** The read proves that the action's own effect is not there. */
    readonly absenceProven: boolean;
    /** Id of the pending decision that this reconcile has heard, used or not. */
    readonly heard: string | null;
  } | null;
  /** The time before which the next attempt must not start, drawn once per attempt. */
  readonly backOff: { readonly attempt: number; readonly until: number } | null;
  /** Reads in a row that ended unreadable. */
  readonly unreadableReads: number;
  readonly history: readonly HistoryEntry[];
}

/** An action that nobody has touched. */
export function openAction(action: ActionName): ActionState {
  return {
    action,
    phase: 'open',
    attempt: 0,
    version: 0,
    firstClaimAt: null,
    claim: null,
    settledAt: null,
    reason: null,
    notBefore: null,
    grant: null,
    operation: null,
    nextRevision: 1,
    replacement: 1,
    amendment: null,
    requestLeft: false,
    mayHaveLanded: false,
    evidence: null,
    lateEvidence: null,
    decision: null,
    lastDecision: null,
    earlierDecisions: [],
    letGo: false,
    warnings: [],
    lastRead: null,
    backOff: null,
    unreadableReads: 0,
    history: [],
  };
}

/** The outcome that a settled phase stands for; null while there is none. */
export function settledOutcome(phase: Phase): OutcomeName | null {
  return phase === 'performed' || phase === 'not-applied' || phase === 'unknown' || phase === 'refused'
    ? phase
    : null;
}

/** The corrected fields that the next attempt is made of; null: of the handoff's own fields. */
export function amendmentFor({
  grant,
  amendment,
}: Pick<ActionState, 'grant' | 'amendment'>): Amendment | null {
  return grant?.amendment ?? amendment;
}
