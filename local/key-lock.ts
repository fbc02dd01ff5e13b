/** Runs work one after the other per key, and work on different keys side by side. */
export class KeyLock {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Waits for everything that was asked earlier for any of `keys`, then runs `work`. */
  run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const unique = [...new Set(keys)];
    const before = unique.map((key) => this.#tails.get(key));
    const result = Promise.all(before).then(work);
    const tail = result.catch(() => undefined);
    for (const key of unique) this.#tails.set(key, tail);
    void tail.then(() => {
      for (const key of unique) if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    return result;
  }
}
