import type { Grant } from './action-state.ts';
import type { Amendment } from './amendment.ts';
import { type GuideFacts, provenNotApplied, type Verdict } from './decision-guide.ts';
import type { Evidence } from './evidence.ts';
import { type Finding, shownEffect } from './finding.ts';
import { canonicalHash } from './intent.ts';
import type { ReconcileChange } from './transition.ts';

/** What the workflow is told, and what it changes on the action. */
export interface Answer {
  readonly verdict: Verdict;
  readonly change: ReconcileChange;
  /** The decision in force was heard: used, unless `decisionResult` says otherwise. */
  readonly decisionConsumed: boolean;
  readonly decisionResult?: 'turned-down' | 'too-late';
}

/**
 * The guide's own verdict as a change of the action.
 *
 * @param decisionId of a decision that wants the same
 */
export function guidesAnswer(
  facts: GuideFacts,
  verdict: Verdict,
  readStartedAt: number,
  decisionId: string | null = null,
): Answer {
  const { state, finding } = facts;
  const answer = (change: ReconcileChange): Answer => ({ verdict, change, decisionConsumed: false });
  switch (verdict.disposition) {
    case 'keep':
      return finding.finding === 'done' || (finding.finding === 'superseded' && finding.evidence)
        ? { ...answer({ kind: 'done', evidence: finding.evidence as Evidence }), decisionConsumed: true }
        : answer({ kind: 'none' });
    case 'resume':
      if (state.attempt === 0) return answer({ kind: 'none' });
      return answer({
        kind: 'grant',
        grant: grantFor(facts, readStartedAt, decisionId),
        freezeAgain: verdict.freezeAgain === true,
        newIdentity: false,
      });
    case 'stop':
      return answer(stopped(facts, verdict));
    default:
      return answer(
        finding.finding === 'superseded' && finding.cause === 'possible-overwrite'
          ? { kind: 'warn', warning: 'possible-overwrite', evidence: finding.evidence }
          : { kind: 'none' },
      );
  }
}

/** How an action ends that is stopped: with what the destination shows, else with what was reported late. */
export function stopped({ state, finding }: GuideFacts, { endsAs, reason }: Verdict): ReconcileChange {
  const phase = endsAs ?? 'stopped';
  const late = phase === 'stopped-but-done' ? state.lateEvidence : null;
  return { kind: 'stopped', phase, reason, evidence: shownEffect(finding) ?? late };
}

/** The read proves that the action's own effect is not there. */
export function absenceProven(finding: Finding): boolean {
  return finding.finding === 'absent' || (finding.finding === 'superseded' && finding.absenceProven);
}

/** The permission for the next attempt, bound to the evidence that it rests on. */
export function grantFor(
  facts: GuideFacts,
  readStartedAt: number,
  decisionId: string | null,
  amendment?: Amendment,
): Grant {
  const { state, finding, now, numbers } = facts;
  const basis = provenNotApplied(state) ? 'not-applied' : absenceProven(finding) ? 'absent' : 'unclear';
  return {
    attempt: state.attempt + 1,
    evidenceHash: canonicalHash({ finding, readStartedAt }),
    readStartedAt,
    expiresAt: now + numbers.grantExpiryMs,
    basis,
    decisionId,
    ...(amendment ? { amendment } : {}),
  };
}
