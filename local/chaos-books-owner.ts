import type { LedgerRecord } from '../functions/domain/handoff.ts';
import type { AssignOwnerBody } from '../functions/domain/operation.ts';
import type { Books, Imbalance } from './chaos-books.ts';
import { hasId } from './chaos-books-effects.ts';
import { actionOf } from './chaos-books-ledger.ts';
import type { InspectedContact, OwnerEntry } from './chaos-sandbox.ts';

/** Owners that a person set and that a value of ours lies upon, in the CRM's own history. */
export function ownerImbalances({ leads, inspection }: Books): Imbalance[] {
  return inspection.contacts.flatMap((contact) => {
    const records = leads.flatMap(({ record }) => record ?? []).filter((record) => isAbout(record, contact));
    return overwrittenBy(contact)
      .filter((overwritten) => !records.some((record) => mayStand(overwritten, record, contact)))
      .map(
        ({ persons, ours }): Imbalance => ({
          leadRequestId: records[0]?.handoff.leadRequestId ?? null,
          kind: 'owner-overwritten',
          detail: `contact ${contact.id}: a person set ${persons.value || 'no owner'} at ${persons.timestamp}, and we wrote ${ours.value} over it at ${ours.timestamp}`,
        }),
      );
  });
}

interface Overwritten {
  readonly persons: OwnerEntry;
  readonly ours: OwnerEntry;
}

function overwrittenBy({ ownerHistory }: InspectedContact): Overwritten[] {
  return ownerHistory.flatMap((ours, i) => {
    const persons = ownerHistory[i + 1];
    return ours.sourceType === 'INTEGRATION' && persons?.sourceType === 'CRM_UI' ? [{ persons, ours }] : [];
  });
}

function isAbout(record: LedgerRecord, contact: InspectedContact): boolean {
  const { recordId } = actionOf(record, 'upsert-contact').evidence ?? {};
  return hasId(contact, recordId) || contact.email === record.handoff.lead.email;
}

/**
 * Three ways in which it is right: a person had cleared the owner before we looked; nobody can prevent it and we said so and ask; or
 * we ask, and a person has had the last word since. Who was asked may have decided meanwhile.
 */
function mayStand({ persons, ours }: Overwritten, record: LedgerRecord, contact: InspectedContact): boolean {
  if (persons.value === '' && wasSeenCleared(persons, record)) return true;
  const asks = record.waiting.some(
    ({ action, kind }) => (action === 'assign-owner' || action === 'handoff') && kind === 'ask',
  );
  if (!asks && !wasDecidedAfter(ours, record)) return false;
  if (actionOf(record, 'assign-owner').warnings.includes('possible-overwrite')) return true;
  const newest = contact.ownerHistory[0];
  return newest?.sourceType === 'CRM_UI' && newest.timestamp > ours.timestamp;
}

function wasDecidedAfter({ timestamp }: OwnerEntry, record: LedgerRecord): boolean {
  return actionOf(record, 'assign-owner').history.some(
    ({ event, at }) => event.startsWith('decided-') && at >= Date.parse(timestamp),
  );
}

function wasSeenCleared({ timestamp }: OwnerEntry, { operations }: LedgerRecord): boolean {
  return operations.some(({ action, body }) => {
    if (action !== 'assign-owner') return false;
    const { baseline } = body as AssignOwnerBody;
    return baseline.ownerId === null && (baseline.changedAt ?? 0) >= Date.parse(timestamp);
  });
}
