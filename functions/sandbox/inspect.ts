import { currentContacts } from './contact-store.ts';
import { type Contact, readValue, type Task, valuesOf } from './crm-record.ts';
import { historyOnTheWire } from './property-history.ts';
import type { Email, SandboxState } from './state.ts';

/** Everything the sandbox holds, without any lag. Read by people and by tests, never by the product. */
export function inspect(state: SandboxState): Record<string, unknown> {
  return {
    contacts: currentContacts(state).map(inspectContact),
    tasks: [...state.tasks.values()].map(inspectTask),
    emails: state.emails.map(inspectEmail),
    requests: state.log.entries,
    requestsDropped: state.log.dropped,
    settings: state.settings,
  };
}

export function inspectContact(contact: Contact): Record<string, unknown> {
  return {
    id: contact.id,
    email: readValue(contact, 'email'),
    ownerId: readValue(contact, 'hubspot_owner_id'),
    ownerHistory: historyOnTheWire(contact.history.get('hubspot_owner_id') ?? []),
    properties: valuesOf(contact),
    archived: contact.archivedAt !== null,
    mergedIds: contact.mergedIds.map(({ id }) => id),
  };
}

export function inspectTask(task: Task): Record<string, unknown> {
  return {
    id: task.id,
    properties: valuesOf(task),
    contactIds: task.contactIds,
    archived: task.archivedAt !== null,
  };
}

export function inspectEmail(email: Email): Record<string, unknown> {
  return {
    id: email.id,
    to: email.to,
    from: email.from,
    subject: email.subject,
    text: email.text,
    key: email.key,
    acceptedAt: new Date(email.acceptedAt).toISOString(),
    lastEvent: email.lastEvent,
  };
}
