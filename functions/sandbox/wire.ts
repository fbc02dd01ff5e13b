/** What the sandbox's core and its two fronts (a local server, a Lambda function URL) say to each other. */

export interface SandboxRequest {
  readonly method: string;
  /** Path and query as they came over the wire, still percent-encoded: `/resend/emails?limit=2`. */
  readonly target: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** How a front has to put an answer on the wire. Times are in milliseconds. */
export type Delivery =
  | { readonly kind: 'answer' }
  /** The answer, but only after the delay. */
  | { readonly kind: 'answer-late'; readonly delayMs: number }
  /** Status and headers at once; the body trickles and is complete after the delay. */
  | { readonly kind: 'trickle'; readonly delayMs: number }
  /** Close the connection without a byte of an answer. */
  | { readonly kind: 'drop' }
  /** Never answer; leave the connection open. */
  | { readonly kind: 'hang' };

export interface SandboxResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly delivery: Delivery;
  /** For a front's own log; ids and codes only, no personal data. */
  readonly about: { readonly operation: string | null; readonly fault: string | null };
}

/** What a route answers, before it becomes bytes. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Becomes JSON; left out for an empty body. */
  readonly body?: unknown;
  /** True where the body is text to be sent as it stands. */
  readonly raw?: boolean;
  /** True where the request changed something at the destination. */
  readonly applied: boolean;
}

/** Epoch milliseconds. */
export type Clock = () => number;

/** A new UUID at every call. */
export type Ids = () => string;

export const ANSWER: Delivery = { kind: 'answer' };

/** A read's answer. */
export function ok(body: unknown): Answer {
  return { status: 200, body, applied: false };
}
