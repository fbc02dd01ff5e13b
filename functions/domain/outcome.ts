import type { Evidence } from './evidence.ts';

/**
 * What an attempt can say of itself.
 *
 * `requestLeft` tells whether any byte of the request may have reached the destination; an operation whose requests never
 * left may be frozen again. `reason` is a code, never free text and never personal data.
 */
export type Outcome = Performed | NotApplied | Unknown | Refused;

export interface Performed {
  readonly outcome: 'performed';
  readonly evidence: Evidence;
}

export interface NotApplied {
  readonly outcome: 'not-applied';
  readonly reason: string;
  readonly requestLeft: boolean;
  /** The destination's own Retry-After, in milliseconds. */
  readonly retryAfterMs?: number;
}

export interface Unknown {
  readonly outcome: 'unknown';
  readonly reason: string;
}

export interface Refused {
  readonly outcome: 'refused';
  readonly reason: string;
}

export type OutcomeName = Outcome['outcome'];
