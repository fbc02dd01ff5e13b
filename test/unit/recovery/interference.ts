import type { Scheduler } from 'fast-check';

/** Its process died here: nothing of it happens any more. */
export class Died extends Error {
  override readonly name = 'Died';
}

/** Every request waits for its turn, before it takes effect and before its answer arrives; some never come to their end. */
export class Interference {
  readonly #scheduler: Scheduler;
  readonly #deaths: ReadonlySet<number>;
  #steps = 0;

  /** @param deaths the steps at which whoever waits there dies */
  constructor(scheduler: Scheduler, deaths: readonly number[]) {
    this.#scheduler = scheduler;
    this.#deaths = new Set(deaths);
  }

  async around<T>(what: string, request: () => Promise<T>): Promise<T> {
    await this.#step(`before ${what}`);
    const answer = await request();
    await this.#step(`after ${what}`);
    return answer;
  }

  async #step(what: string): Promise<void> {
    const step = this.#steps++;
    await this.#scheduler.schedule(Promise.resolve(), `${step}: ${what}`);
    if (this.#deaths.has(step)) throw new Died(what);
  }
}

/** The same port, with each of its methods interfered with as long as there is interference. */
export function interfered<P extends object>(port: P, now: () => Interference | undefined): P {
  return new Proxy(port, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const request = () => Reflect.apply(value, target, given);
        return now()?.around(String(name), request) ?? request();
      };
    },
  });
}
