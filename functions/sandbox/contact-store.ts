import type { Contact } from './crm-record.ts';
import { existsAt, readValue, setProperty } from './crm-record.ts';
import type { Source } from './property-history.ts';
import { EVERYTHING } from './property-history.ts';
import { nextCrmId, type SandboxState } from './state.ts';

/** What can happen to a contact, whoever does it. The vendor's route and the control API both end here. */

export function createContact(
  state: SandboxState,
  properties: Readonly<Record<string, string>>,
  at: number,
  source: Source,
): Contact {
  const contact: Contact = {
    id: nextCrmId(state),
    createdAt: at,
    archivedAt: null,
    history: new Map(),
    mergedInto: null,
    mergedIds: [],
    otherEmails: [],
  };
  state.contacts.set(contact.id, contact);
  writeContact(state, contact, properties, at, source);
  return contact;
}

/** True when anything changed. */
export function writeContact(
  state: SandboxState,
  contact: Contact,
  properties: Readonly<Record<string, string>>,
  at: number,
  source: Source,
): boolean {
  const before = readValue(contact, 'email');
  let changed = false;
  for (const [name, value] of Object.entries(properties)) {
    changed = setProperty(contact, name, value, at, source) || changed;
  }
  const after = readValue(contact, 'email');
  if (before !== after) {
    if (before) state.contactIdByEmail.delete(before);
    if (after) state.contactIdByEmail.set(after, contact.id);
  }
  return changed;
}

/** Moves a contact to the recycling bin; its addresses become free. */
export function archiveContact(state: SandboxState, contact: Contact, at: number): void {
  contact.archivedAt = at;
  for (const email of emailsOf(contact)) state.contactIdByEmail.delete(email);
}

export function restoreContact(state: SandboxState, contact: Contact): void {
  contact.archivedAt = null;
  for (const email of emailsOf(contact)) state.contactIdByEmail.set(email, contact.id);
}

/** Primary address first. */
export function emailsOf(contact: Contact): string[] {
  const primary = readValue(contact, 'email');
  return primary ? [primary, ...contact.otherEmails] : [...contact.otherEmails];
}

/** The record under this id now: after merges, the one that came out of them. */
export function findById(state: SandboxState, id: string, until: number = EVERYTHING): Contact | null {
  let contact = state.contacts.get(id);
  while (contact?.mergedInto) {
    const next = state.contacts.get(contact.mergedInto);
    if (!next || !existsAt(next, until)) break;
    contact = next;
  }
  return contact && existsAt(contact, until) ? contact : null;
}

/** A live contact by its primary or a secondary address, in any case. */
export function findByEmail(state: SandboxState, email: string, until: number = EVERYTHING): Contact | null {
  const id = state.contactIdByEmail.get(email.trim().toLowerCase());
  return id === undefined ? null : findById(state, id, until);
}

/** The contact in the recycling bin that had this address; the latest one if there are several. */
export function findArchivedByEmail(state: SandboxState, email: string): Contact | null {
  const wanted = email.trim().toLowerCase();
  let latest: Contact | null = null;
  for (const contact of state.contacts.values()) {
    if (contact.archivedAt === null || !emailsOf(contact).includes(wanted)) continue;
    if (latest === null || contact.archivedAt >= (latest.archivedAt ?? 0)) latest = contact;
  }
  return latest;
}

/** Records that a list or a search may show: not merged away. */
export function currentContacts(state: SandboxState): Contact[] {
  return [...state.contacts.values()].filter((contact) => contact.mergedInto === null);
}
