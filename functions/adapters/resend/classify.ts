import * as v from 'valibot';
import type { Outcome } from '../../domain/outcome.ts';
import type { HttpAnswer } from '../http/effect-aware-client.ts';
import { parsed } from '../http/json.ts';
import { rateLimited } from '../http/write-once.ts';
import { RESEND } from './contract.ts';

const accepted = v.object({ id: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)) });
const problem = v.object({ name: v.string(), message: v.optional(v.string(), '') });

/** Resend's error names whose meaning a person can act on, as reasons. */
const REASON_OF: Readonly<Record<string, string>> = {
  missing_api_key: 'credentials',
  restricted_api_key: 'credentials',
  invalid_api_key: 'credentials',
  invalid_api_Key: 'credentials',
  invalid_idempotency_key: 'invalid-idempotency-key',
  invalid_from_address: 'invalid-from-address',
  invalid_access: 'invalid-access',
  invalid_parameter: 'invalid-parameter',
  invalid_region: 'invalid-region',
  invalid_attachment: 'invalid-attachment',
  missing_required_field: 'missing-required-field',
  validation_error: 'validation-error',
  not_found: 'not-found',
  method_not_allowed: 'method-not-allowed',
  security_error: 'security-error',
};

const QUOTA_OF: Readonly<Record<string, string>> = {
  daily_quota_exceeded: 'daily-quota-exceeded',
  monthly_quota_exceeded: 'monthly-quota-exceeded',
};

const KEY_CONFLICT_OF: Readonly<Record<string, string>> = {
  invalid_idempotent_request: 'key-used-with-other-bytes',
  concurrent_idempotent_requests: 'same-key-in-flight',
};

/**
 * What Resend's answer to a send means.
 *
 * `performed` for a 200 that names the email. `not-applied` (429): `rate-limited`, `daily-quota-exceeded`,
 * `monthly-quota-exceeded`. `unknown`: `key-used-with-other-bytes`, `same-key-in-flight` (409), `unparsable` (a success we cannot
 * read), `status-<n>` for everything else. `refused`: `credentials`, `sender-not-verified` (403), one of Resend's error names with
 * dashes, or `status-<n>` for the other 4xx.
 *
 * @see https://resend.com/docs/api-reference/errors
 */
export function classify(answer: HttpAnswer, now: number): Outcome {
  const { status } = answer;
  if (status === 200 || status === 201) return success(answer, now);
  const error = parsed(problem, answer.text);
  const name = error?.name ?? '';
  if (status === 429) return rateLimited(answer, QUOTA_OF[name] ?? 'rate-limited', now);
  if (status === 409) return { outcome: 'unknown', reason: KEY_CONFLICT_OF[name] ?? 'status-409' };
  if (status < 400 || status >= 500 || UNDECIDED.has(status)) {
    return { outcome: 'unknown', reason: `status-${status}` };
  }
  return { outcome: 'refused', reason: refusal(status, name, error?.message ?? '') };
}

/** Timed out, too early: nothing in these says that the request was not carried out. */
const UNDECIDED = new Set([408, 423, 425]);

function success(answer: HttpAnswer, now: number): Outcome {
  const email = parsed(accepted, answer.text);
  if (!email) return { outcome: 'unknown', reason: 'unparsable' };
  return {
    outcome: 'performed',
    evidence: {
      kind: 'receipt',
      destination: RESEND,
      recordId: email.id,
      readAt: now,
      facts: { status: answer.status },
    },
  };
}

/** `validation_error` is also the name of a wrong key and of an unverified sender domain; the status and message tell. */
function refusal(status: number, name: string, message: string): string {
  if (status === 401 || (name === 'validation_error' && /\bapi key\b/i.test(message))) return 'credentials';
  if (status === 403 && name === 'validation_error') return 'sender-not-verified';
  return REASON_OF[name] ?? `status-${status}`;
}
