import type { TaskState } from './definition.ts';
import { ScopeAborted, StateFailure, TaskFailed } from './errors.ts';
import { inputText, outputText } from './history.ts';
import type { Json } from './json.ts';
import { parseResource, type Resource } from './resources.ts';
import { emit, linkedController, type StateRun, sleepUntil } from './runtime.ts';
import type { TaskSnapshot } from './snapshot.ts';
import { query, queryInteger, withinLimit } from './state-queries.ts';
import { taskEvent } from './task-events.ts';

type Outcome =
  | { kind: 'returned'; result: Json }
  | { kind: 'failed'; failure: TaskFailed }
  | { kind: 'begun' | 'answered' | 'timeout' | 'heartbeat-timeout' };

/**
 * One attempt of a Task: schedule, call, and for `.waitForTaskToken` wait for the callback, which may come
 * before the call has returned. A resumed attempt whose call was accepted only goes on waiting.
 * https://docs.aws.amazon.com/step-functions/latest/dg/connect-to-resource.html
 * @throws StateFailure
 */
export async function attemptTask(run: StateRun<TaskState>): Promise<Json> {
  const { runtime, signal } = run.scope;
  const resource = parseResource(run.state.Resource, runtime.integrations, run.current.name);
  const waiting = run.current.task?.submitted || run.current.task?.answer !== undefined;
  const call = waiting ? undefined : await schedule(run, resource);
  const task = run.current.task as TaskSnapshot;
  const answered = task.token === undefined ? undefined : runtime.tokens.open(task.token, task);
  const nobodyWaits = linkedController(signal);
  const watching = linkedController(signal);
  try {
    const invocation = call && (await begin(run, resource, call, nobodyWaits.signal));
    const races = [
      answered?.then((): Outcome => ({ kind: 'answered' })),
      ...deadlines(run, task, watching.signal),
    ];
    let outcome = await firstOf([invocation?.end, ...races], signal);
    if (outcome.kind === 'returned' && resource.waitsForToken) {
      emit(run.scope, ...taskEvent(resource, 'Submitted', outputText(outcome.result)));
      task.submitted = true;
      runtime.save();
      outcome = await firstOf(races, signal);
    }
    return settle(run, resource, task, outcome);
  } finally {
    if (task.token !== undefined) runtime.tokens.close(task.token);
    watching.abort();
    watching.release();
    nobodyWaits.abort();
    nobodyWaits.release();
  }
}

interface Call {
  resource: string;
  arguments: Json;
  timeoutSeconds?: number;
  heartbeatSeconds?: number;
}

/** Evaluates what the call needs and notes the attempt. A token that an interrupted attempt had is kept. */
async function schedule(run: StateRun<TaskState>, resource: Resource): Promise<Call> {
  const { state, current, scope } = run;
  const { runtime } = scope;
  const task: TaskSnapshot = { submitted: false };
  if (resource.waitsForToken) task.token = current.task?.token ?? runtime.ids();
  current.task = task;
  const template = state.Arguments;
  const parameters = template === undefined ? current.input : await query(run, template, 'Arguments');
  withinLimit(parameters, current.name);
  const timeoutSeconds = await seconds(run, 'TimeoutSeconds');
  const heartbeatSeconds = await seconds(run, 'HeartbeatSeconds');
  const limits = { timeoutInSeconds: timeoutSeconds, heartbeatInSeconds: heartbeatSeconds };
  const region = scope.runtime.context.stateMachineArn.split(':')[3];
  const scheduled = resource.isFunction
    ? { ...inputText(parameters), resource: resource.arn, timeoutInSeconds: timeoutSeconds }
    : { parameters: JSON.stringify(parameters), region, ...limits };
  emit(scope, ...taskEvent(resource, 'Scheduled', scheduled));
  runtime.save();
  return {
    resource: resource.arn,
    arguments: parameters,
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(heartbeatSeconds !== undefined && { heartbeatSeconds }),
  };
}

/**
 * Makes the call. Its Started event, and with it the time of its deadlines, waits until the runner says that the work
 * has begun: the timeout count begins when the start event is logged.
 * https://docs.aws.amazon.com/step-functions/latest/dg/state-task.html (TimeoutSeconds)
 */
async function begin(
  run: StateRun<TaskState>,
  resource: Resource,
  call: Call,
  signal: AbortSignal,
): Promise<{ end: Promise<Outcome> }> {
  const { scope } = run;
  if (!scope.runtime.tasks.reportsStart) {
    started(run, resource, call);
    return { end: quiet(invoke(run, call, signal)) };
  }
  const begun = Promise.withResolvers<Outcome>();
  const end = quiet(invoke(run, call, signal, () => begun.resolve({ kind: 'begun' })));
  await firstOf([begun.promise, end.catch((): Outcome => ({ kind: 'begun' }))], scope.signal);
  started(run, resource, call);
  return { end };
}

/** Whoever awaits it later sees the failure; until then it is not an unhandled one. */
function quiet<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}

function started({ scope, current }: StateRun<TaskState>, resource: Resource, call: Call): void {
  const { timeoutSeconds, heartbeatSeconds } = call;
  const task = current.task as TaskSnapshot;
  emit(scope, ...taskEvent(resource, 'Started', {}));
  const now = scope.runtime.clock.now();
  if (timeoutSeconds !== undefined) task.deadline = now + timeoutSeconds * 1000;
  if (resource.waitsForToken && heartbeatSeconds !== undefined) {
    task.heartbeatSeconds = heartbeatSeconds;
    task.heartbeatDeadline = now + heartbeatSeconds * 1000;
  }
  scope.runtime.save();
}

async function seconds(
  run: StateRun<TaskState>,
  field: 'TimeoutSeconds' | 'HeartbeatSeconds',
): Promise<number | undefined> {
  const template = run.state[field];
  return template === undefined ? undefined : await queryInteger(run, template, field, [1, 99_999_999]);
}

async function invoke(
  { scope, current }: StateRun<TaskState>,
  call: Call,
  signal: AbortSignal,
  onStart: () => void = () => {},
): Promise<Outcome> {
  const { token } = current.task as TaskSnapshot;
  try {
    const result = await scope.runtime.tasks.run({
      ...call,
      ...(token !== undefined && { taskToken: token }),
      signal,
      onStart,
      state: current.name,
    });
    return { kind: 'returned', result };
  } catch (thrown) {
    if (thrown instanceof TaskFailed) return { kind: 'failed', failure: thrown };
    throw thrown;
  }
}

function deadlines(run: StateRun, task: TaskSnapshot, signal: AbortSignal): Promise<Outcome>[] {
  const scope = { ...run.scope, signal };
  const { deadline } = task;
  const races: Promise<Outcome>[] = [];
  if (deadline !== undefined) races.push(sleepUntil(scope, deadline).then(() => ({ kind: 'timeout' })));
  if (task.heartbeatDeadline !== undefined) races.push(missedHeartbeat(scope, task));
  for (const race of races) race.catch(() => {});
  return races;
}

async function missedHeartbeat(scope: StateRun['scope'], task: TaskSnapshot): Promise<Outcome> {
  while ((task.heartbeatDeadline ?? 0) > scope.runtime.clock.now()) {
    await sleepUntil(scope, task.heartbeatDeadline ?? 0);
  }
  return { kind: 'heartbeat-timeout' };
}

/** The first outcome; rejects as soon as the scope is aborted. */
async function firstOf(races: (Promise<Outcome> | undefined)[], signal: AbortSignal): Promise<Outcome> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(new ScopeAborted());
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([...races.filter((race) => race !== undefined), aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Turns the outcome into the Task's result, or its failure, with the event that tells it. */
function settle(run: StateRun<TaskState>, resource: Resource, task: TaskSnapshot, outcome: Outcome): Json {
  if (task.answer) {
    if ('output' in task.answer) return succeed(run, resource, task.answer.output);
    return fail(run, resource, task.answer.error, task.answer.cause);
  }
  if (outcome.kind === 'returned') return succeed(run, resource, outcome.result);
  if (outcome.kind === 'failed') return fail(run, resource, outcome.failure.error, outcome.failure.cause);
  emit(run.scope, ...taskEvent(resource, 'TimedOut', { error: 'States.Timeout' }));
  const alsoKnownAs = outcome.kind === 'heartbeat-timeout' ? { alsoKnownAs: 'States.HeartbeatTimeout' } : {};
  throw new StateFailure('States.Timeout', undefined, alsoKnownAs);
}

function succeed(run: StateRun<TaskState>, resource: Resource, result: Json): Json {
  try {
    withinLimit(result, resource.isFunction ? resource.arn : resource.type);
  } catch (failure) {
    const { error, cause } = failure as StateFailure;
    emit(run.scope, ...taskEvent(resource, 'Failed', { error, cause }));
    throw failure;
  }
  emit(run.scope, ...taskEvent(resource, 'Succeeded', outputText(result)));
  return result;
}

function fail(run: StateRun<TaskState>, resource: Resource, error?: string, cause?: string): never {
  emit(run.scope, ...taskEvent(resource, 'Failed', { error, cause }));
  throw new StateFailure(error, cause);
}
