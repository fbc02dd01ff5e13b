import { setTimeout as delay } from 'node:timers/promises';

/** Time as the interpreter sees it, so that tests can use virtual time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The longest delay that a Node timer takes; longer sleeps are taken in parts. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    const end = Date.now() + ms;
    for (let left = ms; left > 0; left = end - Date.now()) {
      await delay(Math.min(left, LONGEST_TIMER_MS), undefined, { signal });
    }
    signal.throwIfAborted();
  },
};
