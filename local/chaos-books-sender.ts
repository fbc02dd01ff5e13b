import { operationIdentity } from '../functions/domain/action.ts';
import { STAGE_NUMBERS } from '../functions/domain/stage-numbers.ts';
import type { BookedLead, Imbalance } from './chaos-books.ts';
import { hasId } from './chaos-books-effects.ts';
import { actionOf } from './chaos-books-ledger.ts';
import type { InspectedContact, InspectedEmail, Inspection } from './chaos-sandbox.ts';

const { claimDeadlineMs, httpTimeoutMs, landingBoundMs, readLagMs } = STAGE_NUMBERS.local;

/** From the owner's read between claim and send, at most so much passes until the message is accepted. */
const READ_TO_ACCEPTED_MS = claimDeadlineMs + httpTimeoutMs + landingBoundMs;

/**
 * Introductions in the name of somebody who was not the owner when they were accepted, or to somebody who had opted out. What
 * changed after the read right before the send cannot be prevented, and stands.
 */
export function senderImbalances(
  { record, lead, optedOutAt }: BookedLead,
  inspection: Inspection,
): Imbalance[] {
  if (!record) return [];
  const { recordId } = actionOf(record, 'upsert-contact').evidence ?? {};
  const contact = inspection.contacts.find((one) => hasId(one, recordId));
  const identity = operationIdentity(record.handoff, 'send-introduction');
  return inspection.emails
    .filter(({ key }) => key === identity || key?.startsWith(`${identity}/r`))
    .flatMap((email): Imbalance[] => {
      const acceptedAt = Date.parse(email.acceptedAt);
      const found: Imbalance[] = [];
      const report = (kind: Imbalance['kind'], detail: string) =>
        found.push({ leadRequestId: lead.leadRequestId, kind, detail });
      if (optedOutAt !== null && acceptedAt > optedOutAt + READ_TO_ACCEPTED_MS + readLagMs) {
        report(
          'sent-after-opt-out',
          `opted out at ${new Date(optedOutAt).toISOString()}, accepted at ${email.acceptedAt}`,
        );
      }
      const sender = ownerIdOf(email, inspection);
      if (contact && !wasOwner(sender, contact, acceptedAt, inspection)) {
        report(
          'sent-by-former-owner',
          `${email.from} was not the owner when it was accepted at ${email.acceptedAt}`,
        );
      }
      return found;
    });
}

function ownerIdOf({ from }: InspectedEmail, { settings }: Inspection): string | null {
  return settings.owners.find(({ email }) => from.includes(`<${email}>`))?.id ?? null;
}

function wasOwner(
  sender: string | null,
  contact: InspectedContact,
  acceptedAt: number,
  { requests, requestsDropped }: Inspection,
): boolean {
  if (ownersBetween(contact, acceptedAt, acceptedAt).has(sender)) return true;
  const earliest = acceptedAt - READ_TO_ACCEPTED_MS;
  const isForgotten = requestsDropped > 0 && Date.parse(requests[0]?.at ?? '') > earliest;
  return (
    isForgotten ||
    requests.some(({ at, operation, status, path }) => {
      const readAt = Date.parse(at);
      if (operation !== 'read-contact' || status !== 200 || readAt < earliest || readAt > acceptedAt)
        return false;
      if (!hasId(contact, path.slice(path.lastIndexOf('/') + 1))) return false;
      return ownersBetween(contact, readAt - readLagMs, readAt).has(sender);
    })
  );
}

/** Everybody who was the owner at some moment of the span; null stands for nobody. */
function ownersBetween({ ownerHistory }: InspectedContact, from: number, to: number): Set<string | null> {
  const owners = new Set<string | null>();
  for (const { value, timestamp } of ownerHistory) {
    const since = Date.parse(timestamp);
    if (since > to) continue;
    owners.add(value || null);
    if (since <= from) return owners;
  }
  return owners.add(null);
}
