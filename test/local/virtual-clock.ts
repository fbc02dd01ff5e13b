import { setImmediate as macrotask } from 'node:timers/promises';
import type { Clock } from '../../local/interpreter/clock.ts';

interface Timer {
  at: number;
  wake: () => void;
}

/**
 * A clock whose time only moves when a test says so. Between two moves everything that can happen without
 * time passing happens first, so a test never sleeps and never races.
 */
export class VirtualClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  constructor(now = Date.parse('2026-01-01T00:00:00Z')) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const timer: Timer = { at: this.#now + Math.max(0, ms), wake: resolve };
      this.#timers.add(timer);
      const abort = () => {
        this.#timers.delete(timer);
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** Lets everything happen that needs no time. */
  async settle(): Promise<void> {
    await macrotask();
    await macrotask();
  }

  /** Moves time by `ms`, stopping at every timer on the way. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await this.settle();
    while (this.#nextTimer() <= end) await this.#step();
    this.#now = end;
    await this.settle();
  }

  /** Moves time from timer to timer until the promise settles. Throws when nothing is left to wait for. */
  async runUntil<Value>(promise: Promise<Value>): Promise<Value> {
    let open = true;
    const close = () => {
      open = false;
    };
    promise.then(close, close);
    await this.settle();
    while (open) {
      if (this.#timers.size === 0) throw new Error('Nothing is left that could settle the promise.');
      await this.#step();
    }
    return await promise;
  }

  #nextTimer(): number {
    return Math.min(...[...this.#timers].map(({ at }) => at));
  }

  async #step(): Promise<void> {
    this.#now = Math.max(this.#now, this.#nextTimer());
    for (const timer of this.#timers) {
      if (timer.at > this.#now) continue;
      this.#timers.delete(timer);
      timer.wake();
    }
    await this.settle();
  }
}
