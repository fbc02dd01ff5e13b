import type { NotApplied, Unknown } from '../../domain/outcome.ts';
import type { WriteCall } from '../../ports/contacts.ts';
import { type DestinationOptions, TokenTimeout, tokenWithin } from './destination-options.ts';
import { callOnce, type HttpAnswer } from './effect-aware-client.ts';
import { failureCode } from './failure-code.ts';
import { HttpCallFailed } from './http-call-failed.ts';
import { retryAfterMs } from './retry-after.ts';

/** The one request of a write. */
export interface WriteRequest {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly label: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Either the receiver answered, or the attempt already knows what it can say of itself. */
export type Written = { readonly answer: HttpAnswer } | { readonly outcome: NotApplied | Unknown };

/**
 * Sends the one request of a write within `options.timeoutMs` and `call.deadline`, whichever ends first. Never throws.
 *
 * Without an answer: `not-applied` where no byte left (`deadline-passed`, `secret-unavailable`, `resolve-failed`,
 * `connect-refused`, `connect-failed`, `connect-timeout`, `tls-failed`, `request-invalid`), else `unknown` (`timeout`,
 * `connection-reset`, `connection-failed`, `response-too-large`, `unparsable`).
 */
export async function writeOnce(
  options: DestinationOptions,
  call: WriteCall,
  request: WriteRequest,
): Promise<Written> {
  const timeLeft = () => Math.min(options.timeoutMs, call.deadline - options.clock());
  if (timeLeft() <= 0) return notSent('deadline-passed');
  let token: string;
  try {
    token = await tokenWithin(options.token, timeLeft());
  } catch (error) {
    return notSent(error instanceof TokenTimeout ? 'deadline-passed' : 'secret-unavailable');
  }
  const timeoutMs = timeLeft();
  if (timeoutMs <= 0) return notSent('deadline-passed');
  try {
    const answer = await callOnce({
      method: request.method,
      url: `${options.baseUrl}${request.path}`,
      label: request.label,
      headers: { ...request.headers, authorization: `Bearer ${token}` },
      body: request.body,
      timeoutMs,
    });
    return { answer };
  } catch (error) {
    const reason = failureCode(error);
    const left = !(error instanceof HttpCallFailed) || error.requestLeft;
    return left ? { outcome: { outcome: 'unknown', reason } } : notSent(reason);
  }
}

/** A 429: the receiver refused before it acted. */
export function rateLimited(answer: HttpAnswer, reason: string, now: number): NotApplied {
  const wait = retryAfterMs(answer.headers['retry-after'], now);
  return {
    outcome: 'not-applied',
    reason,
    requestLeft: true,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

function notSent(reason: string): Written {
  return { outcome: { outcome: 'not-applied', reason, requestLeft: false } };
}
