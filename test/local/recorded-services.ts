import type { Clock } from '../../local/interpreter/clock.ts';
import { TaskFailed } from '../../local/interpreter/errors.ts';
import type { ExecutionHandle } from '../../local/interpreter/execution.ts';
import { isObject, type Json, type JsonObject } from '../../local/interpreter/json.ts';
import type { TaskRequest, TaskRunner } from '../../local/interpreter/runtime.ts';

/** What a called function or service did while AWS was recorded; the recordings' README describes the fields. */
export interface Behaviour {
  sequence?: Behaviour[];
  afterSeconds?: number;
  echo?: true;
  returns?: Json;
  returnsRepeated?: { text: string; times: number };
  raises?: { errorType: string; errorMessage: string; stackTrace: string[] };
  fails?: { error?: string; cause?: string };
  accepts?: Json;
  callback?: Callback;
}

interface Callback {
  succeeds?: Json;
  fails?: { error?: string; cause?: string };
  never?: true;
  heartbeats?: number;
  afterSeconds?: number;
}

/** Plays the recorded behaviour of functions and services. */
export class RecordedServices implements TaskRunner {
  handle: ExecutionHandle | undefined;
  readonly #tasks: { [arn: string]: { behaviour: Behaviour } };
  readonly #clock: Clock;
  readonly #called = new Map<string, number>();

  constructor(tasks: { [arn: string]: { behaviour: Behaviour } }, clock: Clock) {
    this.#tasks = tasks;
    this.#clock = clock;
  }

  async run({ resource, arguments: parameters, taskToken, signal }: TaskRequest): Promise<Json> {
    const target = this.#target(resource, parameters);
    const behaviour = this.#behaviour(target);
    if (behaviour.afterSeconds) await this.#clock.sleep(behaviour.afterSeconds * 1000, signal);
    if (behaviour.fails) throw new TaskFailed(behaviour.fails);
    if (behaviour.raises) throw raised(behaviour.raises);
    if (behaviour.callback && taskToken) void this.#callBack(behaviour.callback, taskToken);
    if (behaviour.accepts !== undefined) return behaviour.accepts;
    if (!resource.startsWith('arn:aws:states:::lambda')) return returned(behaviour, parameters);
    const payload = (parameters as JsonObject).Payload ?? {};
    return { ExecutedVersion: '$LATEST', Payload: returned(behaviour, payload), StatusCode: 200 };
  }

  #target(resource: string, parameters: Json): string {
    if (!resource.startsWith('arn:aws:states:::lambda')) return resource;
    const name = String(isObject(parameters) ? parameters.FunctionName : '');
    return name.startsWith('arn:') ? name : `arn:aws:lambda:us-east-1:111111111111:function:${name}`;
  }

  #behaviour(target: string): Behaviour {
    const behaviour = this.#tasks[target]?.behaviour;
    if (!behaviour) throw new Error(`The recording has no stub for ${target}.`);
    const calls = this.#called.get(target) ?? 0;
    this.#called.set(target, calls + 1);
    return behaviour.sequence ? (behaviour.sequence[calls] as Behaviour) : behaviour;
  }

  /** Answers after the call has returned, as the recorded clients did. */
  async #callBack(callback: Callback, token: string): Promise<void> {
    await this.#clock.sleep((callback.afterSeconds ?? 0) * 1000, new AbortController().signal);
    for (let beat = 0; beat < (callback.heartbeats ?? 0); beat += 1) this.handle?.sendTaskHeartbeat(token);
    if (callback.succeeds !== undefined) this.handle?.sendTaskSuccess(token, callback.succeeds);
    if (callback.fails) this.handle?.sendTaskFailure(token, callback.fails.error, callback.fails.cause);
  }
}

function returned(behaviour: Behaviour, event: Json): Json {
  if (behaviour.echo) return event;
  const { returns, returnsRepeated } = behaviour;
  return returnsRepeated ? returnsRepeated.text.repeat(returnsRepeated.times) : (returns ?? null);
}

function raised({ errorType, errorMessage, stackTrace }: NonNullable<Behaviour['raises']>): TaskFailed {
  const cause = JSON.stringify({ errorMessage, errorType, requestId: crypto.randomUUID(), stackTrace });
  return new TaskFailed({ error: errorType, cause });
}
