import type { ActionName } from './action.ts';
import type { ActionState, Disposition } from './action-state.ts';
import { backOffMs } from './back-off.ts';
import type { ReceiverContract } from './contract.ts';
import { type Finding, shownEffect } from './finding.ts';
import type { RouteSettings } from './route.ts';
import type { StageNumbers } from './stage-numbers.ts';

/** Everything that the guide looks at. Times are epoch milliseconds of our clock. */
export interface GuideFacts {
  readonly now: number;
  readonly action: ActionName;
  readonly state: ActionState;
  readonly finding: Finding;
  readonly contract: ReceiverContract;
  readonly executionCurrent: boolean;
  /** The dependency that was stopped and therefore stops this action, or null. */
  readonly stoppedDependency: ActionName | null;
  readonly route: Pick<
    RouteSettings,
    'changedOwner' | 'approvalPoint' | 'underSameKey' | 'acceptSecondTask' | 'limits'
  >;
  readonly numbers: StageNumbers;
  readonly routePaused: boolean;
  readonly breakerOpen: boolean;
  /** Name of the error that ended the last try of this attempt, as the workflow caught it; null where there was none. */
  readonly lastError: string | null;
  /** Turns of this branch in this execution. */
  readonly turns: number;
  /** A number in [0, 1), for the back-off. */
  readonly random: number;
}

/** What happens next, and why. `waitMs` goes with `wait`. */
export interface Verdict {
  readonly disposition: Disposition;
  /** A code that records, logs and people's screens show. */
  readonly reason: string;
  readonly waitMs?: number;
  /** `resume` on a fresh body under the same identity: no request of it ever left. */
  readonly freezeAgain?: boolean;
  /** `wait`: the back-off that was drawn for the next attempt. */
  readonly backOffUntil?: number;
  /** `stop`: how the action ends. */
  readonly endsAs?: 'stopped' | 'stopped-but-done' | 'stopped-unclear';
}

interface Rule {
  readonly id: string;
  /** The situation, in the words of the docs. */
  readonly situation: string;
  /** What happens, in the words of the docs. */
  readonly result: string;
  readonly applies: (facts: GuideFacts) => boolean;
  readonly verdict: (facts: GuideFacts) => Verdict;
}

/** The name of the error by which a freeze says that there is nobody in whose name the action could run. */
export const OWNER_UNKNOWN = 'OwnerUnknown';

/** Turns of one branch in one execution before a person is asked: an execution may hold 25,000 events. */
export const MAX_TURNS = 400;

/**
 * From when on a read may prove absence: claim time + function timeout + landing bound + the receiver's read lag.
 * 0 where nothing can be under way.
 */
export function settleTime(state: ActionState, contract: ReceiverContract): number {
  if (state.claim === null || provenNotApplied(state)) return 0;
  return state.claim.goneAt + contract.landingBoundMs + contract.readLagMs;
}

/** The last attempt provably had no effect, and no earlier one is in doubt. */
export function provenNotApplied(state: ActionState): boolean {
  return state.phase === 'not-applied' && !state.mayHaveLanded;
}

/** Whether a repeat under the same key would land while the receiver surely still recognises the key. */
export function insideKeyWindow(facts: Pick<GuideFacts, 'now' | 'state' | 'contract' | 'numbers'>): boolean {
  const { now, state, contract, numbers } = facts;
  if (contract.keyWindowMs === null) return false;
  if (state.firstClaimAt === null) return true;
  const landsBy = now + numbers.claimDeadlineMs + contract.landingBoundMs;
  return landsBy <= state.firstClaimAt + contract.keyWindowMs - contract.keyWindowMarginMs;
}

/** No request of this identity ever left, and nobody else holds the action: the machine may freeze another body under it. */
export function neverLeft({ phase, requestLeft }: ActionState): boolean {
  return !requestLeft && phase !== 'claimed' && phase !== 'unknown' && phase !== 'taken-over';
}

const keep = (reason: string): Verdict => ({ disposition: 'keep', reason });
const ask = (reason: string): Verdict => ({ disposition: 'ask', reason });
const stop = (reason: string): Verdict => ({ disposition: 'stop', reason });
const resume = (reason: string): Verdict => ({ disposition: 'resume', reason });
const wait = (reason: string, waitMs: number, numbers: StageNumbers): Verdict => ({
  disposition: 'wait',
  reason,
  waitMs: Math.min(
    Math.max(waitMs, numbers.backOffFloorMs),
    Math.max(numbers.backOffCapMs, numbers.backOffFloorMs),
  ),
});

const is = (facts: GuideFacts, finding: Finding['finding']) => facts.finding.finding === finding;
const isUnclear = (facts: GuideFacts, cause: 'too-early' | 'unreadable') =>
  facts.finding.finding === 'unclear' && facts.finding.cause === cause;
const superseded = (facts: GuideFacts) =>
  facts.finding.finding === 'superseded' ? facts.finding.cause : null;
const keyed = (facts: GuideFacts) => facts.contract.kind === 'idempotency-key';

/** The last attempt's worker has not reported, and its function may still be running. */
export function workerMayRun({ now, state }: Pick<GuideFacts, 'now' | 'state'>): boolean {
  return state.phase === 'claimed' && state.claim !== null && now <= state.claim.goneAt;
}

export function waitForWorker({ now, state, numbers }: GuideFacts): Verdict {
  return wait('worker-may-run', (state.claim?.goneAt ?? 0) + 1 - now, numbers);
}

function waitUntilSettled(facts: GuideFacts): Verdict {
  return wait('too-early', settleTime(facts.state, facts.contract) - facts.now, facts.numbers);
}

/** Ends an action that a person stopped, as soon as what it did is certain. */
export function finishStop(facts: GuideFacts, reason = stopReason(facts)): Verdict {
  const { state, finding } = facts;
  // A success that was reported late is evidence as well.
  if (shownEffect(finding) ?? state.lateEvidence) return { ...stop(reason), endsAs: 'stopped-but-done' };
  if (finding.finding === 'absent' || state.attempt === 0 || provenNotApplied(state)) {
    return { ...stop(reason), endsAs: 'stopped' };
  }
  if (facts.now < settleTime(state, facts.contract)) return waitUntilSettled(facts);
  if (finding.finding === 'superseded') {
    // Under another owner ours is not there any more. What an archived or deleted contact holds of ours is not told.
    const nothingLeft = finding.absenceProven || finding.cause === 'owner-changed';
    return { ...stop(reason), endsAs: nothingLeft ? 'stopped' : 'stopped-unclear' };
  }
  const again = readAgain(facts);
  return again.disposition === 'wait' ? again : { ...stop(reason), endsAs: 'stopped-unclear' };
}

function stopReason({ state }: GuideFacts): string {
  return state.phase === 'stopping' && state.reason ? state.reason : 'stopped-by-person';
}

/** An unreadable destination is read again, later and later, a bounded number of times; then a person is asked. */
function readAgain(facts: GuideFacts): Verdict {
  const { numbers, state } = facts;
  if (state.unreadableReads + 1 >= numbers.unreadableReads) return ask('unreadable');
  return waitToRead(facts);
}

/** A read that failed is tried again, later each time. */
export function waitToRead({ numbers, state }: GuideFacts): Verdict {
  return wait('unreadable', backOffMs(backOffOf(numbers), state.unreadableReads + 1, 1), numbers);
}

function backOffOf(numbers: StageNumbers) {
  return { baseMs: numbers.backOffBaseMs, capMs: numbers.backOffCapMs, floorMs: numbers.backOffFloorMs };
}

/**
 * The decision guide: the first rule that applies decides. `docs/decision-guide.md` is printed from this table.
 */
export const RULES: readonly Rule[] = [
  {
    id: '1',
    situation: 'The ledger says performed, or the destination says done',
    result: '**keep**',
    applies: (f) => f.state.phase === 'performed' || (is(f, 'done') && !f.state.phase.startsWith('stop')),
    verdict: (f) => keep(f.state.phase === 'performed' ? 'performed' : 'evidence-says-done'),
  },
  {
    id: '1s',
    situation: 'A person stopped the action and it is final',
    result: '**stop**',
    applies: (f) => f.state.phase.startsWith('stopped'),
    verdict: (f) => stop(f.state.reason ?? 'stopped'),
  },
  {
    id: '2',
    situation: 'The execution is not the current one of its handoff',
    result: '**stop** this execution, change nothing',
    applies: (f) => !f.executionCurrent,
    verdict: () => stop('not-current'),
  },
  {
    id: '3',
    situation: 'A worker may still run (claim time + function timeout)',
    result: '**wait**',
    applies: (f) => workerMayRun(f),
    verdict: (f) => waitForWorker(f),
  },
  {
    id: '3s',
    situation: 'A person wants the action stopped',
    result:
      '**stop** once that is certain: as `stopped` (absent), `stopped-but-done` (done) or `stopped-unclear` (still unreadable after the read limit, or on a contact that a person archived or deleted); until then **wait**',
    applies: (f) => f.state.phase === 'stopping',
    verdict: (f) => finishStop(f),
  },
  {
    id: '4',
    situation: 'A person changed the owner while a write of ours may still land on it',
    result:
      '**wait** for the settle time, so that nobody keeps or decides on an owner that is about to change',
    applies: (f) => superseded(f) === 'owner-changed' && f.now < settleTime(f.state, f.contract),
    verdict: (f) => waitUntilSettled(f),
  },
  {
    id: '4a',
    situation: 'A person changed the owner, and the route keeps what people do',
    result: '**keep**',
    applies: (f) => superseded(f) === 'owner-changed' && f.route.changedOwner === 'keep',
    verdict: () => keep('owner-changed-by-person'),
  },
  {
    id: '4b',
    situation: 'A person changed, archived or deleted the task',
    result: '**keep**',
    applies: (f) => superseded(f) === 'task-changed',
    verdict: () => keep('task-changed-by-person'),
  },
  {
    id: '4c',
    situation: 'The frozen sender is no longer the owner, and no request of this identity ever left',
    result: 'freeze again under the current owner, **resume** within the limits',
    applies: (f) =>
      superseded(f) === 'sender-no-longer-owner' && neverLeft(f.state) && f.lastError !== OWNER_UNKNOWN,
    verdict: (f) => ({ ...withinLimits(f, resume('owner-changed')), freezeAgain: true }),
  },
  {
    id: '4d',
    situation: 'The frozen sender is no longer the owner while a request may still land',
    result: '**wait** for the settle time, so that the person sees whether it was sent',
    applies: (f) => superseded(f) === 'sender-no-longer-owner' && f.now < settleTime(f.state, f.contract),
    verdict: (f) => waitUntilSettled(f),
  },
  {
    id: '4e',
    situation:
      'Anything else that a person superseded: owner, overwritten owner, archived or deleted contact, sender',
    result: '**ask**; the same bytes are never sent again',
    applies: (f) => is(f, 'superseded'),
    verdict: (f) => ask(f.lastError === OWNER_UNKNOWN ? 'owner-unknown' : (superseded(f) ?? 'superseded')),
  },
  {
    id: '5a',
    situation: 'The person addressed has opted out',
    result: '**stop**, with that reason; as in 3s where an earlier attempt is in doubt',
    applies: (f) => f.state.phase === 'refused' && f.state.reason === 'opted-out',
    verdict: (f) =>
      f.state.mayHaveLanded ? finishStop(f, 'opted-out') : { ...stop('opted-out'), endsAs: 'stopped' },
  },
  {
    id: '5b',
    situation: 'The destination refused',
    result: '**ask**, with what must be fixed',
    applies: (f) => f.state.phase === 'refused',
    verdict: (f) => ask(f.state.reason ?? 'refused'),
  },
  {
    id: '5c',
    situation: 'A dependency was stopped',
    result: '**stop**, with that reason; the introduction asks when the owner was stopped',
    applies: (f) => f.stoppedDependency !== null,
    verdict: (f) =>
      f.stoppedDependency === 'assign-owner'
        ? ask('owner-stopped')
        : { ...stop(`${f.stoppedDependency}-stopped`), endsAs: 'stopped' },
  },
  {
    id: '5d',
    situation: 'The CRM does not know the owner in whose name the action would run',
    result: '**ask**',
    applies: (f) => f.lastError === OWNER_UNKNOWN,
    verdict: () => ask('owner-unknown'),
  },
  {
    id: '5e',
    situation: 'A person has taken the action over',
    result: '**ask** for `confirm` or `release`',
    applies: (f) => f.state.phase === 'taken-over',
    verdict: () => ask('taken-over'),
  },
  {
    id: '5f',
    situation: 'An attempt that was given up reported its success late, and the destination does not show it',
    result: '**ask**',
    applies: (f) => f.state.lateEvidence !== null && is(f, 'absent'),
    verdict: () => ask('late-evidence'),
  },
  {
    id: '6',
    situation: 'Never claimed, or the last attempt was a proven `not-applied` and no earlier one is in doubt',
    result: '**resume** within the limits, for every contract, without settle time',
    applies: (f) => f.state.attempt === 0 || provenNotApplied(f.state),
    verdict: (f) => withinLimits(f, resume(f.state.attempt === 0 ? 'never-claimed' : 'not-applied')),
  },
  {
    id: '7a',
    situation: 'idempotency-key, inside its window: absent',
    result: '**resume** within the limits',
    applies: (f) => keyed(f) && insideKeyWindow(f) && is(f, 'absent'),
    verdict: (f) => withinLimits(f, resume('absent')),
  },
  {
    id: '7b',
    situation: 'idempotency-key, inside its window: too early',
    result: '**resume** under the same key within the limits (route policy: **wait**)',
    applies: (f) => keyed(f) && insideKeyWindow(f) && isUnclear(f, 'too-early'),
    verdict: (f) =>
      f.route.underSameKey.tooEarly === 'resume' ? withinLimits(f, resume('same-key')) : waitUntilSettled(f),
  },
  {
    id: '7c',
    situation: 'idempotency-key, inside its window: unreadable',
    result: '**resume** under the same key within the limits (route policy: **ask**)',
    applies: (f) => keyed(f) && insideKeyWindow(f) && isUnclear(f, 'unreadable'),
    verdict: (f) =>
      f.route.underSameKey.unreadable === 'resume' ? withinLimits(f, resume('same-key')) : ask('unreadable'),
  },
  {
    id: '7d',
    situation: 'idempotency-key, window over, or contract none: absent',
    result: '**ask**',
    applies: (f) => (keyed(f) || f.contract.kind === 'none') && is(f, 'absent'),
    verdict: (f) => ask(keyed(f) ? 'key-window-over' : 'no-contract'),
  },
  {
    id: '7e',
    situation: 'stamp-and-search: absent',
    result: '**resume** within the limits where the route accepts the residual risk (tasks), else **ask**',
    applies: (f) => f.contract.kind === 'stamp-and-search' && is(f, 'absent'),
    verdict: (f) =>
      f.action === 'create-task' && f.route.acceptSecondTask
        ? withinLimits(f, resume('absent'))
        : ask('residual-risk'),
  },
  {
    id: '7f',
    situation: 'natural-key or conditional-write: absent',
    result: '**resume** within the limits',
    applies: (f) => is(f, 'absent'),
    verdict: (f) => withinLimits(f, resume('absent')),
  },
  {
    id: '7g',
    situation: 'Any other: too early',
    result: '**wait** for the settle time',
    applies: (f) => isUnclear(f, 'too-early'),
    verdict: (f) => waitUntilSettled(f),
  },
  {
    id: '7h',
    situation: 'Any other: unreadable',
    result: '**wait** and read again; after the route’s read limit **ask**',
    applies: () => true,
    verdict: (f) => readAgain(f),
  },
];

/** The limits that every `resume` passes, in this order. */
export const LIMITS: readonly { readonly situation: string; readonly result: string }[] = [
  { situation: 'The route is paused or the destination’s breaker is open', result: '**park**' },
  {
    situation: 'The attempts are exhausted',
    result: '**ask**, once the settle time of the last one is over',
  },
  {
    situation: 'The route’s approval point names the action (for its resumes, not its first attempt)',
    result: '**ask**',
  },
  {
    situation:
      'The back-off is not over (exponential, full jitter, `Retry-After` respected, never under the floor)',
    result: '**wait**',
  },
];

function withinLimits(facts: GuideFacts, verdict: Verdict): Verdict {
  const { state, route, numbers, now } = facts;
  if (facts.routePaused) return { disposition: 'park', reason: 'route-paused' };
  if (facts.breakerOpen) return { disposition: 'park', reason: 'breaker-open' };
  // What a person decided stays decided until the attempt is claimed.
  if (state.attempt > 0 && !state.grant?.decisionId) {
    if (state.attempt >= (route.limits.attemptsPerAction ?? numbers.attempts)) {
      // A person who is asked now would see less than the next read shows.
      return isUnclear(facts, 'too-early') ? waitUntilSettled(facts) : ask('attempts-exhausted');
    }
    if (route.approvalPoint === facts.action) return ask('approval-point');
  }
  const until = nextAttemptAt(facts);
  return until > now ? waitForBackOff(facts, until) : verdict;
}

export function waitForBackOff({ now, numbers }: GuideFacts, until: number): Verdict {
  return { ...wait('back-off', until - now, numbers), backOffUntil: until };
}

/**
 * Drawn once for an attempt and remembered until it is over. An attempt that was let go and never claimed (its function was
 * throttled, the destination could not be read before the claim) waits longer with every turn.
 */
export function nextAttemptAt(facts: GuideFacts): number {
  const { state, numbers, now } = facts;
  const notBefore = state.notBefore ?? 0;
  if (state.backOff?.attempt === state.attempt) return Math.max(state.backOff.until, notBefore);
  const ended = state.settledAt ?? state.claim?.goneAt ?? null;
  const unclaimed = ended === null || state.grant !== null;
  const from = unclaimed ? now : ended;
  const exponent = unclaimed ? facts.turns + 1 : state.attempt;
  return Math.max(from + backOffMs(backOffOf(numbers), exponent, facts.random), notBefore);
}

/** Answers, for one action, what happens next. Pure: the same facts give the same verdict. */
export function decide(facts: GuideFacts): Verdict & { readonly rule: string } {
  const rule = RULES.find((candidate) => candidate.applies(facts));
  if (!rule) throw new Error('The decision guide has no rule for these facts.');
  const verdict = rule.verdict(facts);
  const turnsUsedUp =
    facts.turns > MAX_TURNS && verdict.disposition !== 'keep' && verdict.disposition !== 'stop';
  return turnsUsedUp ? { ...ask('too-many-turns'), rule: rule.id } : { ...verdict, rule: rule.id };
}
