import { availableParallelism, loadavg } from 'node:os';
import type { Deed } from './chaos-schedule.ts';

/*
 * A machine that is busy with other things hands fewer leads off. Chaos then does less as well: otherwise what kills, restarts and
 * cold starts do to the few leads is starvation, and nothing is learnt from it.
 */

const OPEN_AT_ONCE = 8;
const OPEN_WHEN_BUSY = 4;
const BUSY_LOAD_PER_CORE = 3;
const ONE_IN_WHEN_BUSY = 3;

/** Deeds that cost processor time of function processes: cold starts above all. */
const COSTLY: readonly Deed['do'][] = [
  'again',
  'deliver',
  'freeze',
  'kill-engine',
  'kill-function',
  'strike',
];

export function isBusy(load = loadavg()[0] ?? 0, cores = availableParallelism()): boolean {
  return load / cores > BUSY_LOAD_PER_CORE;
}

/** Handoffs that may be under way at the same time. */
export function mostOpen(busy = isBusy()): number {
  return busy ? OPEN_WHEN_BUSY : OPEN_AT_ONCE;
}

/** Leaves two of three costly deeds of a kind out while the machine is busy; the first of each kind is always done. */
export class Pace {
  readonly #met = new Map<Deed['do'], number>();

  allows({ do: kind }: Deed, busy = isBusy()): boolean {
    if (!busy || !COSTLY.includes(kind)) return true;
    const met = this.#met.get(kind) ?? 0;
    this.#met.set(kind, met + 1);
    return met % ONE_IN_WHEN_BUSY === 0;
  }
}
