/** Words of 32 bits that name something: 128 bits of a SHA-256, which no two of anybody's rows have in common. */
const KEY = 4;

/**
 * A set of hashes, each with a few numbers. It lies in one array of numbers, so that a hundred thousand rows take a few megabytes
 * and are nothing for the garbage collector to look at.
 */
export class Fingerprints {
  readonly #numbers: number;
  #slots: Uint32Array<ArrayBuffer>;
  #capacity: number;
  #size = 0;

  /** @param numbers how many numbers stand with each hash */
  constructor(numbers = 0) {
    this.#numbers = numbers;
    this.#capacity = 1024;
    this.#slots = new Uint32Array(this.#capacity * this.#width);
  }

  get size(): number {
    return this.#size;
  }

  /** @param hash in hex, 32 digits at least */
  has(hash: string): boolean {
    return this.#isTaken(this.#slotOf(wordsOf(hash)));
  }

  /**
   * Adds a hash with its numbers, unless it is there.
   *
   * @returns the numbers of the one that stands; undefined where it was not there
   */
  add(hash: string, numbers: readonly number[] = []): number[] | undefined {
    if (this.#size * 2 >= this.#capacity) this.#grow();
    const words = wordsOf(hash);
    const slot = this.#slotOf(words);
    const start = slot + KEY + 1;
    if (this.#isTaken(slot)) return [...this.#slots.subarray(start, start + this.#numbers)];
    this.#slots.set([1, ...words, ...numbers], slot);
    this.#size += 1;
    return undefined;
  }

  /** One word says whether a slot is taken: a hash may be all zeros. */
  get #width(): number {
    return 1 + KEY + this.#numbers;
  }

  #isTaken(slot: number): boolean {
    return this.#slots[slot] === 1;
  }

  /** Where the hash is, or where it belongs: at most half of the slots are taken, so there is a free one. */
  #slotOf(words: readonly number[]): number {
    for (let i = (words[0] ?? 0) % this.#capacity; ; i = (i + 1) % this.#capacity) {
      const slot = i * this.#width;
      if (!this.#isTaken(slot) || words.every((word, at) => this.#slots[slot + 1 + at] === word)) return slot;
    }
  }

  #grow(): void {
    const before = this.#slots;
    this.#capacity *= 2;
    this.#slots = new Uint32Array(this.#capacity * this.#width);
    for (let slot = 0; slot < before.length; slot += this.#width) {
      if (before[slot] !== 1) continue;
      const entry = before.subarray(slot, slot + this.#width);
      this.#slots.set(entry, this.#slotOf([...entry.subarray(1, 1 + KEY)]));
    }
  }
}

function wordsOf(hash: string): number[] {
  return Array.from({ length: KEY }, (_, i) => Number.parseInt(hash.slice(8 * i, 8 * i + 8), 16));
}
