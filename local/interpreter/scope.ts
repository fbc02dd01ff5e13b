import type { ErrorHandlingState, StateDefinition } from './definition.ts';
import { withRetryAndCatch } from './error-handling.ts';
import { inputText, outputText } from './history.ts';
import type { Json } from './json.ts';
import { attemptMap } from './map-state.ts';
import { attemptParallel } from './parallel-state.ts';
import { emit, type Scope, type StateRun, type Step } from './runtime.ts';
import { runChoice, runFail, runPass, runSucceed, runWait } from './simple-states.ts';
import type { CurrentState } from './snapshot.ts';
import { outputAndAssign } from './state-queries.ts';
import { attemptTask } from './task-state.ts';

/**
 * Runs the states of a scope, from where its snapshot stands, to the end of the scope.
 * @returns the output of the last state
 * @throws StateFailure the failure that nothing in the scope caught
 */
export async function runScope(scope: Scope): Promise<Json> {
  const { data, definition, runtime } = scope;
  if (data.result && 'output' in data.result) return data.result.output;
  let current = continued(scope) ?? enter(scope, definition.StartAt, data.input);
  for (;;) {
    const state = stateNamed(scope, current.name);
    const { output, assigned, next } = await runState({ scope, state, current });
    exit(scope, state, output, assigned);
    if (next === undefined) {
      data.result = { output };
      delete data.current;
      runtime.save();
      return output;
    }
    current = enter(scope, next, output);
  }
}

function stateNamed(scope: Scope, name: string): StateDefinition {
  const state = scope.definition.States[name];
  if (state === undefined)
    throw new Error(`There is no state '${name}'; does the snapshot belong to this definition?`);
  return state;
}

/** After a restart: the state that was at work, entered again unless it can go on where it was or is redriven. */
function continued(scope: Scope): CurrentState | undefined {
  const { current } = scope.data;
  if (current?.redriven) {
    delete current.redriven;
    return current;
  }
  if (current === undefined || goesOn(current)) return current;
  return enter(scope, current.name, current.input, current);
}

function goesOn(current: CurrentState): boolean {
  const { task, waitUntil, retryAt, children } = current;
  const taskGoesOn = task !== undefined && (task.submitted || task.answer !== undefined);
  return taskGoesOn || waitUntil !== undefined || retryAt !== undefined || children !== undefined;
}

/** Enters a state; `again` is the interrupted visit whose retries and task token are kept. */
function enter(scope: Scope, name: string, input: Json, again?: CurrentState): CurrentState {
  const { Type } = stateNamed(scope, name);
  const details = { name, ...inputText(input) };
  const enteredEventId = emit(scope, `${Type}StateEntered`, ['stateEntered', details]);
  const enteredAt = scope.runtime.clock.now();
  const current = { retryCount: 0, retries: [], ...again, name, input, enteredAt, enteredEventId };
  scope.data.current = current;
  scope.runtime.save();
  return current;
}

function exit(scope: Scope, { Type }: StateDefinition, output: Json, assigned: Step['assigned']): void {
  const name = scope.data.current?.name;
  const variables = assigned && {
    assignedVariables: Object.fromEntries(
      Object.entries(assigned).map(([variable, value]) => [variable, JSON.stringify(value)]),
    ),
    assignedVariablesDetails: { truncated: false },
  };
  emit(scope, `${Type}StateExited`, ['stateExited', { name, ...outputText(output), ...variables }]);
  Object.assign(scope.data.variables, assigned);
}

async function runState(run: StateRun): Promise<Step> {
  const { state } = run;
  switch (state.Type) {
    case 'Pass':
      return await runPass({ ...run, state });
    case 'Succeed':
      return await runSucceed({ ...run, state });
    case 'Fail':
      return await runFail({ ...run, state });
    case 'Choice':
      return await runChoice({ ...run, state });
    case 'Wait':
      return await runWait({ ...run, state });
    case 'Task': {
      const task = { ...run, state };
      return await withRetryAndCatch(task, () => withOutputs(task, () => attemptTask(task)));
    }
    case 'Parallel': {
      const parallel = { ...run, state };
      return await withFailedEvent(parallel, () => attemptParallel(parallel, runScope));
    }
    case 'Map': {
      const map = { ...run, state };
      return await withFailedEvent(map, () => attemptMap(map, runScope));
    }
  }
}

async function withOutputs(run: StateRun<ErrorHandlingState>, attempt: () => Promise<Json>): Promise<Step> {
  const result = await attempt();
  return { ...(await outputAndAssign(run, run.state, result, { result })), next: run.state.Next };
}

/** A Parallel or Map that gives up says so, unless its children had succeeded and only its Output failed. */
async function withFailedEvent(
  run: StateRun<ErrorHandlingState>,
  attempt: () => Promise<Json>,
): Promise<Step> {
  let succeeded = false;
  const noting = async () => {
    succeeded = false;
    const result = await attempt();
    succeeded = true;
    return result;
  };
  return await withRetryAndCatch(
    run,
    () => withOutputs(run, noting),
    () => {
      if (!succeeded) emit(run.scope, `${run.state.Type}StateFailed`);
    },
  );
}
