import type { Clock, Ids } from '../../functions/ports/clock.ts';

/** Monday, 5 January 2026, 12:00 UTC. */
export const START = 1_767_614_400_000;

/** A clock that stands still until the test moves it. */
export class FakeClock {
  #now = START;

  readonly now: Clock = () => this.#now;

  advance(ms: number): void {
    this.#now += ms;
  }
}

/** `id-1`, `id-2`, … in the order in which they were asked for. */
export function countedIds(prefix = 'id'): Ids {
  let count = 0;
  return () => `${prefix}-${++count}`;
}
