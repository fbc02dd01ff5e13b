import { ACTIONS, type ActionName } from './action.ts';
import { type ActionState, type Disposition, openAction, type Phase, type Warning } from './action-state.ts';
import type { Evidence } from './evidence.ts';
import { type HandoffStatus, handoffStatus, type LedgerRecord, type WaitingSubject } from './handoff.ts';

/** One action as a recovery record shows it. */
export interface ActionRecord {
  readonly action: ActionName;
  /** The last attempt; 0 before the first. */
  readonly attempt: number;
  readonly phase: Phase;
  /** What the last read found, or `done` where the destination's receipt says so; null before any. */
  readonly finding: string | null;
  readonly disposition: Disposition | null;
  /** Why the disposition is what it is, as a code; null where nothing needs a reason. */
  readonly reason: string | null;
  /** What the last attempt said of itself when it was not performed, as a code. */
  readonly outcomeReason: string | null;
  readonly warnings: readonly Warning[];
  readonly evidence: (Omit<Evidence, 'readAt'> & { readonly readAt: string }) | null;
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
  /** The owner that the CRM last showed, or null before it was read. */
  readonly ownerId: string | null;
  readonly actions: readonly ActionRecord[];
  readonly waiting: readonly {
    readonly action: WaitingSubject;
    readonly kind: 'ask' | 'park';
    readonly who: string;
    readonly why: string;
    readonly since: string;
    readonly dueAt: string | null;
  }[];
  /** The same id that came with other fields: when it first did, and the hash that tells such requests apart. */
  readonly conflicts: readonly { readonly intentHash: string; readonly firstSeenAt: string }[];
}

/** The recovery record of a handoff, without its task tokens and without the lead's personal data. */
export function recoveryRecord(record: LedgerRecord): RecoveryRecord {
  const { handoff } = record;
  const actions = ACTIONS.map(
    (name) => record.actions.find(({ action }) => action === name) ?? openAction(name),
  );
  return {
    route: handoff.route,
    leadRequestId: handoff.leadRequestId,
    sourceReference: handoff.lead.sourceReference ?? null,
    status: handoffStatus(record),
    execution: handoff.execution,
    run: handoff.run,
    acceptedAt: iso(handoff.acceptedAt),
    closedAt: handoff.closedAt === null ? null : iso(handoff.closedAt),
    ownerId: lastOwner(actions),
    actions: actions.map(actionRecord),
    waiting: record.waiting.map(({ action, kind, who, why, since, dueAt }) => ({
      action,
      kind,
      who,
      why,
      since: iso(since),
      dueAt: dueAt === null ? null : iso(dueAt),
    })),
    conflicts: record.conflicts.map(({ intentHash, firstSeenAt }) => ({
      intentHash,
      firstSeenAt: iso(firstSeenAt),
    })),
  };
}

function actionRecord(state: ActionState): ActionRecord {
  const { action, attempt, phase, warnings, evidence, lastRead } = state;
  const done = phase === 'performed';
  const disposition = done ? 'keep' : phase.startsWith('stopped') ? 'stop' : (lastRead?.disposition ?? null);
  // A receipt that came after the last read says more than that read.
  const readSaysIt = lastRead !== null && (!done || lastRead.disposition === 'keep');
  return {
    action,
    attempt,
    phase,
    finding: readSaysIt ? lastRead.finding : done ? 'done' : null,
    disposition,
    reason: done ? null : phase.startsWith('stopped') ? state.reason : (lastRead?.reason ?? null),
    outcomeReason: done ? null : state.reason,
    warnings,
    evidence: evidence && { ...evidence, readAt: iso(evidence.readAt) },
  };
}

/** The owner that the newest evidence of the owner action, or of the introduction, names. */
function lastOwner(actions: readonly ActionState[]): string | null {
  const named = actions
    .flatMap(({ evidence }) => evidence ?? [])
    .map(({ readAt, facts }) => ({ readAt, owner: facts.currentOwnerId ?? facts.ownerId }))
    .filter(({ owner }) => typeof owner === 'string')
    .sort((a, b) => b.readAt - a.readAt);
  return (named[0]?.owner as string | undefined) ?? null;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
