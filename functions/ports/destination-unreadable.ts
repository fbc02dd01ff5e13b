/**
 * A destination gave no usable answer to a read: timeout, refusal, an answer that cannot be understood. `code` says which;
 * it never holds personal data.
 */
export class DestinationUnreadable extends Error {
  override readonly name = 'DestinationUnreadable';
  readonly destination: string;
  readonly code: string;

  constructor(destination: string, code: string) {
    super(`${destination} could not be read (${code}).`);
    this.destination = destination;
    this.code = code;
  }
}
