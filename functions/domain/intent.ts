import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { LeadRequest } from './lead-request.ts';

/** SHA-256 over canonical JSON (RFC 8785: keys in code-unit order), in hex. */
export function canonicalHash(value: unknown): string {
  const canonical = canonicalize(value);
  if (canonical === undefined) throw new TypeError('Only JSON values can be hashed.');
  return createHash('sha256').update(canonical).digest('hex');
}

/**
 * What a lead request asks for. Two requests with one hash ask for the same four actions: key order, Unicode form, outer
 * blanks and the case of the email make no difference. The route's template and settings are not part of it.
 */
export function intentHash(lead: LeadRequest): string {
  return canonicalHash({ intent: 1, lead });
}
