import { decide, type GuideFacts, type Verdict } from './decision-guide.ts';
import { decisionInForce } from './decision-in-force.ts';
import { findingCode } from './finding.ts';
import { absenceProven, guidesAnswer } from './guides-answer.ts';
import { personsAnswer, type ReadBack } from './persons-answer.ts';
import type { ReconcileEvent } from './transition.ts';

/** What one reconcile comes to: what the workflow is told, and what is written on the action. */
export interface Conclusion {
  readonly verdict: Verdict;
  /** The attempt that the workflow may run next, or ran last. */
  readonly attempt: number;
  /** Null where nothing may be written or nothing changed. */
  readonly event: ReconcileEvent | null;
}

/** New unique ids for what a conclusion writes: its own record, and the claim that a `take-over` would take. */
export interface ConclusionIds {
  readonly event: string;
  readonly claim: string;
}

/**
 * Turns a read into a conclusion: the guide's verdict, then a person's decision where there is one. Pure.
 *
 * @param readStartedAt epoch milliseconds, taken before the first byte of the read was sent
 * @param readBack what the destination says about the record that a pending `confirm` names
 */
export function conclude(
  facts: GuideFacts,
  readStartedAt: number,
  ids: ConclusionIds,
  readBack: ReadBack = { kind: 'not-read' },
): Conclusion {
  const guided = decide(facts);
  const { state, finding } = facts;
  const resumed = (attempt: number) => (attempt === 0 ? 1 : attempt + 1);
  if (guided.reason === 'not-current' || (guided.disposition === 'keep' && state.phase === 'performed')) {
    return { verdict: guided, attempt: Math.max(1, state.attempt), event: null };
  }
  if (state.phase.startsWith('stopped')) {
    return { verdict: guided, attempt: Math.max(1, state.attempt), event: null };
  }
  const decision = decisionInForce(state);
  const answer =
    (decision &&
      personsAnswer({ facts, guided, decision, readStartedAt, newClaimId: ids.claim, readBack })) ??
    guidesAnswer(facts, guided, readStartedAt);
  const { verdict } = answer;
  return {
    verdict,
    attempt: verdict.disposition === 'resume' ? resumed(state.attempt) : Math.max(1, state.attempt),
    event: {
      type: 'reconcile',
      id: ids.event,
      at: facts.now,
      seenVersion: state.version,
      readStartedAt,
      finding: findingCode(finding),
      absenceProven: absenceProven(finding),
      unreadable: finding.finding === 'unclear' && finding.cause === 'unreadable',
      disposition: verdict.disposition,
      reason: verdict.reason,
      change: answer.change,
      backOffUntil: verdict.backOffUntil ?? null,
      decisionConsumed: answer.decisionConsumed,
      ...(answer.decisionResult ? { decisionResult: answer.decisionResult } : {}),
    },
  };
}
