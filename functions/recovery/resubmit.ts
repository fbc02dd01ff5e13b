import { executionName } from '../domain/action.ts';
import type { Handoff, Resubmission } from '../domain/handoff.ts';
import { executionInput } from '../domain/workflow-data.ts';
import type { RecoveryPorts } from './ports.ts';

/**
 * Starts a handoff again as its next run. Of several who do so at once one takes the fence, and all start the run that it names.
 *
 * @param seen the handoff as it was read; a run that was fenced and never started (somebody died in between) is started instead of
 *   another one being taken
 * @param asked who asked for it and why; absent where it follows from something else
 * @returns what stands: closed, where the handoff was closed meanwhile, and then nothing was started
 * @throws LedgerUnavailable, WorkflowUnavailable; doing it again is safe
 */
export async function resubmit(
  seen: Handoff,
  ports: RecoveryPorts,
  asked?: Omit<Resubmission, 'run'>,
): Promise<Handoff> {
  const neverStarted = (await ports.workflow.status(seen.execution)) === 'DOES_NOT_EXIST';
  const askedBefore = seen.resubmissions?.some(({ execution }) => execution === asked?.execution);
  if (askedBefore && !neverStarted) return seen;
  const standing = neverStarted
    ? seen
    : await ports.ledger.takeFence(seen, seen.run, executionName(seen, seen.run + 1), asked);
  if (standing.closedAt === null) await startRun(standing, ports);
  return standing;
}

/**
 * Stops the run before and starts the one that holds the fence. The start is the last step: whoever does this again after a crash
 * finds a run that does not exist yet, and not one that would make him take another.
 */
export async function startRun(
  handoff: Handoff,
  { ledger, workflow, route, numbers }: RecoveryPorts,
): Promise<void> {
  const { execution, run } = handoff;
  if (run > 1) {
    await workflow.stop(executionName(handoff, run - 1), `Run ${run} of this handoff takes its place.`);
  }
  await ledger.removeWaiting(handoff, 'handoff');
  await workflow.start(execution, executionInput(handoff, run, route, numbers));
}
