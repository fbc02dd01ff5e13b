/** A promise of the design that a schedule breaks. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly invariant: string;

  constructor(invariant: string, what: string) {
    super(`${invariant}: ${what}`);
    this.invariant = invariant;
  }
}

/** @throws Violation where a promise does not hold */
export function demand(holds: boolean, invariant: string, what: string): void {
  if (!holds) throw new Violation(invariant, what);
}
