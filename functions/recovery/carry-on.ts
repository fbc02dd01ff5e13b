import type { ActionName, LeadKey } from '../domain/action.ts';
import type { ActionState } from '../domain/action-state.ts';
import { statesOf } from '../domain/recovery-record.ts';
import { waitingFor } from './ask-again.ts';
import type { RecoveryPorts } from './ports.ts';
import { resubmit } from './resubmit.ts';
import { unheardDecision } from './unheard-decision.ts';

/**
 * How a decision comes to be heard. `answered`: the wait was ended; `resubmitted`: nobody waited, so the next run was started;
 * `by-itself`: the execution comes to its reconcile without help; `heard`: it was heard meanwhile; `held`: it is heard when somebody
 * starts the handoff again, which a stop does not.
 */
export type CarriedOn = 'answered' | 'resubmitted' | 'by-itself' | 'heard' | 'held';

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
  const running = (await ports.workflow.status(handoff.execution)) === 'RUNNING';
  if (!tokenLost && running) {
    // Its token is not registered yet, or its time was over: both lead to the reconcile that hears the decision.
    return { carriedOn: 'by-itself', execution: handoff.execution };
  }
  if (!running && startsNothing(state)) return { carriedOn: 'held', execution: null };
  const { execution, closedAt } = await resubmit(handoff, ports);
  return { carriedOn: closedAt === null ? 'resubmitted' : 'heard', execution };
}

/**
 * Whoever stops one action of a handoff that stands still does not mean that the others begin. Everything needs the contact: where it was
 * never tried, stopping it stops them all.
 */
export function startsNothing({ action, attempt, decision }: ActionState): boolean {
  return decision?.kind === 'stop' && !(action === 'upsert-contact' && attempt === 0);
}
