/** What a destination promises about repeats. */
export type ContractKind =
  | 'idempotency-key'
  | 'natural-key'
  | 'conditional-write'
  | 'stamp-and-search'
  | 'none';

/** A receiver contract: declared once by its adapter, read by the guide, the docs and the tests. */
export interface ReceiverContract {
  readonly destination: string;
  readonly kind: ContractKind;
  /** How long the receiver recognises a key, in milliseconds; null where it has no keys. */
  readonly keyWindowMs: number | null;
  /** Subtracted from the key window before it is trusted, in milliseconds. */
  readonly keyWindowMarginMs: number;
  /** How long a request we gave up on may still take effect, in milliseconds. An assumption, stated in the docs. */
  readonly landingBoundMs: number;
  /** How long an effect may be invisible to our reads, in milliseconds. */
  readonly readLagMs: number;
  /** Set where the vendor has no read-only credential: the sentence that says so. */
  readonly readCredentialException?: string;
  /** The vendor's pages that these facts come from. */
  readonly sources: readonly string[];
}
