import { isFinal, isHeard, isSafe } from './checks.ts';
import type { Model } from './model.ts';
import { ValueIds } from './value-ids.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

/** A schedule that breaks a promise, in words. */
export interface Counterexample {
  readonly invariant: string;
  readonly message: string;
  readonly steps: readonly string[];
}

export interface Explored {
  readonly states: number;
  readonly transitions: number;
  readonly seconds: number;
  /** Seconds of the processor: what they would be on a machine with nothing else to do. */
  readonly cpuSeconds: number;
  /** Everything that can be reached was visited. */
  readonly complete: boolean;
  readonly finals: number;
  readonly counterexample: Counterexample | null;
}

export interface Limits {
  readonly states: number;
  readonly seconds: number;
}

interface Visited {
  readonly parent: number;
  /** Which of the parent's moves led here. */
  readonly move: number;
}

/** Visits every world that can be reached, each once, nearest first. */
export async function explore(model: Model, limits: Limits): Promise<Explored> {
  return new Search(model, limits).run();
}

class Search {
  readonly #model: Model;
  readonly #limits: Limits;
  readonly #startedAt = performance.now();
  readonly #values = new ValueIds();
  readonly #cpuBefore = process.cpuUsage();
  readonly #known = new Map<string, number>();
  readonly #visited: Visited[] = [];
  /** Worlds that are still to be taken further. */
  readonly #open = new Map<number, World>();
  readonly #safe: boolean[] = [];
  readonly #final: boolean[] = [];
  readonly #heard: boolean[] = [];
  readonly #mayDecide: boolean[] = [];
  readonly #edges: { readonly from: number[]; readonly to: number[] } = { from: [], to: [] };

  constructor(model: Model, limits: Limits) {
    this.#model = model;
    this.#limits = limits;
  }

  async run(): Promise<Explored> {
    try {
      this.#meet(await this.#model.first(), { parent: -1, move: -1 });
    } catch (error) {
      return this.#result(false, await this.#counterexample(error, -1, -1));
    }
    for (let id = 0; id < this.#visited.length; id++) {
      if (this.#visited.length > this.#limits.states || this.#seconds() > this.#limits.seconds) {
        return this.#result(false, null);
      }
      const found = await this.#expand(id);
      if (found) return this.#result(false, found);
    }
    return this.#result(true, await this.#stuck());
  }

  async #expand(id: number): Promise<Counterexample | null> {
    const world = this.#open.get(id) as World;
    this.#open.delete(id);
    const moves = this.#model.moves(world);
    for (const [index, move] of moves.entries()) {
      let after: World;
      try {
        after = await this.#model.after(world, move);
      } catch (error) {
        return this.#counterexample(error, id, index);
      }
      const to = this.#meet(after, { parent: id, move: index });
      this.#edges.from.push(id);
      this.#edges.to.push(to);
    }
    return null;
  }

  #meet(world: World, visited: Visited): number {
    const key = this.#keyOf(world);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const id = this.#visited.length;
    this.#known.set(key, id);
    this.#visited.push(visited);
    this.#open.set(id, world);
    this.#safe.push(isSafe(world));
    this.#final.push(isFinal(world));
    this.#heard.push(isHeard(world));
    this.#mayDecide.push(world.budget.decisions > 0 || world.budget.deciders > 0);
    return id;
  }

  #keyOf(world: World): string {
    let key = '';
    for (const part in world) {
      const value = world[part as keyof World];
      key += Array.isArray(value)
        ? `${value.map((item) => this.#values.of(item))};`
        : `${this.#values.of(value)};`;
    }
    return key;
  }

  /**
   * Liveness: a path to safety from everywhere, to an end from everywhere where somebody may still decide, and from every decision to
   * the reconcile that hears it.
   */
  async #stuck(): Promise<Counterexample | null> {
    const safe = this.#reaching(this.#safe);
    const lost = safe.findIndex((reaches) => !reaches);
    if (lost >= 0) {
      return this.#describe('I10', 'from here no path ends, or waits with a person: the lead is lost', lost);
    }
    const ends = this.#reaching(this.#final);
    const endless = ends.findIndex((reaches, id) => !reaches && this.#mayDecide[id]);
    if (endless >= 0) {
      return this.#describe('I10', 'from here no path ends, though a person may still decide', endless);
    }
    const hears = this.#reaching(this.#heard);
    const unheard = hears.findIndex((reaches) => !reaches);
    return unheard < 0 ? null : this.#describe('heard', 'from here nobody ever hears the decision', unheard);
  }

  /** Which states have a path into the targets. */
  #reaching(targets: readonly boolean[]): boolean[] {
    const { from, to } = this.#edges;
    const incoming: number[][] = this.#visited.map(() => []);
    for (const [edge, target] of to.entries()) incoming[target]?.push(from[edge] as number);
    const reaches = [...targets];
    const work = targets.flatMap((target, id) => (target ? [id] : []));
    for (let id = work.pop(); id !== undefined; id = work.pop()) {
      for (const before of incoming[id] ?? []) {
        if (reaches[before]) continue;
        reaches[before] = true;
        work.push(before);
      }
    }
    return reaches;
  }

  async #counterexample(error: unknown, id: number, move: number): Promise<Counterexample> {
    if (!(error instanceof Violation)) throw error;
    const world = id < 0 ? null : await this.#replay(id);
    const last = world ? this.#model.moves(world.world)[move]?.words : undefined;
    return {
      invariant: error.invariant,
      message: error.message,
      steps: [...(world?.steps ?? []), ...(last ? [last] : [])],
    };
  }

  async #describe(invariant: string, what: string, id: number): Promise<Counterexample> {
    const { steps } = await this.#replay(id);
    return { invariant, message: `${invariant}: ${what}`, steps };
  }

  /** Walks from the first world to this one again. */
  async #replay(id: number): Promise<{ world: World; steps: string[] }> {
    const path: number[] = [];
    for (let at = id; at > 0; ) {
      const { parent, move } = this.#visited[at] as Visited;
      path.push(move);
      at = parent;
    }
    let world = await this.#model.first();
    const steps: string[] = [];
    for (const index of path.reverse()) {
      const move = this.#model.moves(world)[index];
      if (!move) throw new Error('A schedule that was visited cannot be walked again.');
      steps.push(move.words);
      world = await this.#model.after(world, move);
    }
    return { world, steps };
  }

  #seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  #result(complete: boolean, counterexample: Counterexample | null): Explored {
    const { user, system } = process.cpuUsage(this.#cpuBefore);
    return {
      cpuSeconds: (user + system) / 1_000_000,
      states: this.#visited.length,
      transitions: this.#edges.to.length,
      seconds: this.#seconds(),
      complete,
      finals: this.#final.filter(Boolean).length,
      counterexample,
    };
  }
}
