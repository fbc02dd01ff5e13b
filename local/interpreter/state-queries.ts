import { StateFailure, UnsupportedFeature } from './errors.ts';
import { type Bindings, QueryFailed } from './expressions.ts';
import { isObject, type Json, type JsonObject, jsonBytes } from './json.ts';
import { emit, type Scope, type StateRun, visibleVariables } from './runtime.ts';

/** Largest input, output, result, Arguments or Assign, in bytes. https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html */
export const PAYLOAD_LIMIT = 262_144;
/** Largest total of all variables that a state can read, in bytes. */
const VARIABLES_LIMIT = 10 * 1024 * 1024;

/** What `$states` holds besides input and context at this point of the state. */
export interface Extras {
  result?: Json;
  errorOutput?: JsonObject;
  mapItem?: { Index: number; Value: Json };
}

/**
 * Evaluates a template of the state. A failed expression is put into the history.
 * @throws StateFailure `States.QueryEvaluationError`
 */
export async function query(
  run: StateRun,
  template: Json,
  field: string,
  extras: Extras = {},
): Promise<Json> {
  return await reporting(run, () =>
    run.scope.runtime.expressions.evaluate(template, field, bindings(run, extras)),
  );
}

/** Like `query`, and the value must be of the JSON type. @throws StateFailure `States.QueryEvaluationError` */
export async function queryAs(run: StateRun, type: string, template: Json, field: string): Promise<Json> {
  return await reporting(run, () =>
    run.scope.runtime.expressions.evaluateAs(type, template, field, bindings(run, {})),
  );
}

/**
 * A whole number from an expression or a literal. Fractions and values out of bounds fail the state.
 * @throws StateFailure `States.QueryEvaluationError`
 */
export async function queryInteger(
  run: StateRun,
  template: number | string,
  field: string,
  [least, most]: [number, number],
): Promise<number> {
  const value = (await queryAs(run, 'number', template, field)) as number;
  return await reporting(run, async () => {
    if (!Number.isInteger(value)) {
      throw new QueryFailed(`The ${field} field cannot be parsed as an integer: ${value}`, field);
    }
    if (value < least || value > most) {
      throw new QueryFailed(`${field} must be between ${least} and ${most} but was: ${value}`, field);
    }
    return value;
  });
}

/** Fails the state when the value is larger than the limit. @throws StateFailure `States.DataLimitExceeded` */
export function withinLimit<Value extends Json>(value: Value, subject: string, limit = PAYLOAD_LIMIT): Value {
  if (jsonBytes(value) <= limit) return value;
  throw new StateFailure(
    'States.DataLimitExceeded',
    `The state/task '${subject}' returned a result with a size exceeding the maximum number of bytes service limit.`,
  );
}

/**
 * Output and Assign of a state, a choice rule or a catcher. All expressions see the variables as they were
 * on entry. https://docs.aws.amazon.com/step-functions/latest/dg/workflow-variables.html
 * @param otherwise the output where there is no Output; @param path prefix of the field names, such as `Catch[0]/`
 */
export async function outputAndAssign(
  run: StateRun,
  outputs: { Output?: Json; Assign?: JsonObject },
  otherwise: Json,
  extras: Extras = {},
  path = '',
): Promise<{ output: Json; assigned?: JsonObject }> {
  const output =
    outputs.Output === undefined ? otherwise : await query(run, outputs.Output, `${path}Output`, extras);
  withinLimit(output, run.current.name);
  if (outputs.Assign === undefined) return { output };
  const assigned = (await query(run, outputs.Assign, `${path}Assign`, extras)) as JsonObject;
  withinLimit(assigned, run.current.name);
  withinLimit({ ...visibleVariables(run.scope), ...assigned }, run.current.name, VARIABLES_LIMIT);
  return { output, assigned };
}

/** Prefixes a cause as AWS does: which state, entered at which event. */
export function causeIn(run: StateRun, problem: string): string {
  const { name, enteredEventId } = run.current;
  return `An error occurred while executing the state '${name}' (entered at the event id #${enteredEventId}). ${problem}`;
}

async function reporting<Value>(run: StateRun, evaluate: () => Promise<Value>): Promise<Value> {
  try {
    return await evaluate();
  } catch (thrown) {
    if (thrown instanceof UnsupportedFeature) {
      throw new StateFailure(thrown.name, causeIn(run, thrown.message), { uncatchable: true });
    }
    if (!(thrown instanceof QueryFailed)) throw thrown;
    const error = 'States.QueryEvaluationError';
    const cause = causeIn(run, thrown.message);
    const details = { cause, error, location: thrown.location, state: run.current.name };
    emit(run.scope, 'EvaluationFailed', ['evaluationFailed', details]);
    throw new StateFailure(error, cause);
  }
}

function bindings(run: StateRun, { result, errorOutput, mapItem }: Extras): Bindings {
  const states: JsonObject = { input: run.current.input, context: contextObject(run, mapItem) };
  if (result !== undefined) states.result = result;
  if (errorOutput !== undefined) states.errorOutput = errorOutput;
  return { states, variables: visibleVariables(run.scope) };
}

/** The context object. https://docs.aws.amazon.com/step-functions/latest/dg/input-output-contextobject.html */
function contextObject(run: StateRun, mapItem: Extras['mapItem'] = enclosingMapItem(run.scope)): JsonObject {
  const { context, snapshot } = run.scope.runtime;
  const { current, state } = run;
  const retries = ['Task', 'Parallel', 'Map'].includes(state.Type);
  const object: JsonObject = {
    Execution: {
      Id: context.executionArn,
      Input: snapshot.input,
      StartTime: context.startTime,
      Name: context.executionName,
      ...(context.roleArn !== undefined && { RoleArn: context.roleArn }),
      RedriveCount: context.redriveCount ?? 0,
      ...(context.redriveTime !== undefined && { RedriveTime: context.redriveTime }),
    },
    StateMachine: { Id: context.stateMachineArn, Name: context.stateMachineName },
    State: {
      Name: current.name,
      EnteredTime: new Date(current.enteredAt).toISOString(),
      ...(retries && { RetryCount: current.retryCount }),
    },
  };
  if (current.task?.token !== undefined) object.Task = { Token: current.task.token };
  if (isObject(mapItem)) object.Map = { Item: mapItem };
  return object;
}

function enclosingMapItem(scope: Scope): Extras['mapItem'] {
  return scope.data.mapItem ?? (scope.parent && enclosingMapItem(scope.parent));
}
