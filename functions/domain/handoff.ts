import type { ActionName, LeadKey } from './action.ts';
import type { ActionState } from './action-state.ts';
import type { Amendment } from './amendment.ts';
import type { LeadRequest } from './lead-request.ts';
import type { Operation } from './operation.ts';

/** The process for one lead request. */
export interface Handoff extends LeadKey {
  readonly lead: LeadRequest;
  /** The owner chosen by the route's rule, pinned when the lead request was accepted. */
  readonly ownerId: string;
  readonly intentHash: string;
  readonly acceptedAt: number;
  readonly closedAt: number | null;
  /** The id of the same person's other lead request that this one was joined to: then it was closed and nothing was done for it. */
  readonly joinedTo?: string;
  /** Name of the one execution that may act for this handoff. */
  readonly execution: string;
  readonly run: number;
  /** Corrections of the lead's fields that an approver decided, oldest first; `intentHash` stays that of the first request. */
  readonly amendments: readonly Amendment[];
  /** The runs that a person asked for, oldest first. A run that a decision or the sweep started is not among them. */
  readonly resubmissions?: readonly Resubmission[];
}

/** A person's word that a handoff shall be started again. */
export interface Resubmission {
  /** The run that it started. */
  readonly run: number;
  /** The execution that the person started: delivered again it asks for nothing new. */
  readonly execution: string;
  /** What the person typed; the caller's IAM identity is in CloudTrail. */
  readonly by: string;
  readonly reason: string;
  readonly at: number;
}

/** The intent hash of the fields that hold now. */
export function fieldsOf({ intentHash, amendments }: Pick<Handoff, 'intentHash' | 'amendments'>): string {
  return amendments.at(-1)?.intentHash ?? intentHash;
}

export type HandoffStatus = 'running' | 'waiting' | 'parked' | 'closed';

/**
 * What waits: one action; the handoff as a whole, because its execution is gone or was never let go; or a message that could not be
 * accepted, whatever becomes of the handoff that may be there under its id.
 */
export type WaitingSubject = ActionName | 'handoff' | 'dead-letter';

/** Work that waits: for a person (`ask`) or for a destination or a route (`park`). */
export interface Waiting {
  readonly action: WaitingSubject;
  readonly kind: 'ask' | 'park';
  /** The Step Functions task token; never shown. Null where nobody waits behind it: an answer starts the handoff again. */
  readonly token: string | null;
  readonly execution: string;
  /** The person who is asked, or the destination or route that parks. */
  readonly who: string;
  /** Reason code. */
  readonly why: string;
  readonly since: number;
  readonly dueAt: number | null;
  /** How often this wait was escalated. */
  readonly asked: number;
  /** Of a `same-person` question: the person's other lead request. */
  readonly rival?: string;
  /** Of a dead letter: the message that this is about. */
  readonly messageId?: string;
}

/** The same id that came with other fields. */
export interface Conflict {
  readonly intentHash: string;
  readonly firstSeenAt: number;
  /** The fields it came with, which an approver may put in the place of the first ones. */
  readonly lead: LeadRequest;
}

/** A handoff that is not closed. */
export interface OpenHandoff extends LeadKey {
  readonly execution: string;
  readonly run: number;
  readonly acceptedAt: number;
}

/** Everything that the ledger holds of one handoff. */
export interface LedgerRecord {
  readonly handoff: Handoff;
  readonly actions: readonly ActionState[];
  readonly operations: readonly Operation[];
  readonly waiting: readonly Waiting[];
  readonly conflicts: readonly Conflict[];
}

/** Derived from what waits, so that two branches cannot write over each other's word. */
export function handoffStatus({
  handoff,
  waiting,
}: Pick<LedgerRecord, 'handoff' | 'waiting'>): HandoffStatus {
  if (handoff.closedAt !== null) return 'closed';
  if (waiting.some((item) => item.kind === 'ask')) return 'waiting';
  return waiting.some((item) => item.kind === 'park') ? 'parked' : 'running';
}
