import type { ActionName } from './action.ts';
import type { ActionState } from './action-state.ts';
import { filledAction, linksOf, type RecordOptions } from './filled-record.ts';
import type { LedgerRecord } from './handoff.ts';
import type { RecordLinks } from './links.ts';
import type { DecisionInput } from './recovery-choices.ts';
import { type AttemptRecord, recoveryRecord, type ShownEvidence, statesOf } from './recovery-record.ts';
import { wordsFor } from './words.ts';

/**
 * What a person needs who opens the ask state in the console: codes, references, links, and the choices with their inputs. Goes
 * into the state data, so it is small (a few kilobytes), and holds neither personal data of the lead nor what people typed.
 */
export interface RecoverySummary {
  /** `<route>/<leadRequestId>`. */
  readonly lead: string;
  readonly action: ActionName;
  readonly attempt: number;
  readonly finding: string | null;
  readonly readAt: string | null;
  /** Why a person is asked, as a code and in words. */
  readonly reason: string | null;
  readonly inWords: string | null;
  /** What the last attempt said of itself, as a code. */
  readonly outcomeReason: string | null;
  readonly evidence: Pick<ShownEvidence, 'kind' | 'destination' | 'recordId' | 'readAt'> | null;
  /** The owner that the CRM last showed. */
  readonly ownerId: string | null;
  readonly lastAttempt: AttemptRecord | null;
  readonly notKnown: string | null;
  readonly mustChange: string | null;
  readonly links: RecordLinks;
  /** Start an execution of the route's recovery state machine with one of these inputs, `by` and `reason` filled in. */
  readonly choices: readonly { readonly does: string; readonly input: DecisionInput }[];
}

/** The recovery record of one action, short enough for the state data of its execution. */
export function recoverySummary(
  record: LedgerRecord,
  options: RecordOptions & { readonly action: ActionName },
): RecoverySummary {
  const held = recoveryRecord(record);
  const i = held.actions.findIndex(({ action }) => action === options.action);
  const state = statesOf(record)[i] as ActionState;
  const filled = filledAction(held.actions[i] as (typeof held.actions)[number], state, record, options);
  const { evidence } = filled;
  return {
    lead: `${held.route}/${held.leadRequestId}`,
    action: filled.action,
    attempt: filled.attempt,
    finding: filled.finding,
    readAt: filled.readAt,
    reason: filled.reason,
    inWords: filled.reason && wordsFor(filled.reason),
    outcomeReason: filled.outcomeReason,
    evidence: evidence && {
      kind: evidence.kind,
      destination: evidence.destination,
      recordId: evidence.recordId,
      readAt: evidence.readAt,
    },
    ownerId: held.ownerId,
    lastAttempt: filled.lastAttempt,
    notKnown: filled.notKnown,
    mustChange: filled.mustChange,
    links: linksOf(held, options),
    choices: filled.choices.map(({ does, input }) => ({ does, input })),
  };
}
