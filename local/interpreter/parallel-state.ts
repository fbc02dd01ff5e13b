import { ChildGroup, emitAborted, emitFailed, type RunScope } from './children.ts';
import type { ParallelState } from './definition.ts';
import { StateFailure } from './errors.ts';
import type { Json } from './json.ts';
import { emit, type StateRun } from './runtime.ts';
import { newScope, type ScopeSnapshot } from './snapshot.ts';
import { query, withinLimit } from './state-queries.ts';

/**
 * One attempt of a Parallel: all branches at once; the first that fails aborts the others.
 * https://docs.aws.amazon.com/step-functions/latest/dg/state-parallel.html
 * @returns the branches' outputs, in the order of the definition
 */
export async function attemptParallel(run: StateRun<ParallelState>, runScope: RunScope): Promise<Json[]> {
  const { state, scope } = run;
  const branches = await startedBranches(run);
  const group = new ChildGroup(run, runScope);
  const outputs: Json[] = [];
  const tasks = branches.map(async (data, index) => {
    const definition = state.Branches[index];
    if (definition === undefined)
      throw new Error(`The snapshot has a branch ${index} that the definition lacks.`);
    try {
      outputs[index] = await group.run(definition, data);
    } catch (failure) {
      if (group.aborted) throw failure;
      if (!(failure instanceof StateFailure)) {
        group.abort();
        throw failure;
      }
      group.fail(failure, data);
      noteAborted(run, branches, data);
    }
  });
  await group.settle(tasks);
  emit(scope, 'ParallelStateSucceeded');
  return withinLimit(outputs, run.current.name);
}

async function startedBranches(run: StateRun<ParallelState>): Promise<ScopeSnapshot[]> {
  const { state, current, scope } = run;
  if (current.children) return current.children.scopes.filter((branch) => branch !== null);
  const input =
    state.Arguments === undefined ? current.input : await query(run, state.Arguments, 'Arguments');
  withinLimit(input, current.name);
  const startedEventId = emit(scope, 'ParallelStateStarted');
  const scopes = state.Branches.map(() => newScope(structuredClone(input), startedEventId));
  current.children = { startedEventId, scopes };
  scope.runtime.save();
  return scopes;
}

function noteAborted(
  { state, scope }: StateRun<ParallelState>,
  branches: ScopeSnapshot[],
  failed: ScopeSnapshot,
): void {
  for (const [index, data] of branches.entries()) {
    const definition = state.Branches[index];
    if (definition === undefined) continue;
    if (data === failed) emitFailed(scope, definition, data);
    else emitAborted(scope, definition, data);
  }
}
