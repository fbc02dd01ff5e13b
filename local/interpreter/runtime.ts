import type { Clock } from './clock.ts';
import type { StateDefinition, StatesDefinition } from './definition.ts';
import { ScopeAborted } from './errors.ts';
import type { Expressions } from './expressions.ts';
import type { EventDetails, History } from './history.ts';
import type { Json, JsonObject } from './json.ts';
import type { CurrentState, ExecutionSnapshot, ScopeSnapshot } from './snapshot.ts';
import type { TaskTokens } from './tokens.ts';

/** The execution as `$states.context` shows it. Times are ISO 8601 texts; `redriveTime` is that of the last redrive. */
export interface ExecutionContext {
  executionArn: string;
  executionName: string;
  roleArn?: string;
  startTime: string;
  redriveCount?: number;
  redriveTime?: string;
  stateMachineArn: string;
  stateMachineName: string;
}

/** One call of a service or function. */
export interface TaskRequest {
  /** The Resource of the state: a function's ARN, or an integration such as `arn:aws:states:::lambda:invoke`. */
  resource: string;
  /** The evaluated Arguments; the state's input where it has none. For a function's ARN this is the event. */
  arguments: Json;
  /** Set for `.waitForTaskToken`: the token that the Arguments may hold. */
  taskToken?: string;
  timeoutSeconds?: number;
  heartbeatSeconds?: number;
  /**
   * Aborted when nobody waits for the result any more. AWS tells a running function nothing of it and lets
   * it run on, so a faithful runner only stops waiting itself.
   */
  signal: AbortSignal;
  /** To be called by a runner that `reportsStart`, as soon as the work has begun. */
  onStart: () => void;
  /** Name of the state that calls. */
  state: string;
}

/** Calls services and functions for the interpreter. */
export interface TaskRunner {
  /** The runner may let a call wait and says by `onStart` when it begins. Otherwise it begins at once. */
  readonly reportsStart?: boolean;
  /**
   * The service's result: for a function's ARN what the function returned, for `lambda:invoke`
   * `{ExecutedVersion, Payload, StatusCode}`, for `.waitForTaskToken` the response to the call.
   * @throws TaskFailed when the service or function fails; anything else is a defect of the engine
   */
  run(request: TaskRequest): Promise<Json>;
}

/** Keeps the latest snapshot of an execution. */
export interface Journal {
  /** Called, synchronously, whenever the execution has come to a point that must survive a kill. */
  save(snapshot: ExecutionSnapshot): void;
}

/** What all scopes of one execution share. */
export interface Runtime {
  readonly context: ExecutionContext;
  readonly snapshot: ExecutionSnapshot;
  readonly history: History;
  readonly expressions: Expressions;
  readonly tokens: TaskTokens;
  readonly tasks: TaskRunner;
  readonly clock: Clock;
  readonly ids: () => string;
  readonly random: () => number;
  readonly integrations: readonly string[];
  /** Journals the snapshot as it is now. */
  save(): void;
}

/** A scope at work. */
export interface Scope {
  readonly runtime: Runtime;
  readonly data: ScopeSnapshot;
  readonly definition: StatesDefinition;
  readonly parent: Scope | undefined;
  readonly signal: AbortSignal;
}

/** A state at work: its definition, the scope it runs in, and its part of the snapshot. */
export interface StateRun<State extends StateDefinition = StateDefinition> {
  readonly scope: Scope;
  readonly state: State;
  readonly current: CurrentState;
}

/** What a state hands on: its output, variables to assign, and the next state (none: the scope ends). */
export interface Step {
  output: Json;
  assigned?: JsonObject;
  next: string | undefined;
}

/**
 * Adds a history event that follows the scope's last one.
 * @throws ScopeAborted if the scope no longer runs, so that an aborted scope leaves no trace
 */
export function emit(scope: Scope, type: string, details?: [kind: string, details: EventDetails]): number {
  if (scope.signal.aborted) throw new ScopeAborted();
  scope.data.lastEventId = scope.runtime.history.add(type, scope.data.lastEventId, details);
  return scope.data.lastEventId;
}

/** Sleeps until the time; returns at once when it has passed. @throws ScopeAborted */
export async function sleepUntil(scope: Scope, time: number): Promise<void> {
  const { clock } = scope.runtime;
  try {
    if (time > clock.now()) await clock.sleep(time - clock.now(), scope.signal);
  } catch (thrown) {
    if (!scope.signal.aborted) throw thrown;
  }
  if (scope.signal.aborted) throw new ScopeAborted();
}

/** Every variable that the scope can read. */
export function visibleVariables(scope: Scope): JsonObject {
  return scope.parent
    ? { ...visibleVariables(scope.parent), ...scope.data.variables }
    : { ...scope.data.variables };
}

/** An abort controller that follows the signal. Call `release` when done, so that the signal forgets it. */
export function linkedController(signal: AbortSignal): AbortController & { release: () => void } {
  const controller = new AbortController();
  const follow = () => controller.abort();
  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true });
  return Object.assign(controller, { release: () => signal.removeEventListener('abort', follow) });
}
