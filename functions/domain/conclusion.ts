import type { Grant } from './action-state.ts';
import type { Decision } from './decision.ts';
import {
  decide,
  finishStop,
  type GuideFacts,
  insideKeyWindow,
  provenNotApplied,
  settleTime,
  type Verdict,
  waitForWorker,
  workerMayRun,
} from './decision-guide.ts';
import type { Evidence } from './evidence.ts';
import { findingCode, shownEffect } from './finding.ts';
import { canonicalHash } from './intent.ts';
import type { ReconcileChange, ReconcileEvent } from './transition.ts';

/** What one reconcile comes to: what the workflow is told, and what is written on the action. */
export interface Conclusion {
  readonly verdict: Verdict;
  /** The attempt that the workflow may run next, or ran last. */
  readonly attempt: number;
  /** Null where nothing may be written or nothing changed. */
  readonly event: ReconcileEvent | null;
}

interface Answer {
  readonly verdict: Verdict;
  readonly change: ReconcileChange;
  readonly decisionConsumed: boolean;
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
 */
export function conclude(facts: GuideFacts, readStartedAt: number, ids: ConclusionIds): Conclusion {
  const guided = decide(facts);
  const { state, finding } = facts;
  const resumed = (attempt: number) => (attempt === 0 ? 1 : attempt + 1);
  if (guided.reason === 'not-current' || (guided.disposition === 'keep' && state.phase === 'performed')) {
    return { verdict: guided, attempt: Math.max(1, state.attempt), event: null };
  }
  if (state.phase.startsWith('stopped')) {
    return { verdict: guided, attempt: Math.max(1, state.attempt), event: null };
  }
  const answer =
    (state.decision && personsAnswer(facts, guided, state.decision, readStartedAt, ids.claim)) ??
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
      unreadable: finding.finding === 'unclear' && finding.cause === 'unreadable',
      disposition: verdict.disposition,
      reason: verdict.reason,
      change: answer.change,
      backOffUntil: verdict.backOffUntil ?? null,
      decisionConsumed: answer.decisionConsumed,
    },
  };
}

function guidesAnswer(facts: GuideFacts, verdict: Verdict, readStartedAt: number): Answer {
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
        grant: grantFor(facts, readStartedAt, null),
        freezeAgain: verdict.freezeAgain === true,
        newIdentity: false,
      });
    case 'stop':
      return answer({
        kind: 'stopped',
        phase: verdict.endsAs ?? 'stopped',
        reason: verdict.reason,
        evidence: shownEffect(finding),
      });
    default:
      return answer(
        finding.finding === 'superseded' && finding.cause === 'possible-overwrite'
          ? { kind: 'warn', warning: 'possible-overwrite' }
          : { kind: 'none' },
      );
  }
}

/** A person's decision, where the fresh read still bears it; null where the guide's own answer stands. */
function personsAnswer(
  facts: GuideFacts,
  guided: Verdict,
  decision: Decision,
  readStartedAt: number,
  newClaimId: string,
): Answer | null {
  if (decision.kind === 'stop') return stopAnswer(facts);
  if (workerMayRun(facts)) return null;
  const { disposition } = guided;
  // The guide has come to an end by itself, or to what the person wants.
  const answered = disposition === 'keep' || disposition === 'stop' || disposition === decision.kind;
  if (answered) return { ...guidesAnswer(facts, guided, readStartedAt), decisionConsumed: true };
  // A person's word that it is done holds at once; everything else waits until work may go on.
  if ((disposition === 'wait' || disposition === 'park') && decision.kind !== 'confirm') return null;
  const { state, finding, now } = facts;
  const code = findingCode(finding);
  const used = (verdict: Verdict, change: ReconcileChange): Answer => ({
    verdict,
    change,
    decisionConsumed: true,
  });
  const turnedDown = (reason: string) => used({ disposition: 'ask', reason }, { kind: 'none' });
  const resume = (freezeAgain: boolean, newIdentity: boolean): Answer => {
    if (facts.routePaused || facts.breakerOpen) {
      const reason = facts.routePaused ? 'route-paused' : 'breaker-open';
      return { verdict: { disposition: 'park', reason }, change: { kind: 'none' }, decisionConsumed: false };
    }
    return used(
      { disposition: 'resume', reason: `decided-${decision.kind}` },
      { kind: 'grant', grant: grantFor(facts, readStartedAt, decision.id), freezeAgain, newIdentity },
    );
  };
  const settled = now >= settleTime(state, facts.contract);
  const needsProof = decision.kind !== 'confirm' && decision.kind !== 'release';
  if (needsProof && !settled) {
    const waitMs = settleTime(state, facts.contract) - now;
    return {
      verdict: { disposition: 'wait', reason: 'too-early', waitMs },
      change: { kind: 'none' },
      decisionConsumed: false,
    };
  }
  // The person saw one thing and the destination now shows another, and it is not the better one: ask again.
  const noWorse = code === decision.findingSeen || finding.finding === 'absent';
  if (needsProof && !noWorse) return turnedDown('decision-outdated');
  switch (decision.kind) {
    case 'resume': {
      const proven = finding.finding === 'absent' || provenNotApplied(state);
      const sameKey =
        facts.contract.kind === 'idempotency-key' && finding.finding === 'unclear' && insideKeyWindow(facts);
      if (state.phase === 'taken-over') break;
      if (state.attempt === 0) {
        return used({ disposition: 'resume', reason: 'decided-resume' }, { kind: 'none' });
      }
      if (!(proven || sameKey)) break;
      return resume(guided.freezeAgain === true, false);
    }
    case 'amend': {
      const proven = finding.finding === 'absent' || provenNotApplied(state);
      if (state.attempt === 0 || state.phase === 'taken-over' || !proven) break;
      return resume(true, facts.contract.kind === 'idempotency-key');
    }
    case 'send-as-current-owner':
      if (facts.action !== 'send-introduction' || state.attempt === 0 || !absenceProven(facts)) break;
      if (state.phase === 'taken-over') break;
      return resume(true, true);
    case 'confirm':
      // Every later action needs the contact's id.
      if (facts.action === 'upsert-contact' && !decision.evidence) break;
      return used(
        { disposition: 'keep', reason: 'confirmed' },
        { kind: 'done', evidence: attested(facts, decision) },
      );
    case 'keep-owner': {
      const owner =
        finding.finding === 'superseded' && facts.action === 'assign-owner' ? finding.evidence : null;
      if (!owner) break;
      return used({ disposition: 'keep', reason: 'owner-kept' }, { kind: 'done', evidence: owner });
    }
    case 'take-over':
      if (state.phase === 'taken-over') break;
      if (finding.finding !== 'absent' && !(finding.finding === 'unclear' && decision.riskAccepted)) break;
      return used(
        { disposition: 'ask', reason: 'taken-over' },
        {
          kind: 'take-over',
          claim: {
            id: newClaimId,
            by: { kind: 'person', name: decision.by },
            at: now,
            deadline: now,
            goneAt: now,
          },
        },
      );
    case 'release':
      if (state.phase !== 'taken-over' || !decision.notDone) break;
      return used(
        { disposition: 'wait', reason: 'released', waitMs: facts.numbers.backOffFloorMs },
        { kind: 'release' },
      );
  }
  return turnedDown('decision-not-possible');
}

function absenceProven(facts: GuideFacts): boolean {
  const { finding } = facts;
  return finding.finding === 'absent' || (finding.finding === 'superseded' && finding.absenceProven);
}

/** Stop is an intent: it holds from now on, and ends when what the action did is certain. */
function stopAnswer(facts: GuideFacts): Answer {
  // While its worker may run the intent stays a decision: it already forbids every new claim.
  if (workerMayRun(facts)) {
    return { verdict: waitForWorker(facts), change: { kind: 'none' }, decisionConsumed: false };
  }
  const verdict = finishStop(facts);
  const { finding } = facts;
  if (verdict.disposition === 'stop') {
    return {
      verdict,
      change: {
        kind: 'stopped',
        phase: verdict.endsAs ?? 'stopped',
        reason: verdict.reason,
        evidence: shownEffect(finding),
      },
      decisionConsumed: true,
    };
  }
  return {
    verdict,
    change: { kind: 'stopping', reason: 'stopped-by-person' },
    decisionConsumed: true,
  };
}

function attested(facts: GuideFacts, decision: Decision): Evidence {
  return {
    kind: 'attested',
    destination: facts.contract.destination,
    recordId: decision.evidence ?? null,
    readAt: facts.now,
    facts: { decision: decision.id },
  };
}

function grantFor(facts: GuideFacts, readStartedAt: number, decisionId: string | null): Grant {
  const { state, finding, now, numbers } = facts;
  const basis = provenNotApplied(state) ? 'not-applied' : absenceProven(facts) ? 'absent' : 'unclear';
  return {
    attempt: state.attempt + 1,
    evidenceHash: canonicalHash({ finding, readStartedAt }),
    readStartedAt,
    expiresAt: now + numbers.grantExpiryMs,
    basis,
    decisionId: decisionId ?? state.grant?.decisionId ?? null,
  };
}
