import { createHash } from 'node:crypto';
import type { Call } from './call.ts';
import { ResendRefusal } from './resend-errors.ts';
import type { RememberedKey, SandboxState } from './state.ts';

/**
 * Idempotency keys.
 * https://resend.com/docs/dashboard/emails/idempotency-keys
 */

/** The key of a request; null without the header. Throws `ResendRefusal` (400) when it has a wrong length. */
export function keyOf(call: Pick<Call, 'headers'>): string | null {
  const key = call.headers['idempotency-key'];
  if (key === undefined) return null;
  if (key.length < 1 || key.length > 256) {
    throw new ResendRefusal(400, 'invalid_idempotency_key', 'The key must be between 1-256 chars.');
  }
  return key;
}

/**
 * The id of the message that an earlier request with this key and payload sent; null when there is none yet. Throws
 * `ResendRefusal` (409) for another payload, or while that request is in progress.
 */
export function earlierEmailId(call: Call, key: string): string | null {
  forgetOldKeys(call.state, call.now);
  const known = call.state.keys.get(key);
  if (!known) return null;
  if (known.payloadHash !== hashOf(call.rawBody)) {
    throw new ResendRefusal(
      409,
      'invalid_idempotent_request',
      'Same idempotency key used with a different request payload.',
    );
  }
  if (known.inFlightUntil > call.now) {
    throw new ResendRefusal(
      409,
      'concurrent_idempotent_requests',
      'Same idempotency key used while original request is still in progress.',
    );
  }
  return known.emailId;
}

export function rememberKey(call: Call, key: string, emailId: string): void {
  call.state.keys.set(key, { ...remembered(call), emailId });
}

/** Marks the request's key as in progress up to a time (epoch milliseconds). */
export function holdKey(call: Call, until: number): void {
  const key = call.headers['idempotency-key'];
  if (!key) return;
  const known = call.state.keys.get(key);
  if (known) known.inFlightUntil = until;
  else call.state.keys.set(key, { ...remembered(call), inFlightUntil: until });
}

function remembered(call: Call): RememberedKey {
  return { payloadHash: hashOf(call.rawBody), at: call.now, inFlightUntil: call.now, emailId: null };
}

function forgetOldKeys(state: SandboxState, now: number): void {
  for (const [key, { at, inFlightUntil }] of state.keys) {
    if (at + state.settings.keyWindowMs <= now && inFlightUntil <= now) state.keys.delete(key);
  }
}

function hashOf(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}
