import type { StatesDefinition } from './definition.ts';
import type { CurrentState, ExecutionSnapshot, ScopeSnapshot } from './snapshot.ts';

/**
 * The snapshot from which an execution that did not succeed goes on when it is redriven.
 *
 * What had succeeded is kept, branches of a Parallel and iterations of a Map included. Every unsuccessful state goes on
 * in the visit it was in: it is not entered again, its retries count from 0, and a task gets a new token and a new
 * deadline. A Parallel or Map that failed with `States.DataLimitExceeded` runs anew as a whole. AWS does not say what a
 * Wait with Seconds does; here it waits anew, in full.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/redrive-executions.html#redrive-behavior-states
 * @param redrivenEventId the `ExecutionRedriven` event; a Fail that fails again follows it (seen in a capture of AWS)
 */
export function redriven(
  snapshot: ExecutionSnapshot,
  definition: StatesDefinition,
  redrivenEventId: number,
): ExecutionSnapshot {
  const next = structuredClone(snapshot);
  redriveScope(next.root, definition, { redrivenEventId, closedTokens: next.closedTokens });
  next.lastEventId = redrivenEventId;
  return next;
}

interface Redrive {
  redrivenEventId: number;
  closedTokens: string[];
}

function redriveScope(data: ScopeSnapshot, definition: StatesDefinition, redrive: Redrive): void {
  if (data.result && 'output' in data.result) return;
  delete data.result;
  const { current } = data;
  const state = current && definition.States[current.name];
  if (!current || !state) return;
  resetAttempts(current, redrive);
  const { children } = current;
  data.lastEventId =
    state.Type === 'Fail' ? redrive.redrivenEventId : (children?.startedEventId ?? current.enteredEventId);
  for (const [index, child] of (children?.scopes ?? []).entries()) {
    const inner = state.Type === 'Parallel' ? state.Branches[index] : undefined;
    const processor = state.Type === 'Map' ? state.ItemProcessor : inner;
    if (child && processor) redriveScope(child, processor, redrive);
  }
}

function resetAttempts(current: CurrentState, { closedTokens }: Redrive): void {
  const token = current.task?.token;
  if (token !== undefined && !closedTokens.includes(token)) closedTokens.push(token);
  if (current.failedWith === 'States.DataLimitExceeded') delete current.children;
  delete current.failedWith;
  delete current.retryAt;
  delete current.waitUntil;
  delete current.task;
  current.retryCount = 0;
  current.retries = [];
  current.redriven = true;
}
