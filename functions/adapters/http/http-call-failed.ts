/** What was being done when an HTTP call failed. `response` waits for the headers, `body` reads what follows them. */
export type Phase = 'resolve' | 'connect' | 'tls' | 'send' | 'response' | 'body';

const WORDS: Readonly<Record<Phase, string>> = {
  resolve: 'resolving the name',
  connect: 'connecting',
  tls: 'securing the connection',
  send: 'sending the request',
  response: 'waiting for the answer',
  body: 'reading the answer',
};

/** The deadline of the call passed. */
export const DEADLINE = 'DEADLINE';
/** The peer closed before the answer was whole. */
export const CLOSED = 'CLOSED';
/** The answer is longer than we read. */
export const TOO_LARGE = 'TOO_LARGE';

/**
 * An HTTP call without a whole answer.
 *
 * `requestLeft` is false only when provably no byte of the request left this process; then the receiver cannot have acted on it.
 * `code` is Node's error code (`ECONNREFUSED`, `ENOTFOUND`, …) or one of the three above. The message holds the method, the
 * label, the phase and the code: never a host, a query, a header or a body.
 */
export class HttpCallFailed extends Error {
  override readonly name = 'HttpCallFailed';
  readonly phase: Phase;
  readonly code: string;
  readonly requestLeft: boolean;

  constructor(call: { method: string; label: string }, phase: Phase, code: string, requestLeft: boolean) {
    super(`${call.method} ${call.label} failed while ${WORDS[phase]} (${code}).`);
    this.phase = phase;
    this.code = code;
    this.requestLeft = requestLeft;
  }
}
