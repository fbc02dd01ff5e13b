import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Handoff } from './handoff.ts';
import type { RouteSettings } from './route.ts';

const HOUR = 3_600_000;

/** Why a handoff waits whose person has another handoff. */
export const SAME_PERSON = 'same-person';

/**
 * What becomes of a lead request of a person who sent another one, under another id, a short time before.
 *
 * `ask`: it waits until the recovery owner lets it go on. `join`: it is closed at once, and points to the other one. `allow`: both
 * are handed off.
 */
export const samePersonSchema = v.strictObject({
  policy: v.picklist(['ask', 'join', 'allow']),
  /** How far apart two requests of one person must be to have nothing to do with each other; `allow` does not look at it. */
  windowHours: v.pipe(v.number(), v.minValue(0.01), v.maxValue(8_760)),
});

export type SamePerson = Readonly<v.InferOutput<typeof samePersonSchema>>;

/** The last handoff of a person on a route. */
export interface PersonsHandoff {
  readonly leadRequestId: string;
  /** When that lead request was accepted, epoch milliseconds. */
  readonly acceptedAt: number;
}

function windowMs({ windowHours }: SamePerson): number {
  return windowHours * HOUR;
}

/** How long a handoff that came in at that time is its person's last one, and how long that is kept: epoch milliseconds. */
export function personTimes(
  at: number,
  { samePerson, retentionDays }: Pick<RouteSettings, 'samePerson' | 'retentionDays'>,
): { readonly windowMs: number; readonly expiresAt: number } {
  const window = windowMs(samePerson);
  return { windowMs: window, expiresAt: at + Math.max(window, retentionDays * 24 * HOUR) };
}

/**
 * A person's key in the ledger: a hash of the address as the CRM tells people apart. HubSpot compares addresses in lower case and
 * takes dots and plus tags for what they are, so `jo.lind@` and `jolind@` are two people
 * (https://knowledge.hubspot.com/records/deduplication-of-records).
 */
export function personKey(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
}

/**
 * The other handoff that stands in the way of this one; null where none does. Compared are the times at which the requests were
 * accepted and not the clock's, so that a request gets the same answer whenever it is delivered again.
 */
export function rivalOf(
  handoff: Pick<Handoff, 'leadRequestId' | 'acceptedAt'>,
  last: PersonsHandoff,
  samePerson: SamePerson,
): PersonsHandoff | null {
  const mine = last.leadRequestId === handoff.leadRequestId;
  const apart = Math.abs(last.acceptedAt - handoff.acceptedAt) >= windowMs(samePerson);
  return mine || apart ? null : last;
}
