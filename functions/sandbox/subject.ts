import { type Call, jsonBody } from './call.ts';
import { emailsOf, findByEmail, findById } from './contact-store.ts';
import type { Subject } from './faults.ts';
import { addressOf } from './test-recipients.ts';

/** Who a request is about: the contacts and addresses it names, and those behind the records it names. */
export function subjectOf(call: Call, target: string): Subject {
  const emails = new Set<string>();
  const contactIds = new Set<string>();
  const addContact = (id: string) => {
    contactIds.add(id);
    const contact = findById(call.state, id);
    if (!contact) return;
    contactIds.add(contact.id);
    for (const email of emailsOf(contact)) emails.add(email);
  };
  const addEmail = (text: string) => {
    const address = addressOf(text);
    if (address === null) return;
    emails.add(address);
    const contact = findByEmail(call.state, address);
    if (contact) addContact(contact.id);
  };
  for (const value of [...call.params, ...named(jsonBody(call))]) {
    if (value.includes('@')) addEmail(value);
    else if (call.state.contacts.has(value)) addContact(value);
    for (const id of call.state.tasks.get(value)?.contactIds ?? []) addContact(id);
  }
  return { emails, contactIds, text: `${decoded(target)}\n${call.rawBody}` };
}

/** The places in a body where a vendor's request names a person or a record. */
function named(body: unknown): string[] {
  const { properties, associations, primaryObjectId, objectIdToMerge, to } = fieldsOf(body);
  const associated = listOf(associations).map((one) => fieldsOf(fieldsOf(one).to).id);
  return [fieldsOf(properties).email, ...associated, primaryObjectId, objectIdToMerge, ...listOf(to)]
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String);
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
