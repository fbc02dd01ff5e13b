import type { StatesDefinition } from './definition.ts';
import { ScopeAborted, type StateFailure } from './errors.ts';
import type { Json } from './json.ts';
import { emit, linkedController, type Scope, type StateRun } from './runtime.ts';
import type { ScopeSnapshot } from './snapshot.ts';

/** State types whose abortion has an event; the others finish at once. */
const ABORTABLE = ['Task', 'Wait', 'Parallel', 'Map'];

/** Runs a scope to its end and returns the output of its last state. */
export type RunScope = (scope: Scope) => Promise<Json>;

/** A group of scopes inside one Parallel or Map: the first failure aborts all the others. */
export class ChildGroup {
  readonly #parent: StateRun;
  readonly #runScope: RunScope;
  readonly #controller: ReturnType<typeof linkedController>;
  #failure: StateFailure | undefined;

  constructor(parent: StateRun, runScope: RunScope) {
    this.#parent = parent;
    this.#runScope = runScope;
    this.#controller = linkedController(parent.scope.signal);
  }

  get aborted(): boolean {
    return this.#controller.signal.aborted;
  }

  /** A scope of this group. */
  scope(definition: StatesDefinition, data: ScopeSnapshot): Scope {
    const { scope } = this.#parent;
    return { runtime: scope.runtime, definition, data, parent: scope, signal: this.#controller.signal };
  }

  /** Runs one scope; a scope that had finished before a restart is not run again. */
  async run(definition: StatesDefinition, data: ScopeSnapshot): Promise<Json> {
    if (data.result && 'output' in data.result) return data.result.output;
    const output = await this.#runScope(this.scope(definition, data));
    this.#parent.scope.data.lastEventId = data.lastEventId;
    return output;
  }

  /** Ends the group with the failure of one scope. */
  fail(failure: StateFailure, failed: ScopeSnapshot): void {
    this.#failure = failure;
    this.#parent.scope.data.lastEventId = failed.lastEventId;
    this.#controller.abort();
  }

  /** Ends the group for a defect of the engine, which `settle` throws. */
  abort(): void {
    this.#controller.abort();
  }

  /**
   * Waits until every task of the group has ended.
   * @throws StateFailure the failure that ended the group; ScopeAborted if the parent was aborted
   */
  async settle(tasks: Promise<unknown>[]): Promise<void> {
    const outcomes = await Promise.allSettled(tasks);
    this.#controller.release();
    if (this.#parent.scope.signal.aborted) throw new ScopeAborted();
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected' && !(outcome.reason instanceof ScopeAborted)) throw outcome.reason;
    }
    if (this.#failure) throw this.#failure;
  }
}

/** Notes the abortion of whatever is still at work in the scope, all following the same event. */
export function emitAborted(parent: Scope, definition: StatesDefinition, data: ScopeSnapshot): void {
  const { current } = data;
  const state = current && definition.States[current.name];
  if (!state || data.result) return;
  const children = current.children?.scopes ?? [];
  if (state.Type === 'Parallel') {
    for (const [index, child] of children.entries()) {
      const branch = state.Branches[index];
      if (child && branch) emitAborted(parent, branch, child);
    }
  }
  if (state.Type === 'Map') {
    for (const child of children)
      if (child) emitIterationAborted(parent, current.name, state.ItemProcessor, child);
  }
  if (ABORTABLE.includes(state.Type)) emitBeside(parent, `${state.Type}StateAborted`);
}

/**
 * The same for the scope whose failure ended the group: a Task that failed counts as still at work. (Seen in
 * the recording of a Map whose tasks time out.)
 */
export function emitFailed(parent: Scope, definition: StatesDefinition, { current }: ScopeSnapshot): void {
  if (current && definition.States[current.name]?.Type === 'Task') emitBeside(parent, 'TaskStateAborted');
}

/** The same for one iteration of a Map. */
export function emitIterationAborted(
  parent: Scope,
  map: string,
  processor: StatesDefinition,
  data: ScopeSnapshot,
): void {
  if (data.result || !data.mapItem) return;
  const details = { name: map, index: data.mapItem.Index };
  emitBeside(parent, 'MapIterationAborted', ['mapIterationAborted', details]);
  emitAborted(parent, processor, data);
}

/** Adds an event that follows the same event as the scope's next one does. */
export function emitBeside(
  parent: Scope,
  type: string,
  details?: [string, { name: string; index: number }],
): void {
  const { lastEventId } = parent.data;
  emit(parent, type, details);
  parent.data.lastEventId = lastEventId;
}
