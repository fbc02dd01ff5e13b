/**
 * Small numbers for values: equal values have equal numbers. Worlds share most of their parts, so a part is written out once and
 * recognised by its object afterwards.
 */
export class ValueIds {
  readonly #byObject = new WeakMap<object, number>();
  readonly #byText = new Map<string, number>();

  of(value: unknown): number {
    if (value === null || typeof value !== 'object')
      return this.#ofText(JSON.stringify(value) ?? 'undefined');
    const known = this.#byObject.get(value);
    if (known !== undefined) return known;
    const id = this.#ofText(JSON.stringify(value));
    this.#byObject.set(value, id);
    return id;
  }

  #ofText(text: string): number {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const id = this.#byText.size;
    this.#byText.set(text, id);
    return id;
  }
}
