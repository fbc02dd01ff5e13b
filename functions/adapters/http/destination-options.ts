import type { Clock } from '../../ports/clock.ts';

/** How a destination is reached. */
export interface DestinationOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: () => Promise<string>;
  /** Milliseconds: for the one request of a write; for all requests of a read together. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** The credential was not there in time. */
export class TokenTimeout extends Error {
  override readonly name = 'TokenTimeout';
}

/**
 * The bearer token, waited for no longer than `ms`.
 *
 * @throws TokenTimeout, and whatever the token function throws.
 */
export async function tokenWithin(token: () => Promise<string>, ms: number): Promise<string> {
  const tooLate = new TokenTimeout('The credential took too long.');
  if (!(ms > 0)) throw tooLate;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(tooLate), ms);
  try {
    return await Promise.race([token(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
