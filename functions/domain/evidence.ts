/**
 * What the destination itself says about an effect.
 *
 * `receipt`: its success answer naming the record. `record`: read back. `attested`: a person's word.
 * `facts` are codes, ids and numbers; never the lead's name, email, company or phone.
 */
export interface Evidence {
  readonly kind: 'receipt' | 'record' | 'attested';
  readonly destination: string;
  readonly recordId: string | null;
  /** When the destination said so, epoch milliseconds of our clock. */
  readonly readAt: number;
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
}
