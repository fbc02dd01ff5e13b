import type { ActionName, LeadKey } from '../domain/action.ts';
import { statesOf } from '../domain/recovery-record.ts';
import { waitingFor } from './ask-again.ts';
import type { RecoveryPorts } from './ports.ts';
import { resubmit } from './resubmit.ts';
import { unheardDecision } from './unheard-decision.ts';

/**
 * How a decision comes to be heard. `answered`: the wait was ended; `resubmitted`: nobody waited, so the next run was started;
 * `by-itself`: the execution comes to its reconcile without help; `heard`: it was heard meanwhile.
 */
export type CarriedOn = 'answered' | 'resubmitted' | 'by-itself' | 'heard';

/**
 * Brings a decision that is written down to the reconcile that hears it. Safe to repeat: completing a token leads to a reconcile
 * and to nothing else, and a reconcile with nothing to hear asks again.
 *
 * @throws LedgerUnavailable, WorkflowUnavailable
 */
export async function carryOn(
  key: LeadKey,
  action: ActionName,
  ports: RecoveryPorts,
): Promise<{ readonly carriedOn: CarriedOn; readonly execution: string | null }> {
  // Read after the decision was written, as the token is written before a decision is looked for: see openWait.
  const record = await ports.ledger.record(key);
  const state = record && statesOf(record).find((candidate) => candidate.action === action);
  if (!record || !state?.decision || record.handoff.closedAt !== null) {
    return { carriedOn: 'heard', execution: record?.handoff.execution ?? null };
  }
  const { handoff } = record;
  const unheard = unheardDecision(state) !== null;
  const wait = waitingFor(record, action);
  if (unheard && wait?.token && (await ports.workflow.complete(wait.token))) {
    return { carriedOn: 'answered', execution: handoff.execution };
  }
  const tokenLost = unheard && wait?.token === null;
  if (!tokenLost && (await ports.workflow.status(handoff.execution)) === 'RUNNING') {
    // Its token is not registered yet, or its time was over: both lead to the reconcile that hears the decision.
    return { carriedOn: 'by-itself', execution: handoff.execution };
  }
  const { execution, closedAt } = await resubmit(handoff, ports);
  return { carriedOn: closedAt === null ? 'resubmitted' : 'heard', execution };
}
