import type { LeadRequest } from './lead-request.ts';

const PERSONAL: readonly (keyof LeadRequest)[] = [
  'email',
  'firstName',
  'lastName',
  'company',
  'phone',
  'message',
];

/** The values of a lead that may never appear outside the ledger and the destinations. */
export function personalValues(lead: LeadRequest): string[] {
  return PERSONAL.flatMap((field) => lead[field] ?? []);
}

/** A person's address as it may be shown to someone who must recognise it: first letter and domain. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '…' : `${email.slice(0, 1)}…${email.slice(at)}`;
}
