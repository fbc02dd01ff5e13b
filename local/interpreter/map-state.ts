import { ChildGroup, emitBeside, emitFailed, emitIterationAborted, type RunScope } from './children.ts';
import type { MapState } from './definition.ts';
import { StateFailure } from './errors.ts';
import type { Json } from './json.ts';
import { emit, type StateRun } from './runtime.ts';
import { type ChildrenSnapshot, newScope, type ScopeSnapshot } from './snapshot.ts';
import { causeIn, query, queryAs, queryInteger, withinLimit } from './state-queries.ts';

/** Iterations of an inline Map that AWS runs at once. https://docs.aws.amazon.com/step-functions/latest/dg/state-map-inline.html */
const MOST_CONCURRENT = 40;

/**
 * One attempt of an inline Map. More failed iterations than it tolerates end it; without a threshold the
 * first failure does, under its own error name. Tolerated failures are left out of the result.
 * https://docs.aws.amazon.com/step-functions/latest/dg/state-map-inline.html
 * @returns the iterations' outputs, in the order of the items
 */
export async function attemptMap(run: StateRun<MapState>, runScope: RunScope): Promise<Json[]> {
  const children = await startedIterations(run);
  const iterations = new Iterations(run, children, runScope);
  await iterations.run();
  const outputs = children.scopes.flatMap((data) =>
    data?.result && 'output' in data.result ? [data.result.output] : [],
  );
  emit(run.scope, 'MapStateSucceeded');
  return withinLimit(outputs, run.current.name);
}

async function startedIterations(run: StateRun<MapState>): Promise<ChildrenSnapshot> {
  const { state, current, scope } = run;
  if (current.children) return current.children;
  const items = await itemsOf(run);
  const concurrency =
    state.MaxConcurrency === undefined
      ? 0
      : await queryInteger(run, state.MaxConcurrency, 'MaxConcurrency', [0, Number.MAX_SAFE_INTEGER]);
  const tolerated = await toleratedFailures(run, items.length);
  const startedEventId = emit(scope, 'MapStateStarted', ['mapStateStarted', { length: items.length }]);
  const most = Math.min(concurrency || MOST_CONCURRENT, MOST_CONCURRENT);
  const scopes = items.map(() => null);
  current.children = {
    startedEventId,
    scopes,
    items,
    concurrency: most,
    ...(tolerated !== undefined && { tolerated }),
  };
  scope.runtime.save();
  return current.children;
}

async function itemsOf(run: StateRun<MapState>): Promise<Json[]> {
  const { Items } = run.state;
  if (Items !== undefined) return (await queryAs(run, 'array', Items, 'Items')) as Json[];
  if (Array.isArray(run.current.input)) return structuredClone(run.current.input);
  throw new StateFailure(
    'States.Runtime',
    causeIn(run, 'The Map has no Items and its input is not an array.'),
  );
}

/** Undefined where the Map has no threshold. The smaller of count and percentage decides. */
async function toleratedFailures(run: StateRun<MapState>, length: number): Promise<number | undefined> {
  const { ToleratedFailureCount: count, ToleratedFailurePercentage: percentage } = run.state;
  if (count === undefined && percentage === undefined) return undefined;
  const byCount =
    count === undefined
      ? Number.MAX_SAFE_INTEGER
      : await queryInteger(run, count, 'ToleratedFailureCount', [0, Number.MAX_SAFE_INTEGER]);
  const byPercentage =
    percentage === undefined
      ? Number.MAX_SAFE_INTEGER
      : ((await queryAs(run, 'number', percentage, 'ToleratedFailurePercentage')) as number) * (length / 100);
  return Math.min(byCount, byPercentage);
}

class Iterations {
  readonly #run: StateRun<MapState>;
  readonly #children: ChildrenSnapshot;
  readonly #group: ChildGroup;
  #next = 0;

  constructor(run: StateRun<MapState>, children: ChildrenSnapshot, runScope: RunScope) {
    this.#run = run;
    this.#children = children;
    this.#group = new ChildGroup(run, runScope);
  }

  async run(): Promise<void> {
    const { scopes, concurrency = MOST_CONCURRENT } = this.#children;
    const workers = Array.from({ length: Math.min(concurrency, scopes.length) }, () => this.#work());
    await this.#group.settle(workers);
  }

  async #work(): Promise<void> {
    while (this.#next < this.#children.scopes.length && !this.#group.aborted) {
      const index = this.#next;
      this.#next += 1;
      await this.#iterate(index);
    }
  }

  async #iterate(index: number): Promise<void> {
    const { state } = this.#run;
    const known = this.#children.scopes[index];
    if (known?.result) return;
    const data = known ?? this.#begin(index);
    try {
      if (!known) {
        data.input = await this.#select(data);
        this.#children.scopes[index] = data;
      }
      await this.#group.run(state.ItemProcessor, data);
      this.#note('MapIterationSucceeded', data);
    } catch (failure) {
      if (this.#group.aborted) throw failure;
      if (!(failure instanceof StateFailure)) {
        this.#group.abort();
        throw failure;
      }
      this.#failed(data, failure);
    }
  }

  #begin(index: number): ScopeSnapshot {
    const { current, scope } = this.#run;
    const value = this.#children.items?.[index] ?? null;
    const { lastEventId } = scope.data;
    const id = emit(scope, 'MapIterationStarted', ['mapIterationStarted', { name: current.name, index }]);
    scope.data.lastEventId = lastEventId;
    return newScope(value, id, { Index: index, Value: value });
  }

  async #select({ input, mapItem }: ScopeSnapshot): Promise<Json> {
    const { ItemSelector } = this.#run.state;
    if (ItemSelector === undefined) return input;
    return await query(this.#run, ItemSelector, 'ItemSelector', mapItem && { mapItem });
  }

  #failed(data: ScopeSnapshot, failure: StateFailure): void {
    const { state, current, scope } = this.#run;
    const { tolerated, scopes } = this.#children;
    scopes[data.mapItem?.Index ?? 0] = data;
    const failures = 1 + scopes.filter((each) => each?.result && 'failed' in each.result).length;
    if (tolerated !== undefined && failures <= tolerated && !failure.uncatchable) {
      this.#note('MapIterationFailed', data);
      data.result = { failed: true };
      scope.runtime.save();
      return;
    }
    const cause = 'The specified tolerated failure threshold was exceeded';
    const exceeded = tolerated === undefined || failure.uncatchable ? failure : undefined;
    this.#group.fail(exceeded ?? new StateFailure('States.ExceedToleratedFailureThreshold', cause), data);
    const details = { name: current.name, index: data.mapItem?.Index ?? 0 };
    emitBeside(scope, 'MapIterationFailed', ['mapIterationFailed', details]);
    emitFailed(scope, state.ItemProcessor, data);
    for (const each of scopes) {
      if (each && each !== data) emitIterationAborted(scope, current.name, state.ItemProcessor, each);
    }
  }

  #note(type: 'MapIterationSucceeded' | 'MapIterationFailed', data: ScopeSnapshot): void {
    const { current, scope } = this.#run;
    const details = { name: current.name, index: data.mapItem?.Index };
    scope.data.lastEventId = data.lastEventId;
    data.lastEventId = emit(scope, type, [`m${type.slice(1)}`, details]);
  }
}
