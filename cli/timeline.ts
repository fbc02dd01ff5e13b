import type { ActionName } from '../functions/domain/action.ts';
import type { LedgerRecord } from '../functions/domain/handoff.ts';
import type { Run } from './aws/runs.ts';

/** One thing that happened in a handoff. */
export interface TimelineEntry {
  /** ISO 8601. */
  readonly at: string;
  /** Null for what concerns the handoff as a whole. */
  readonly action: ActionName | null;
  readonly attempt: number | null;
  /** What the ledger calls it (`claimed`, `unknown`, `decided-resume`, …); `accepted`, `run-started` and the like for the handoff. */
  readonly event: string;
  /** Who, for a claim or a decision; else reason codes, or the execution. */
  readonly detail: string | null;
  /** Why a person decided so, in their words; null for everything else, and for decisions before the last one. */
  readonly why: string | null;
}

/** Everything that is known to have happened, in time order: the history of all actions, decisions, runs, other fields. */
export function timelineOf(record: LedgerRecord, runs: readonly Run[]): readonly TimelineEntry[] {
  return [...ofHandoff(record), ...ofRuns(runs), ...ofActions(record)]
    .sort((a, b) => a.time - b.time)
    .map(({ time, ...entry }) => ({ at: new Date(time).toISOString(), ...entry }));
}

type Entry = Omit<TimelineEntry, 'at'> & { readonly time: number };

function ofActions({ actions }: LedgerRecord): Entry[] {
  return actions.flatMap(({ action, history, lastDecision }) =>
    history.map(({ at, attempt, event, detail }): Entry => {
      const last = lastDecision?.decision;
      const isLast = last !== undefined && last.at === at && event === `decided-${last.kind}`;
      return { time: at, action, attempt, event, detail, why: isLast ? last.reason : null };
    }),
  );
}

function ofHandoff({ handoff, conflicts }: LedgerRecord): Entry[] {
  const { acceptedAt, closedAt, amendments, resubmissions = [] } = handoff;
  return [
    ofWhole(acceptedAt, 'accepted', null),
    ...conflicts
      .filter(({ intentHash }) => intentHash !== handoff.intentHash)
      .map(({ firstSeenAt, intentHash }) => ofWhole(firstSeenAt, 'other-fields', intentHash)),
    ...amendments.map(({ at, intentHash, by }) => ofWhole(at, 'amended', `${intentHash} by ${by}`)),
    ...resubmissions.map(({ at, run, by, reason }) => ({
      ...ofWhole(at, 'resubmitted', `run ${run} by ${by}`),
      why: reason,
    })),
    ...(closedAt === null ? [] : [ofWhole(closedAt, 'closed', null)]),
  ];
}

function ofRuns(runs: readonly Run[]): Entry[] {
  return runs.flatMap(({ run, execution, status, startedAt, endedAt }) => [
    ...(startedAt === null ? [] : [ofWhole(startedAt, 'run-started', `${execution} (run ${run})`)]),
    ...(endedAt === null ? [] : [ofWhole(endedAt, 'run-ended', `${execution} (${status})`)]),
  ]);
}

function ofWhole(time: number, event: string, detail: string | null): Entry {
  return { time, action: null, attempt: null, event, detail, why: null };
}
