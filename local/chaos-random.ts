/** Numbers that a seed repeats. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly [T, ...T[]]): T;
}

/**
 * Mulberry32. `stream` separates what one seed is used for, so that drawing more of one kind changes no other.
 *
 * @see https://gist.github.com/tommyettinger/46a874533244883189143505d203312c
 */
export function seeded(seed: number, stream: string): Random {
  let state = [...stream].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), seed);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    whole,
    chance: (probability) => next() < probability,
    pick: (values) => values[whole(0, values.length - 1)] ?? values[0],
  };
}
