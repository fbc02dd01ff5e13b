/** One protection, the smallest edit that takes it away, and the test that must notice. */
export interface Mutant {
  /** Stable; `--only` takes it. */
  readonly id: string;
  /** What is protected: the invariant of DESIGN.md, and what would go wrong. */
  readonly protects: string;
  readonly file: string;
  /** Stands in the file exactly once, so that an entry that has gone stale is noticed. */
  readonly search: string;
  readonly replace: string;
  /** A test file, and where only one test of it is meant, its full name or a part of it. */
  readonly caughtBy: { readonly test: string; readonly name?: string };
}

/** The search text does not stand in the file exactly once: the code has moved on, and the entry must follow. */
export class StaleMutant extends Error {
  override readonly name = 'StaleMutant';
  constructor({ id, file }: Mutant, times: number) {
    super(`${id}: its search text stands ${times} times in ${file}, not once.`);
  }
}

/** @throws StaleMutant */
export function mutated(source: string, mutant: Mutant): string {
  const parts = source.split(mutant.search);
  if (parts.length !== 2) throw new StaleMutant(mutant, parts.length - 1);
  return parts.join(mutant.replace);
}
