import { executionName, type LeadKey } from '../domain/action.ts';
import { type ActionState, FINAL_PHASES } from '../domain/action-state.ts';
import type { LedgerRecord, Waiting } from '../domain/handoff.ts';
import { statesOf } from '../domain/recovery-record.ts';
import type { StageNumbers } from '../domain/stage-numbers.ts';
import { admit } from '../intake/admit.ts';
import type { ExecutionStatus } from '../ports/workflow.ts';
import { askWithoutToken, escalateOverdue, isUntold, putUntold, waitingFor } from './ask-again.ts';
import { type CarriedOn, carryOn, startsNothing } from './carry-on.ts';
import { ENDED } from './ended-execution.ts';
import type { RecoveryPorts } from './ports.ts';
import { resubmit, startRun } from './resubmit.ts';
import { unheardDecision } from './unheard-decision.ts';

/** Longer than anything that is under way needs to be written down: two functions in a row and the state around them. */
export function graceMs({ functionTimeoutSeconds, taskTimeoutSeconds }: StageNumbers): number {
  return (2 * functionTimeoutSeconds + taskTimeoutSeconds) * 1000;
}

/**
 * Looks after one handoff: what nothing else would bring to anybody is started, carried on, or put on the waiting list. Repeats and
 * races are harmless: each step is one that its rightful doer might have taken.
 *
 * @param key a handoff that was accepted longer than the grace ago
 * @throws LedgerUnavailable, WorkflowUnavailable, EventsUnavailable
 */
export async function sweepHandoff(key: LeadKey, ports: RecoveryPorts): Promise<void> {
  const { ledger, workflow } = ports;
  const handoff = await ledger.handoff(key);
  if (!handoff) return;
  // Asked before the record is read: an execution that succeeded had closed its handoff before.
  const status = handoff.closedAt === null ? await workflow.status(handoff.execution) : null;
  const record = await ledger.record(key);
  if (!record || record.handoff.execution !== handoff.execution) return;
  if (record.handoff.closedAt !== null) return clearList(record, ports);
  await sweepOpen(record, status, ports);
}

/** What waits of a closed handoff was written by somebody who came too late. */
async function clearList({ handoff, waiting }: LedgerRecord, { ledger }: RecoveryPorts): Promise<void> {
  for (const { action } of waiting) await ledger.removeWaiting(handoff, action);
}

async function sweepOpen(
  record: LedgerRecord,
  status: ExecutionStatus | null,
  ports: RecoveryPorts,
): Promise<void> {
  switch (status) {
    case null:
    case 'PENDING_REDRIVE':
      return;
    case 'RUNNING':
      return sweepRunning(record, ports);
    case 'DOES_NOT_EXIST':
      return sweepMissing(record, ports);
    default:
      return sweepEnded(record, ENDED[status], ports);
  }
}

/**
 * Whoever accepted the handoff, or took its next run, may have died before he started it. Step Functions forgets an execution 90 days
 * after its end; a run ends later than the one before it, so that one which is missing while the one before it is known has not begun.
 */
async function sweepMissing(record: LedgerRecord, ports: RecoveryPorts): Promise<void> {
  const { handoff, actions } = record;
  const asked = waitingFor(record, 'handoff') !== undefined;
  const isFirst = handoff.run === 1;
  if (!asked && isFirst && actions.length === 0) {
    await admit(handoff, ports);
  } else if (!asked && !isFirst && (await isKnown(executionName(handoff, handoff.run - 1), ports))) {
    await startRun(handoff, ports);
  } else {
    await sweepEnded(record, ENDED.DOES_NOT_EXIST, ports);
  }
}

async function isKnown(execution: string, { workflow }: RecoveryPorts): Promise<boolean> {
  return (await workflow.status(execution)) !== 'DOES_NOT_EXIST';
}

/** Nobody goes on with it: a person is asked, unless one has decided since and nobody carried that on. */
async function sweepEnded(record: LedgerRecord, why: string, ports: RecoveryPorts): Promise<void> {
  const asked = waitingFor(record, 'handoff');
  if (!asked || isUntold(asked)) {
    await askWithoutToken(record, 'handoff', why, ports);
    return;
  }
  const decided = statesOf(record).find(
    (state) => (unheardDecision(state)?.at ?? 0) >= asked.since && !startsNothing(state),
  );
  if (decided) await carryOn(record.handoff, decided.action, ports);
  else await escalateOverdue(record, asked, ports);
}

async function sweepRunning(record: LedgerRecord, ports: RecoveryPorts): Promise<void> {
  const { ledger, clock, numbers } = ports;
  const { handoff, waiting } = record;
  const ofHandoff = waiting.find(({ action }) => action === 'handoff');
  if (ofHandoff) {
    const redriven = clock() - ofHandoff.since > graceMs(numbers);
    if (redriven || ofHandoff.execution !== handoff.execution) await ledger.removeWaiting(handoff, 'handoff');
  }
  for (const state of statesOf(record)) {
    const carriedOn = await sweepAction(record, state, ports);
    const stuck = carriedOn === 'by-itself' && isBehindDeadToken(record, state, ports);
    if (stuck) await resubmit(handoff, ports);
    // The next run looks at the rest for itself.
    if (stuck || carriedOn === 'resubmitted') return;
  }
}

async function sweepAction(
  record: LedgerRecord,
  state: ActionState,
  ports: RecoveryPorts,
): Promise<CarriedOn | null> {
  const { action } = state;
  const waiting = record.waiting.find((item) => item.action === action);
  if (FINAL_PHASES.includes(state.phase)) return waiting ? endWait(record, waiting, ports) : null;
  const unheard = isLeftUnheard(state, ports);
  const lost = isLost(state, unheard, ports);
  if (!waiting && !lost) return null;
  const why = state.lastRead?.reason ?? 'unknown';
  if (unheard) {
    // Stays on the list while the next run is on its way, and keeps a sweep from starting one run after the other.
    if (!waiting) await putUntold(record, action, why, ports);
    return (await carryOn(record.handoff, action, ports)).carriedOn;
  }
  if (!waiting || (lost && isUntold(waiting))) await askWithoutToken(record, action, why, ports);
  else if (lost && waiting.token === null) await escalateOverdue(record, waiting, ports);
  return null;
}

/**
 * A function that came too late wrote its token over the one that the execution waits behind: it may wait without a time, and nothing
 * leads it to its reconcile.
 */
function isBehindDeadToken(record: LedgerRecord, state: ActionState, ports: RecoveryPorts): boolean {
  const listed = waitingFor(record, state.action)?.token ?? null;
  return listed !== null && isLost(state, true, ports);
}

/** Its result came after the question: whoever waits there goes on, and nobody is asked any more. */
async function endWait(
  { handoff }: LedgerRecord,
  { action, token }: Waiting,
  { ledger, workflow }: RecoveryPorts,
): Promise<null> {
  if (token !== null) await workflow.complete(token);
  await ledger.removeWaiting(handoff, action);
  return null;
}

/** Whoever wrote the decision had the time to carry it on, and did not. */
function isLeftUnheard(state: ActionState, { clock, numbers }: RecoveryPorts): boolean {
  const decision = unheardDecision(state);
  return decision !== null && clock() - decision.at > graceMs(numbers);
}

/**
 * Left to a person or to a pause so long ago that it should be on the waiting list. What is parked comes back by itself; only when
 * it does not is a person asked.
 */
function isLost(
  { phase, lastRead }: ActionState,
  unheard: boolean,
  { clock, numbers }: RecoveryPorts,
): boolean {
  if (lastRead === null || phase === 'claimed') return false;
  const parks = lastRead.disposition === 'park';
  if (!parks && lastRead.disposition !== 'ask') return false;
  const extra = parks && !unheard ? 2 * numbers.parkSeconds * 1000 : 0;
  return clock() - lastRead.at > graceMs(numbers) + extra;
}
