import { ValueIds } from './value-ids.ts';

/** One request of a program to the world outside it. */
export interface Op {
  readonly name: string;
}

/** What a program came to: its value, or the name of the error that it threw. */
export type Ended = { readonly value: unknown } | { readonly error: string };

/** What a program sees of the world: everything that it learns comes through here, so that the same answers make the same run. */
export interface Io {
  call(op: Op): Promise<unknown>;
  /** The time at which the last answer came. */
  readonly clock: () => number;
  readonly id: () => string;
}

export type Program = (io: Io) => Promise<unknown>;

/** Where a program stands: the questions that it waits for, or its end. Equal histories of answers are one position. */
export interface Position {
  readonly id: number;
  /** By the order in which they were asked; answered ones are gone. */
  readonly pending: ReadonlyMap<number, Op>;
  readonly ended: Ended | null;
}

interface Entry {
  readonly index: number;
  readonly answer: unknown;
  readonly at: number;
}

const MISTAKES: readonly string[] = ['NotExplored', 'TypeError', 'ReferenceError', 'RangeError'];

/** A running program; it can only go forward. */
class Run {
  readonly pending = new Map<number, { readonly op: Op; readonly resolve: (answer: unknown) => void }>();
  ended: Ended | null = null;
  /** The program did something that no function should: a mistake of the code or of this model. */
  mistake: Error | null = null;
  #asked = 0;
  #ids = 0;
  #now: number;

  constructor(program: Program, name: string, startedAt: number) {
    this.#now = startedAt;
    const io: Io = {
      call: (op) => new Promise((resolve) => this.pending.set(this.#asked++, { op, resolve })),
      clock: () => this.#now,
      id: () => `${name}.${++this.#ids}`,
    };
    program(io).then(
      (value) => {
        this.ended = { value };
      },
      (error: Error) => {
        this.ended = { error: error.name };
        if (MISTAKES.includes(error.name)) this.mistake = error;
      },
    );
  }

  async answer({ index, answer, at }: Entry): Promise<void> {
    this.#now = at;
    const waiting = this.pending.get(index);
    if (!waiting) throw new Error(`No question ${index} is open.`);
    this.pending.delete(index);
    waiting.resolve(answer);
    await quiet();
  }
}

/** Every promise that can settle has settled: what is left waits for an answer. */
function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

interface Node extends Position {
  readonly root: { readonly program: Program; readonly name: string; readonly startedAt: number };
  readonly parent: Node | null;
  readonly entry: Entry | null;
  /** The run that stands here, until it is taken further. */
  live: Run | null;
}

/**
 * Makes running programs into values: a position may be taken further in as many ways as one likes. An asynchronous function
 * cannot be copied, but it can be run again with the same answers; and because a position depends on nothing but its answers,
 * each step of each program runs once, however many worlds pass through it.
 */
export class Positions {
  readonly #nodes: Node[] = [];
  readonly #known = new Map<string, number>();
  readonly #values = new ValueIds();

  get count(): number {
    return this.#nodes.length;
  }

  /** @param name unique for the program and everything that it was given */
  async start(name: string, startedAt: number, ids: string, program: Program): Promise<number> {
    const key = `${name}@${startedAt}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const root = { program, name: ids, startedAt };
    const run = new Run(program, ids, startedAt);
    await quiet();
    return this.#add(key, { root, parent: null, entry: null }, run);
  }

  at(id: number): Position {
    return this.#nodes[id] as Node;
  }

  sameAs(id: number, tag: string): number {
    const key = `${this.rootOf(id)} ${tag}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, id);
    return id;
  }

  rootOf(id: number): number {
    let node = this.#nodes[id] as Node;
    while (node.parent) node = node.parent;
    return node.id;
  }

  /** The position after one answer. */
  async resume(id: number, index: number, answer: unknown, at: number): Promise<number> {
    const key = `${id}|${index}|${at}|${this.#values.of(answer)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const node = this.#nodes[id] as Node;
    const run = node.live ?? (await replayed(node));
    node.live = null;
    const entry = { index, answer, at };
    await run.answer(entry);
    return this.#add(key, { root: node.root, parent: node, entry }, run);
  }

  #add(key: string, origin: Pick<Node, 'root' | 'parent' | 'entry'>, run: Run): number {
    if (run.mistake) throw run.mistake;
    const id = this.#nodes.length;
    const pending = new Map([...run.pending].map(([index, { op }]) => [index, op]));
    this.#nodes.push({ id, pending, ended: run.ended, live: run.ended ? null : run, ...origin });
    this.#known.set(key, id);
    return id;
  }
}

async function replayed(node: Node): Promise<Run> {
  const entries: Entry[] = [];
  for (let at: Node | null = node; at?.entry; at = at.parent) entries.push(at.entry);
  const { program, name, startedAt } = node.root;
  const run = new Run(program, name, startedAt);
  await quiet();
  for (const entry of entries.reverse()) await run.answer(entry);
  return run;
}
