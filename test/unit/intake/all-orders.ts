import { setImmediate as settled } from 'node:timers/promises';

/** What becomes of a request: it is answered, or whoever makes it dies before it takes effect, or before its answer arrives. */
export type Fate = 'answered' | 'dies before' | 'dies after';

/** Who makes the next request, and what becomes of it. */
export interface Turn {
  readonly who: string;
  readonly fate: Fate;
}

/** Its process died here: nothing of it happens any more. */
class Died extends Error {
  override readonly name = 'Died';
}

/** Gives each of several processes its port requests one at a time, in the order that is asked for. */
export class Turns {
  readonly #waiting = new Map<string, (fate: Fate) => void>();

  /** The same port for one process; each of its requests waits for its turn. */
  port<P extends object>(who: string, port: P): P {
    return new Proxy(port, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return async (...given: unknown[]) => {
          const fate = await new Promise<Fate>((go) => this.#waiting.set(who, go));
          if (fate === 'dies before') throw new Died(String(name));
          const answer = await Reflect.apply(value, target, given);
          if (fate === 'dies after') throw new Died(String(name));
          return answer;
        };
      },
    });
  }

  /** Takes the turns of `path` and then the first that is possible, until nobody waits; returns the choices that there were. */
  async take(path: readonly Turn[], deaths: number): Promise<readonly (readonly Turn[])[]> {
    const choices: (readonly Turn[])[] = [];
    let left = deaths;
    for (;;) {
      await settled();
      const names = [...this.#waiting.keys()].sort();
      if (names.length === 0) return choices;
      const fates: readonly Fate[] = left > 0 ? ['answered', 'dies before', 'dies after'] : ['answered'];
      const possible = names.flatMap((who) => fates.map((fate) => ({ who, fate })));
      const turn = path[choices.length] ?? (possible[0] as Turn);
      choices.push(possible);
      const go = this.#waiting.get(turn.who);
      this.#waiting.delete(turn.who);
      if (turn.fate !== 'answered') left -= 1;
      go?.(turn.fate);
    }
  }
}

/**
 * Plays a story in every order in which its processes can take their turns, with up to `deaths` of them dying at any of their
 * requests.
 *
 * @param play makes a new world, starts its processes with ports of `turns`, and checks it once `taken` is over
 * @returns how many orders there are
 */
export async function inAllOrders(
  deaths: number,
  play: (turns: Turns, taken: (path?: readonly Turn[]) => Promise<void>) => Promise<void>,
): Promise<number> {
  const paths: (readonly Turn[])[] = [[]];
  let orders = 0;
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    const turns = new Turns();
    const given = path;
    await play(turns, async () => {
      const choices = await turns.take(given, deaths);
      orders += 1;
      // The branches of this path: another choice at each turn that was not given.
      for (let i = given.length; i < choices.length; i++) {
        const before = choices.slice(given.length, i).map((possible) => possible[0] as Turn);
        for (const other of (choices[i] ?? []).slice(1)) paths.push([...given, ...before, other]);
      }
    });
  }
  return orders;
}
