/**
 * Runs one execution of a Standard state machine, JSONata only, as AWS does.
 *
 * `startExecution` begins in the next microtask and reports through callbacks, all called synchronously:
 * `onEvent` for each history event and `journal.save` for each point that must survive a kill. An engine
 * that writes both down at once loses nothing. The snapshot is the execution's whole state as plain JSON;
 * `resumeFrom: snapshot` goes on from it in a new process:
 *
 * - a state that was at work is entered again, with its retry counts (its Entered event appears again);
 * - a task token whose call was accepted keeps waiting, with its original deadline; an answer that was
 *   accepted before the kill is used; a `.waitForTaskToken` call that had not returned is made again with
 *   the same token;
 * - a Wait keeps its end, a planned retry its time; finished branches and iterations do not run again.
 *
 * An execution that did not succeed saves a last snapshot; `redriven` (redrive.ts) makes from it the one to redrive with.
 *
 * `handle.result` resolves when the execution is closed. It rejects only for a defect of the engine: a
 * TaskRunner that throws something else than `TaskFailed`, or a callback that throws.
 * A feature that shows only at run time (`$random` with a seed) fails the execution with the error
 * `UnsupportedFeature`, which nothing catches.
 *
 * Time comes from the clock and identifiers (task tokens, `$uuid`) from `ids`, which returns UUIDs.
 */
import type { Clock } from './clock.ts';
import type { StateMachineDefinition } from './definition.ts';
import { ScopeAborted, StateFailure } from './errors.ts';
import { Expressions } from './expressions.ts';
import { type EventDetails, History, type HistoryEvent, inputText, outputText } from './history.ts';
import type { Json } from './json.ts';
import type { ExecutionContext, Journal, Runtime, Scope, TaskRunner } from './runtime.ts';
import { runScope } from './scope.ts';
import { type ExecutionSnapshot, newScope } from './snapshot.ts';
import { TaskTokens } from './tokens.ts';

export interface ExecutionOptions {
  definition: StateMachineDefinition;
  /** The execution's input. Ignored with `resumeFrom`, which holds it. */
  input: Json;
  context: ExecutionContext;
  tasks: TaskRunner;
  clock: Clock;
  /** Returns a new UUID at each call. */
  ids: () => string;
  onEvent: (event: HistoryEvent) => void;
  journal?: Journal;
  resumeFrom?: ExecutionSnapshot;
  /** With `resumeFrom`: events that the engine has kept, where that is more than the snapshot knows of. */
  keptEvents?: number;
  /** The integrations given to `parseDefinition`. */
  integrations?: readonly string[];
  /** For JitterStrategy FULL, from 0 up to 1; Math.random unless given. */
  random?: () => number;
}

/** How an execution ended, as DescribeExecution tells it. */
export interface ExecutionResult {
  status: 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  output?: Json;
  error?: string;
  cause?: string;
}

export interface ExecutionHandle {
  readonly result: Promise<ExecutionResult>;
  /** StopExecution. False if the execution was closed already. */
  stop(error?: string, cause?: string): boolean;
  /** Leaves the execution as its last snapshot says, to be resumed later: no event, and `result` stays open. */
  suspend(): void;
  /** @throws TaskDoesNotExist, TaskTimedOut */
  sendTaskSuccess(token: string, output: Json): void;
  /** @throws TaskDoesNotExist, TaskTimedOut */
  sendTaskFailure(token: string, error?: string, cause?: string): void;
  /** @throws TaskDoesNotExist, TaskTimedOut */
  sendTaskHeartbeat(token: string): void;
  /** Whether a task of this execution waits on the token, no longer waits on it, or never had it. */
  tokenStatus(token: string): 'waiting' | 'closed' | 'unknown';
}

/** Starts, or with `resumeFrom` goes on with, an execution. */
export function startExecution(options: ExecutionOptions): ExecutionHandle {
  const execution = new Execution(options);
  queueMicrotask(() => execution.run());
  return execution;
}

class Execution implements ExecutionHandle {
  readonly result: Promise<ExecutionResult>;
  readonly #runtime: Runtime;
  readonly #definition: StateMachineDefinition;
  readonly #abort = new AbortController();
  readonly #settled = Promise.withResolvers<ExecutionResult>();
  readonly #resumed: boolean;
  #open = true;

  constructor(options: ExecutionOptions) {
    const { resumeFrom, input, clock, ids, journal } = options;
    const snapshot: ExecutionSnapshot = resumeFrom
      ? structuredClone(resumeFrom)
      : { version: 1, lastEventId: 0, input, closedTokens: [], root: newScope(input, 0) };
    if (snapshot.version !== 1) throw new Error(`Snapshots of version ${snapshot.version} are not known.`);
    const lastEventId = Math.max(snapshot.lastEventId, options.keptEvents ?? 0);
    const history = new History(clock, options.onEvent, lastEventId);
    const save = () => {
      if (!this.#open) return;
      snapshot.lastEventId = history.lastId;
      journal?.save(structuredClone(snapshot));
    };
    this.#definition = options.definition;
    this.#resumed = resumeFrom !== undefined;
    this.result = this.#settled.promise;
    this.#runtime = {
      context: options.context,
      snapshot,
      history,
      expressions: new Expressions({ clock, ids }),
      tokens: new TaskTokens(clock, snapshot.closedTokens, save),
      tasks: options.tasks,
      clock,
      ids,
      random: options.random ?? Math.random,
      integrations: options.integrations ?? [],
      save,
    };
  }

  async run(): Promise<void> {
    const { snapshot, history, context } = this.#runtime;
    try {
      if (!this.#open) return;
      if (!this.#resumed) {
        const details = { ...inputText(snapshot.input), roleArn: context.roleArn };
        history.add('ExecutionStarted', 0, ['executionStarted', details]);
        this.#runtime.save();
      }
      this.#watchTimeout().catch((defect) => this.#break(defect));
      const scope: Scope = {
        runtime: this.#runtime,
        data: snapshot.root,
        definition: this.#definition,
        parent: undefined,
        signal: this.#abort.signal,
      };
      const output = await runScope(scope);
      this.#close(
        { status: 'SUCCEEDED', output },
        'ExecutionSucceeded',
        this.#lastEventId,
        outputText(output),
      );
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  stop(error?: string, cause?: string): boolean {
    const result = { status: 'ABORTED' as const, ...given({ error, cause }) };
    return this.#close(result, 'ExecutionAborted', 0, { error, cause });
  }

  suspend(): void {
    this.#open = false;
    this.#abort.abort();
  }

  sendTaskSuccess(token: string, output: Json): void {
    this.#runtime.tokens.answer(token, { output });
  }

  sendTaskFailure(token: string, error?: string, cause?: string): void {
    this.#runtime.tokens.answer(token, given({ error, cause }));
  }

  sendTaskHeartbeat(token: string): void {
    this.#runtime.tokens.heartbeat(token);
  }

  tokenStatus(token: string): 'waiting' | 'closed' | 'unknown' {
    return this.#runtime.tokens.status(token);
  }

  get #lastEventId(): number {
    return this.#runtime.snapshot.root.lastEventId;
  }

  /** TimeoutSeconds of the state machine counts from the start, or the last redrive, of the execution, restarts included. */
  async #watchTimeout(): Promise<void> {
    const { TimeoutSeconds } = this.#definition;
    if (TimeoutSeconds === undefined) return;
    const { clock, context } = this.#runtime;
    const from = Date.parse(context.redriveTime ?? context.startTime);
    const left = from + TimeoutSeconds * 1000 - clock.now();
    try {
      await clock.sleep(Math.max(0, left), this.#abort.signal);
    } catch (thrown) {
      if (!this.#abort.signal.aborted) throw thrown;
    }
    if (this.#abort.signal.aborted) return;
    this.#close({ status: 'TIMED_OUT' }, 'ExecutionTimedOut', 0, { error: 'States.Timeout' });
  }

  #fail(thrown: unknown): void {
    if (thrown instanceof ScopeAborted && !this.#open) return;
    if (!(thrown instanceof StateFailure)) {
      this.#break(thrown);
      return;
    }
    const failure = { error: thrown.error, cause: thrown.cause };
    this.#close({ status: 'FAILED', ...given(failure) }, 'ExecutionFailed', this.#lastEventId, failure);
  }

  /** An execution that did not succeed leaves a snapshot of where it was, to be redriven from. */
  #close(result: ExecutionResult, type: string, previousEventId: number, details: EventDetails): boolean {
    if (!this.#open) return false;
    try {
      if (result.status !== 'SUCCEEDED') this.#runtime.save();
      this.#open = false;
      this.#runtime.history.close(type, previousEventId, [`e${type.slice(1)}`, details]);
      this.#settled.resolve(result);
    } catch (defect) {
      this.#open = false;
      this.#settled.reject(defect);
    }
    this.#abort.abort();
    return true;
  }

  #break(defect: unknown): void {
    this.#open = false;
    this.#abort.abort();
    this.#settled.reject(defect);
  }
}

/** Without the fields that are undefined. */
function given({ error, cause }: { error?: string | undefined; cause?: string | undefined }): {
  error?: string;
  cause?: string;
} {
  return { ...(error !== undefined && { error }), ...(cause !== undefined && { cause }) };
}
