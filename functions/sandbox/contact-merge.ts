import { emailsOf } from './contact-store.ts';
import type { Contact } from './crm-record.ts';
import { readValue, setProperty } from './crm-record.ts';
import type { HistoryEntry } from './property-history.ts';
import { nextCrmId, type SandboxState } from './state.ts';

/**
 * Merges two contacts into a new record with a new id; both old ids lead to it from then on. The primary's current
 * values win, the other's fill its gaps, and both histories are kept.
 * https://developers.hubspot.com/changelog/updated-merge-functionality-for-contacts-and-companies
 */
export function mergeContacts(state: SandboxState, primary: Contact, other: Contact, at: number): Contact {
  const merged: Contact = {
    id: nextCrmId(state),
    createdAt: Math.min(primary.createdAt, other.createdAt),
    archivedAt: null,
    history: mergedHistory(primary, other),
    mergedInto: null,
    mergedIds: [primary, other].flatMap((contact) => [...contact.mergedIds, { id: contact.id, at }]),
    otherEmails: [],
  };
  const source = { sourceType: 'MERGE_CONTACTS', sourceId: '' } as const;
  for (const name of merged.history.keys()) {
    const kept = readValue(primary, name) ?? readValue(other, name) ?? '';
    setProperty(merged, name, kept, at, source);
  }
  const emails = [...new Set([...emailsOf(primary), ...emailsOf(other)])];
  merged.otherEmails.push(...emails.filter((email) => email !== readValue(merged, 'email')));
  state.contacts.set(merged.id, merged);
  for (const email of emails) state.contactIdByEmail.set(email, merged.id);
  for (const contact of [primary, other]) contact.mergedInto = merged.id;
  moveTasks(state, [primary.id, other.id], merged.id);
  return merged;
}

function mergedHistory(primary: Contact, other: Contact): Map<string, HistoryEntry[]> {
  const names = new Set([...primary.history.keys(), ...other.history.keys()]);
  const newestFirst = (a: HistoryEntry, b: HistoryEntry) => b.at - a.at;
  return new Map(
    [...names].map((name) => [
      name,
      [...(primary.history.get(name) ?? []), ...(other.history.get(name) ?? [])].sort(newestFirst),
    ]),
  );
}

function moveTasks(state: SandboxState, from: readonly string[], to: string): void {
  for (const task of state.tasks.values()) {
    if (!task.contactIds.some((id) => from.includes(id))) continue;
    task.contactIds = [...new Set(task.contactIds.map((id) => (from.includes(id) ? to : id)))];
  }
}
