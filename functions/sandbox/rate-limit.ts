import type { Vendor } from './routes.ts';
import type { RateLimitSetting } from './settings.ts';

export interface RateDecision {
  readonly allowed: boolean;
  readonly limit: RateLimitSetting;
  readonly remaining: number;
  /** Seconds, at least 1, until a request will be allowed again. */
  readonly resetSeconds: number;
}

/** Counts a request in a rolling window. `recent` holds the times of the requests that were let through, oldest first. */
export function countRequest(recent: number[], limit: RateLimitSetting, now: number): RateDecision {
  while (recent[0] !== undefined && recent[0] <= now - limit.perMs) recent.shift();
  const allowed = recent.length < limit.requests;
  if (allowed) recent.push(now);
  const freeAt = (recent[0] ?? now) + limit.perMs;
  return {
    allowed,
    limit,
    remaining: limit.requests - recent.length,
    resetSeconds: Math.max(1, Math.ceil((freeAt - now) / 1000)),
  };
}

/**
 * The headers that tell a client about the limit.
 * https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines,
 * https://resend.com/docs/api-reference/introduction
 */
export function rateHeaders(vendor: Vendor, decision: RateDecision): Record<string, string> {
  const { limit, remaining, resetSeconds } = decision;
  const headers: Record<string, string> =
    vendor === 'hubspot'
      ? {
          'x-hubspot-ratelimit-max': String(limit.requests),
          'x-hubspot-ratelimit-remaining': String(remaining),
          'x-hubspot-ratelimit-interval-milliseconds': String(limit.perMs),
        }
      : {
          'ratelimit-limit': String(limit.requests),
          'ratelimit-remaining': String(remaining),
          'ratelimit-reset': String(resetSeconds),
        };
  if (!decision.allowed) headers['retry-after'] = String(resetSeconds);
  return headers;
}
