import { Chance } from '../random-world.ts';
import { isSafe } from './checks.ts';
import type { Model } from './model.ts';
import type { Move } from './moves.ts';
import type { Counterexample } from './search.ts';
import { Violation } from './violation.ts';

/** The longest walk: long enough for several attempts, questions and decisions. */
const MAX_STEPS = 400;

/** How often the next step is one with which nothing goes wrong: otherwise all misfortune is over before the work has begun. */
const ORDINARY = 0.9;

/** How often a request to the destination, when there is one, meets a fate. */
const FATES = 0.4;

export interface Walked {
  readonly steps: readonly string[];
  /** The numbers of the moves taken: equal ones are one schedule. */
  readonly schedule: string;
  readonly counterexample: Counterexample | null;
}

function chosen(moves: readonly Move[], chance: Chance): Move {
  const fates = moves.filter(({ fate }) => fate);
  if (fates.length > 0 && chance.happens(FATES)) return chance.of(fates);
  const ordinary = moves.filter((move) => move.ordinary);
  return chance.of(ordinary.length > 0 && chance.happens(ORDINARY) ? ordinary : moves);
}

/** Walks one schedule at random; the same seed walks the same one. */
export async function walk(model: Model, seed: number): Promise<Walked> {
  const chance = new Chance(seed);
  const steps: string[] = [];
  const taken: number[] = [];
  const broken = (error: unknown): Walked => {
    if (!(error instanceof Violation)) throw error;
    const { invariant, message } = error;
    return { steps, schedule: taken.join(), counterexample: { invariant, message, steps } };
  };
  let world = await model.first();
  while (steps.length < MAX_STEPS) {
    const moves = model.moves(world);
    if (moves.length === 0) break;
    const move = chosen(moves, chance);
    const index = moves.indexOf(move);
    steps.push(move.words);
    taken.push(index);
    try {
      world = await model.after(world, move);
    } catch (error) {
      return broken(error);
    }
  }
  if (model.moves(world).length > 0 || isSafe(world)) {
    return { steps, schedule: taken.join(), counterexample: null };
  }
  return broken(new Violation('I10', 'nothing can happen any more, and nobody is asked: the lead is lost'));
}
