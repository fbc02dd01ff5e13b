import type { ActionName, LeadKey } from '../domain/action.ts';
import { type ActionState, type Claim, settledOutcome } from '../domain/action-state.ts';
import type { ReceiverContract } from '../domain/contract.ts';
import { AttemptInFlight, Held, NoGrant } from '../domain/errors.ts';
import type { Handoff } from '../domain/handoff.ts';
import type { Operation } from '../domain/operation.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { RouteSettings } from '../domain/route.ts';
import type { StageNumbers } from '../domain/stage-numbers.ts';
import { type ClaimEvent, Rejected } from '../domain/transition.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { WriteCall } from '../ports/contacts.ts';
import { correct } from '../ports/correct.ts';
import type { Ledger } from '../ports/ledger.ts';

/** Left after the claim's deadline for settling, in milliseconds. */
const SETTLE_RESERVE_MS = 300;

/** What an attempt needs from outside. */
export interface AttemptPorts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly numbers: StageNumbers;
  readonly route: Pick<RouteSettings, 'samePerson' | 'retentionDays'>;
  /** Milliseconds until the function is ended. */
  readonly remainingMs: () => number;
  /** The X-Ray trace of this invocation, where there is one: it goes into the claim, for people. */
  readonly traceId?: string | undefined;
}

/** An attempt whose gates were passed and whose operation is frozen. */
export interface PreparedAttempt<A extends ActionName = ActionName> {
  readonly key: LeadKey;
  readonly handoff: Handoff;
  readonly attempt: number;
  readonly state: ActionState;
  readonly operation: Operation<A>;
  readonly contract: ReceiverContract;
  /** Name of the worker for the record: the request id of its invocation. */
  readonly worker: string;
}

/** Calls the destination once with the frozen operation. */
export type Perform<A extends ActionName> = (operation: Operation<A>, call: WriteCall) => Promise<Outcome>;

/**
 * Runs one attempt: claim, call once, settle. From the claim on it returns an outcome and does not throw.
 *
 * @throws Held when too little time is left for the call; NoGrant; AttemptInFlight; LedgerUnavailable: each before any call.
 */
export async function runAttempt<A extends ActionName>(
  prepared: PreparedAttempt<A>,
  perform: Perform<A>,
  ports: AttemptPorts,
): Promise<Outcome> {
  const { key, operation, contract, attempt } = prepared;
  const claim = newClaim(prepared.worker, ports);
  const claimed = await ports.ledger.apply(key, claimEvent(prepared, claim), prepared.state);
  if (claimed instanceof Rejected) return standing(prepared, claimed, ports);
  const outcome =
    (await uncorrected(prepared, claimed, ports)) ??
    (await performed(() => perform(operation, { identity: operation.identity, deadline: claim.deadline })));
  try {
    await ports.ledger.apply(
      key,
      { type: 'settle', claimId: claim.id, attempt, outcome, at: ports.clock() },
      claimed,
    );
    return outcome;
  } catch {
    // The effect may be there and the ledger does not know it: only a read of the destination can tell.
    return { outcome: 'unknown', reason: `unsettled-${contract.destination}` };
  }
}

function newClaim(worker: string, { clock, ids, numbers, remainingMs, traceId }: AttemptPorts): Claim {
  const at = clock();
  const usableMs = Math.min(numbers.claimDeadlineMs, remainingMs() - SETTLE_RESERVE_MS);
  if (usableMs < numbers.httpTimeoutMs) throw new Held('too-little-time');
  return {
    id: ids(),
    by: { kind: 'worker', name: worker },
    at,
    deadline: at + usableMs,
    goneAt: at + numbers.functionTimeoutSeconds * 1000,
    ...(traceId === undefined ? {} : { traceId }),
  };
}

function claimEvent({ attempt, operation, contract }: PreparedAttempt, claim: Claim): ClaimEvent {
  const { revision, identity, bodyHash } = operation;
  return {
    type: 'claim',
    attempt,
    claim,
    operation: { revision, identity, bodyHash },
    keyWindow:
      contract.keyWindowMs === null
        ? null
        : {
            trustedMs: contract.keyWindowMs - contract.keyWindowMarginMs,
            landingBoundMs: contract.landingBoundMs,
          },
  };
}

/**
 * Corrected fields that this attempt was claimed with become the lead's before anything goes out with them.
 *
 * @returns the outcome of an attempt that could not see to that, and has called nothing
 */
async function uncorrected(
  { handoff }: PreparedAttempt,
  { amendment }: ActionState,
  { ledger, route }: AttemptPorts,
): Promise<Outcome | null> {
  try {
    if (amendment) await correct(handoff, amendment, { ledger, route });
    return null;
  } catch {
    return { outcome: 'not-applied', reason: 'not-corrected', requestLeft: false };
  }
}

async function performed(call: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await call();
  } catch (error) {
    return { outcome: 'unknown', reason: error instanceof Error ? `threw-${error.name}` : 'threw' };
  }
}

/** What a worker says that was not given the claim: the outcome that stands, or why there is none. */
async function standing(
  { key, attempt, state }: PreparedAttempt,
  rejected: Rejected,
  { ledger, clock }: AttemptPorts,
): Promise<Outcome> {
  if (rejected.code === 'already-settled') {
    const outcome = outcomeOf(await ledger.action(key, state.action));
    if (outcome) return outcome;
  }
  if (rejected.code === 'already-claimed') {
    const { claim } = await ledger.action(key, state.action);
    if (claim && clock() <= claim.goneAt) throw new AttemptInFlight(attempt);
    return { outcome: 'unknown', reason: 'claimed-by-another' };
  }
  throw new NoGrant(attempt, rejected.code);
}

function outcomeOf(state: ActionState): Outcome | null {
  const reason = state.reason ?? 'unrecorded';
  switch (settledOutcome(state.phase)) {
    case 'performed':
      return state.evidence && { outcome: 'performed', evidence: state.evidence };
    case 'not-applied':
      return { outcome: 'not-applied', reason, requestLeft: state.requestLeft };
    case 'unknown':
      return { outcome: 'unknown', reason };
    case 'refused':
      return { outcome: 'refused', reason };
    case null:
      return null;
  }
}
