import { ACTIONS, type ActionName } from './action.ts';
import { type ActionState, type Disposition, openAction, type Phase, type Warning } from './action-state.ts';
import type { DecisionKind, DecisionResult } from './decision.ts';
import { isCarriedAgain } from './decision-in-force.ts';
import type { Evidence } from './evidence.ts';
import { type HandoffStatus, handoffStatus, type LedgerRecord, type WaitingSubject } from './handoff.ts';
import type { AssignOwnerBody } from './operation.ts';

/** Evidence with its time in ISO 8601. */
export type ShownEvidence = Omit<Evidence, 'readAt'> & { readonly readAt: string };

/** One action as a recovery record shows it. */
export interface ActionRecord {
  readonly action: ActionName;
  /** The last attempt; 0 before the first. */
  readonly attempt: number;
  readonly phase: Phase;
  /** What the last read found, or `done` where the destination's receipt says so; null before any. */
  readonly finding: string | null;
  /** When the last read began; null before any. */
  readonly readAt: string | null;
  /** That read proves that the action's own effect is not there, whatever else it found. */
  readonly absenceProven: boolean;
  readonly disposition: Disposition | null;
  /** Why the disposition is what it is, as a code; null where nothing needs a reason. */
  readonly reason: string | null;
  /** What the last attempt said of itself when it was not performed, as a code. */
  readonly outcomeReason: string | null;
  readonly warnings: readonly Warning[];
  readonly evidence: ShownEvidence | null;
  /** What an attempt that had been given up reported late; null for nothing. */
  readonly lateEvidence: ShownEvidence | null;
  /** Who made the last attempt, for the engineer who looks it up; null before the first. */
  readonly lastAttempt: AttemptRecord | null;
  /** The newest decision of a person, and what became of it; null where nobody decided. */
  readonly lastDecision: DecisionRecord | null;
}

export interface AttemptRecord {
  readonly by: 'worker' | 'person';
  readonly startedAt: string;
  /** The Lambda request id of a worker; null for a person. */
  readonly requestId: string | null;
  /** The X-Ray trace of a worker, where there is one. */
  readonly traceId: string | null;
}

/** A decision without its reason, which only the ledger holds: people write what they like there. */
export interface DecisionRecord {
  readonly decision: DecisionKind;
  /** What the person typed as their name. */
  readonly by: string;
  readonly at: string;
  readonly evidence: string | null;
  /** The finding that the person saw. */
  readonly findingSeen: string;
  readonly result: DecisionResult;
}

/** Who owns the contact, as far as the ledger was told. */
export interface OwnerRecord {
  /** The owner that the CRM last showed, and when; null before it was read. */
  readonly ownerId: string | null;
  readonly readAt: string | null;
  /** `set`: the one that this handoff sets; `kept`: another one, left as it was; null where the evidence does not say. */
  readonly how: 'set' | 'kept' | null;
  /** When a later read found that somebody else had changed the owner; null where none did. */
  readonly changedSince: string | null;
  /** The owner that the route's rule chose for this lead. */
  readonly chosenOwnerId: string;
  /** What the CRM showed before this handoff wrote, with the CRM's own time of the last change before it; null if not read. */
  readonly before: { readonly ownerId: string | null; readonly changedAt: string | null } | null;
}

/** Work that waits, without its task token. */
export interface WaitingRecord {
  readonly action: WaitingSubject;
  readonly kind: 'ask' | 'park';
  readonly who: string;
  readonly why: string;
  /** Of a `same-person` question: the person's other lead request. */
  readonly rival?: string;
  readonly since: string;
  readonly dueAt: string | null;
  /** How often it was escalated. */
  readonly asked: number;
}

/** What a person sees of a handoff. Times are ISO 8601. */
export interface RecoveryRecord {
  readonly route: string;
  readonly leadRequestId: string;
  readonly sourceReference: string | null;
  readonly status: HandoffStatus;
  readonly execution: string;
  readonly run: number;
  readonly acceptedAt: string;
  readonly closedAt: string | null;
  /** The same person's other lead request that this one was joined to: nothing was done for this one. Null for all others. */
  readonly joinedTo: string | null;
  /** The owner that the CRM last showed, or null before it was read. */
  readonly ownerId: string | null;
  readonly owner: OwnerRecord;
  /** The contact's id in the CRM; null before it is known. */
  readonly contactId: string | null;
  /** All four; of a handoff that was joined to another one those alone that were begun, because nothing will be done for it. */
  readonly actions: readonly ActionRecord[];
  readonly waiting: readonly WaitingRecord[];
  /** The same id that came with other fields: when it first did, and the hash that tells such requests apart. */
  readonly conflicts: readonly { readonly intentHash: string; readonly firstSeenAt: string }[];
  /** Which of them an approver put in the place of the first ones, oldest first. */
  readonly amendments: readonly { readonly intentHash: string; readonly by: string; readonly at: string }[];
  /** The runs that a person asked for, oldest first. */
  readonly resubmissions: readonly { readonly run: number; readonly by: string; readonly at: string }[];
}

/** What the ledger holds of a handoff, without its task tokens and without the lead's personal data. */
export function recoveryRecord(record: LedgerRecord): RecoveryRecord {
  const { handoff } = record;
  const actions = statesOf(record);
  const owner = ownerRecord(record, actions);
  return {
    route: handoff.route,
    leadRequestId: handoff.leadRequestId,
    sourceReference: handoff.lead.sourceReference ?? null,
    status: handoffStatus(record),
    execution: handoff.execution,
    run: handoff.run,
    acceptedAt: iso(handoff.acceptedAt),
    closedAt: isoOrNull(handoff.closedAt),
    joinedTo: handoff.joinedTo ?? null,
    ownerId: owner.ownerId,
    owner,
    contactId: contactIdOf(record),
    actions: (handoff.joinedTo === undefined ? actions : actions.filter(isBegun)).map(actionRecord),
    waiting: record.waiting.map(({ action, kind, who, why, rival, since, dueAt, asked }) => ({
      action,
      kind,
      who,
      why,
      ...(rival === undefined ? {} : { rival }),
      since: iso(since),
      dueAt: isoOrNull(dueAt),
      asked,
    })),
    // The first ones are kept with them once they were replaced; they were never other fields.
    conflicts: record.conflicts
      .filter(({ intentHash }) => intentHash !== handoff.intentHash)
      .map(({ intentHash, firstSeenAt }) => ({ intentHash, firstSeenAt: iso(firstSeenAt) })),
    amendments: handoff.amendments.map(({ intentHash, by, at }) => ({ intentHash, by, at: iso(at) })),
    resubmissions: (handoff.resubmissions ?? []).map(({ run, by, at }) => ({ run, by, at: iso(at) })),
  };
}

/** The state of every action, touched or not. */
export function statesOf(record: Pick<LedgerRecord, 'actions'>): readonly ActionState[] {
  return ACTIONS.map((name) => record.actions.find(({ action }) => action === name) ?? openAction(name));
}

function isBegun({ phase }: ActionState): boolean {
  return phase !== 'open';
}

function actionRecord(state: ActionState): ActionRecord {
  const { action, attempt, phase, warnings, evidence, lateEvidence, lastRead } = state;
  const done = phase === 'performed';
  const disposition = done ? 'keep' : phase.startsWith('stopped') ? 'stop' : (lastRead?.disposition ?? null);
  // A receipt that came after the last read says more than that read.
  const readSaysIt = lastRead !== null && (!done || lastRead.disposition === 'keep');
  return {
    action,
    attempt,
    phase,
    finding: readSaysIt ? lastRead.finding : done ? 'done' : null,
    readAt: isoOrNull(lastRead?.at ?? null),
    absenceProven: lastRead?.absenceProven ?? false,
    disposition,
    reason: done ? null : phase.startsWith('stopped') ? state.reason : (lastRead?.reason ?? null),
    outcomeReason: done ? null : state.reason,
    warnings,
    evidence: shown(evidence),
    lateEvidence: shown(lateEvidence),
    lastAttempt: attemptRecord(state),
    lastDecision: decisionRecord(state),
  };
}

function attemptRecord({ claim }: ActionState): AttemptRecord | null {
  if (claim === null) return null;
  const worker = claim.by.kind === 'worker';
  return {
    by: claim.by.kind,
    startedAt: iso(claim.at),
    requestId: worker ? claim.by.name : null,
    traceId: claim.traceId ?? null,
  };
}

function decisionRecord(state: ActionState): DecisionRecord | null {
  const { lastDecision } = state;
  if (!lastDecision) return null;
  const { kind, by, at, evidence, findingSeen } = lastDecision.decision;
  // The attempt that it allows has not begun.
  const result = isCarriedAgain(state) ? 'pending' : lastDecision.result;
  return { decision: kind, by, at: iso(at), evidence: evidence ?? null, findingSeen, result };
}

/** The owner that the newest evidence names, and whether a read after it found another one. */
function ownerRecord(record: LedgerRecord, states: readonly ActionState[]): OwnerRecord {
  const [newest] = states
    .flatMap(({ evidence }) => evidence ?? [])
    .flatMap(({ readAt, facts, kind }) => {
      const ownerId = facts.currentOwnerId ?? facts.ownerId;
      return typeof ownerId === 'string' ? [{ readAt, ownerId, how: howOf(facts.owner, kind) }] : [];
    })
    .sort((a, b) => b.readAt - a.readAt);
  return {
    ownerId: newest?.ownerId ?? null,
    readAt: isoOrNull(newest?.readAt ?? null),
    how: newest?.how ?? null,
    changedSince: isoOrNull(changedSince(states, newest?.readAt ?? 0)),
    chosenOwnerId: record.handoff.ownerId,
    before: ownerBefore(record),
  };
}

function howOf(fact: unknown, kind: Evidence['kind']): 'set' | 'kept' | null {
  if (fact === 'set' || fact === 'kept') return fact;
  return kind === 'receipt' ? 'set' : null;
}

function changedSince(states: readonly ActionState[], readAt: number): number | null {
  const changed = states.flatMap(({ lastRead }) =>
    lastRead !== null && OWNER_CHANGED.includes(lastRead.finding) ? [lastRead.at] : [],
  );
  const last = Math.max(...changed);
  return last > readAt ? last : null;
}

/** Findings of an owner that somebody else set. */
const OWNER_CHANGED = ['superseded:owner-changed', 'superseded:sender-no-longer-owner'];

function ownerBefore({ operations }: LedgerRecord): OwnerRecord['before'] {
  const frozen = operations
    .filter(({ action }) => action === 'assign-owner')
    .sort((a, b) => b.revision - a.revision)[0];
  if (!frozen) return null;
  const { ownerId, changedAt } = (frozen.body as AssignOwnerBody).baseline;
  return { ownerId, changedAt: isoOrNull(changedAt) };
}

/** From what the CRM answered; else from what a later action was frozen with. */
function contactIdOf({ actions, operations }: LedgerRecord): string | null {
  const upserted = actions.find(({ action }) => action === 'upsert-contact')?.evidence?.recordId;
  const [frozen = null] = operations.flatMap(({ body }) => ('contactId' in body ? [body.contactId] : []));
  return upserted ?? frozen;
}

function shown(evidence: Evidence | null): ShownEvidence | null {
  return evidence && { ...evidence, readAt: iso(evidence.readAt) };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
