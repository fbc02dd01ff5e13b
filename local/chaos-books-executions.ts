import type { BookedLead, Books, Imbalance, ImbalanceKind } from './chaos-books.ts';
import { leadOf, runOf } from './chaos-names.ts';

/** Ends that the workflow never comes to by itself. */
const BROKEN = ['FAILED', 'TIMED_OUT'];

/** The runs of a handoff: one at most is under way and it is the current one, and one that ended early is known to a person. */
export function executionImbalances(
  { record, lead: { leadRequestId } }: BookedLead,
  { executions, stopped }: Pick<Books, 'executions' | 'stopped'>,
): Imbalance[] {
  if (!record) return [];
  const { execution: current, closedAt, run } = record.handoff;
  const runs = executions.filter(({ name }) => leadOf(name) === leadRequestId);
  const found: Imbalance[] = [];
  const report = (kind: ImbalanceKind, detail: string) => found.push({ leadRequestId, kind, detail });

  for (const { name, status } of runs) {
    if (BROKEN.includes(status)) report('execution-failed', `the execution ${name} ended as ${status}`);
    // The next run stops the one before it.
    const byNobody = status === 'ABORTED' && runOf(name) === run && !stopped.has(name);
    if (byNobody) report('execution-failed', `the execution ${name} was stopped, and nobody did that`);
    if (runOf(name) > run) report('old-run-running', `the execution ${name} has no run in the ledger`);
  }
  const running = runs.filter(({ status }) => status === 'RUNNING').map(({ name }) => name);
  if (running.length > 1) report('two-running', `${running.join(' and ')} are running`);
  for (const name of running.filter((one) => one !== current || closedAt !== null)) {
    const now = closedAt === null ? `${current} is the current one` : 'the handoff is closed';
    report('old-run-running', `${name} is running, and ${now}`);
  }
  if (closedAt !== null) return found;
  const asked = record.waiting.find(({ action, execution }) => action === 'handoff' && execution === current);
  const goesOn = running.includes(current);
  const status = runs.find(({ name }) => name === current)?.status ?? 'missing';
  if (!goesOn && !asked) report('lost', `its execution ${current} is ${status}, and nobody is asked`);
  if (goesOn && asked) report('asked-needlessly', `it waits as a whole, and ${current} is running`);
  return found;
}
