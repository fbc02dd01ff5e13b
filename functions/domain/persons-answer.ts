import type { Amendment } from './amendment.ts';
import type { Decision, DecisionKind } from './decision.ts';
import {
  finishStop,
  type GuideFacts,
  nextAttemptAt,
  OWNER_UNKNOWN,
  settleTime,
  type Verdict,
  waitForBackOff,
  waitForWorker,
  waitToRead,
  workerMayRun,
} from './decision-guide.ts';
import { isCarriedAgain } from './decision-in-force.ts';
import { judgeDecision } from './decision-rules.ts';
import type { Evidence } from './evidence.ts';
import { findingCode } from './finding.ts';
import { type Answer, absenceProven, grantFor, guidesAnswer, stopped } from './guides-answer.ts';
import type { ReconcileChange } from './transition.ts';

/** What the destination says about the record that a `confirm` names. */
export type ReadBack =
  | { readonly kind: 'record'; readonly evidence: Evidence }
  /** There is none of that id, or it is somebody else's. */
  | { readonly kind: 'missing' }
  /** No record was named, it could not be read, or it is of no kind that can be. */
  | { readonly kind: 'not-read' };

interface PersonsFacts {
  readonly facts: GuideFacts;
  readonly guided: Verdict;
  readonly decision: Decision;
  readonly readStartedAt: number;
  readonly newClaimId: string;
  readonly readBack: ReadBack;
}

/** Decisions after which something goes out. */
const SENDS: readonly DecisionKind[] = ['resume', 'amend', 'send-as-current-owner'];

/** Decisions that the effect, or somebody else's, is there. */
const CONFIRMING: readonly DecisionKind[] = ['confirm', 'keep-owner'];

/** So many reads in a row may fail before a decision that rests on one is turned down: people are not kept waiting for an outage. */
const UNREADABLE_READS = 3;

/** Why an attempt that a person allowed is not tried again: what stood in its way does not go away by itself. */
function lastingObstacle({ lastError }: GuideFacts, guided: Verdict): string | null {
  if (lastError === OWNER_UNKNOWN) return 'owner-unknown';
  if (lastError === 'DependencyStopped') return 'decision-not-possible';
  return guided.reason === 'too-many-turns' ? guided.reason : null;
}

/** A person's decision, where the fresh read still bears it; null where the guide's own answer stands. */
export function personsAnswer(persons: PersonsFacts): Answer | null {
  const { facts, guided, decision, readStartedAt } = persons;
  if (decision.kind === 'stop') return stopAnswer(facts);
  if (workerMayRun(facts)) return null;
  const { disposition } = guided;
  // The guide has come to an end by itself, or to what the person wants.
  if (disposition === 'keep' || disposition === 'stop' || disposition === decision.kind) {
    return endedByGuide(persons);
  }
  // What cannot be carried out is not tried for ever: the person hears why.
  const obstacle = isCarriedAgain(facts.state) ? lastingObstacle(facts, guided) : null;
  if (obstacle) return turnedDown(obstacle);
  // A person's word that it is done holds at once. Everything else waits for what the guide waits for; of that a closed gate only
  // stands in the way of what would be sent.
  if (disposition === 'wait' && decision.kind !== 'confirm') return null;
  if (disposition === 'park' && SENDS.includes(decision.kind)) return null;
  const { state, finding, now } = facts;
  const needsProof = decision.kind !== 'confirm' && decision.kind !== 'release';
  const settleAt = settleTime(state, facts.contract);
  // A read that began before then proves nothing, also where it ended after it.
  if (needsProof && readStartedAt < settleAt) {
    const verdict: Verdict = {
      disposition: 'wait',
      reason: 'too-early',
      waitMs: Math.max(0, settleAt - now),
    };
    return waiting(verdict);
  }
  // The person saw one thing and the destination now shows another, and it is not the better one: ask again.
  const noWorse = findingCode(finding) === decision.findingSeen || finding.finding === 'absent';
  if (needsProof && !noWorse) return readAgain(facts) ?? turnedDown('decision-outdated');
  const seen = { code: findingCode(finding), absenceProven: absenceProven(finding) };
  const judgement = judgeDecision({ ...facts, seen }, decision);
  if (judgement === 'allowed') return carriedOut(persons);
  return (judgement === 'if-proven' ? readAgain(facts) : null) ?? turnedDown('decision-not-possible');
}

/** The decision stays while a read that failed is tried again; null where none failed, or too many did. */
function readAgain(facts: GuideFacts): Answer | null {
  const { finding, state, numbers } = facts;
  const most = Math.min(UNREADABLE_READS, numbers.unreadableReads);
  const again = findingCode(finding) === 'unclear:unreadable' && state.unreadableReads + 1 < most;
  return again ? waiting(waitToRead(facts)) : null;
}

const waiting = (verdict: Verdict): Answer => ({
  verdict,
  change: { kind: 'none' },
  decisionConsumed: false,
});

const used = (verdict: Verdict, change: ReconcileChange): Answer => ({
  verdict,
  change,
  decisionConsumed: true,
});
const turnedDown = (reason: string): Answer => ({
  ...used({ disposition: 'ask', reason }, { kind: 'none' }),
  decisionResult: 'turned-down',
});

/** What the destination shows needs nothing more: only who said just that, or wanted it, was right. */
function endedByGuide({ facts, guided, decision, readStartedAt }: PersonsFacts): Answer {
  const { disposition } = guided;
  const answer = guidesAnswer(facts, guided, readStartedAt, decision.id);
  const asWanted =
    disposition === decision.kind || (disposition === 'keep' && CONFIRMING.includes(decision.kind));
  return { ...answer, decisionConsumed: true, ...(asWanted ? {} : { decisionResult: 'too-late' }) };
}

/** An allowed decision as a change of the action. */
function carriedOut(persons: PersonsFacts): Answer {
  const { facts, guided, decision, newClaimId, readBack } = persons;
  const { state, finding, now, contract } = facts;
  switch (decision.kind) {
    case 'resume':
      return state.attempt === 0
        ? used({ disposition: 'resume', reason: 'decided-resume' }, { kind: 'none' })
        : resumed(persons, { freezeAgain: guided.freezeAgain === true });
    case 'amend': {
      const { id, by, at, evidence } = decision;
      // Without a hash the lead's fields stay, and what is frozen again is what else it is made of: an owner, a template.
      const amendment =
        evidence === undefined ? {} : { amendment: { intentHash: evidence, decisionId: id, by, at } };
      return resumed(persons, {
        freezeAgain: true,
        newIdentity: contract.kind === 'idempotency-key',
        ...amendment,
      });
    }
    case 'send-as-current-owner':
      return resumed(persons, { freezeAgain: true, newIdentity: true });
    case 'confirm':
      // A slip of the pen, or somebody else's record: nothing may rest on it.
      if (readBack.kind === 'missing') return turnedDown('evidence-not-found');
      return used(
        { disposition: 'keep', reason: 'confirmed' },
        { kind: 'done', evidence: confirmedBy(facts, decision, readBack) },
      );
    case 'keep-owner': {
      const owner = finding.finding === 'superseded' ? finding.evidence : null;
      if (!owner) return turnedDown('decision-not-possible');
      return used({ disposition: 'keep', reason: 'owner-kept' }, { kind: 'done', evidence: owner });
    }
    case 'take-over': {
      const by = { kind: 'person', name: decision.by } as const;
      return used(
        { disposition: 'ask', reason: 'taken-over' },
        { kind: 'take-over', claim: { id: newClaimId, by, at: now, deadline: now, goneAt: now } },
      );
    }
    case 'release':
      return used(
        { disposition: 'wait', reason: 'released', waitMs: facts.numbers.backOffFloorMs },
        { kind: 'release' },
      );
    case 'stop':
      return stopAnswer(facts);
  }
}

interface Resumption {
  readonly freezeAgain: boolean;
  readonly newIdentity?: boolean;
  readonly amendment?: Amendment;
}

/** A grant on a person's word; held while nothing may go out. */
function resumed(
  { facts, decision, readStartedAt }: PersonsFacts,
  { freezeAgain, newIdentity = false, amendment }: Resumption,
): Answer {
  if (facts.routePaused || facts.breakerOpen) {
    return waiting({ disposition: 'park', reason: facts.routePaused ? 'route-paused' : 'breaker-open' });
  }
  // The attempt that it allowed was never claimed: whatever was in the way gets time to go away.
  const until = isCarriedAgain(facts.state) ? nextAttemptAt(facts) : 0;
  if (until > facts.now) return waiting(waitForBackOff(facts, until));
  const grant = grantFor(facts, readStartedAt, decision.id, amendment);
  return used(
    { disposition: 'resume', reason: `decided-${decision.kind}` },
    { kind: 'grant', grant, freezeAgain, newIdentity },
  );
}

/** Stop is an intent: it holds from now on, and ends when what the action did is certain. */
function stopAnswer(facts: GuideFacts): Answer {
  // While its worker may run the intent stays a decision: it already forbids every new claim.
  if (workerMayRun(facts)) return waiting(waitForWorker(facts));
  const verdict = finishStop(facts);
  return verdict.disposition === 'stop'
    ? used(verdict, stopped(facts, verdict))
    : used(verdict, { kind: 'stopping', reason: 'stopped-by-person' });
}

/** What the destination shows of the record that the person named; else the person's word. */
function confirmedBy({ contract, now }: GuideFacts, decision: Decision, readBack: ReadBack): Evidence {
  if (readBack.kind === 'record') {
    const { facts } = readBack.evidence;
    return { ...readBack.evidence, facts: { ...facts, decision: decision.id } };
  }
  return {
    kind: 'attested',
    destination: contract.destination,
    recordId: decision.evidence ?? null,
    readAt: now,
    facts: { decision: decision.id, readBack: readBack.kind },
  };
}
