import * as v from 'valibot';
import { type Call, jsonBody, param, writerOf } from './call.ts';
import { mergeContacts } from './contact-merge.ts';
import {
  archiveContact,
  createContact,
  currentContacts,
  findArchivedByEmail,
  findByEmail,
  findById,
  writeContact,
} from './contact-store.ts';
import { type Contact, isArchived, modifiedAt, readValue } from './crm-record.ts';
import { contactExists, invalidInput, notFound } from './hubspot-errors.ts';
import { objectOnTheWire, type View, viewFromQuery } from './hubspot-object.ts';
import { page } from './hubspot-paging.ts';
import { knowsProperty, parseWrite } from './hubspot-properties.ts';
import { search } from './hubspot-search.ts';
import { EVERYTHING, horizon, visibleHistory } from './property-history.ts';
import type { SandboxState } from './state.ts';
import { type Answer, ok } from './wire.ts';

/**
 * Contacts as `/crm/v3/objects/contacts` serves them.
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/guide
 */

const DEFAULTS = ['createdate', 'email', 'firstname', 'hs_object_id', 'lastmodifieddate', 'lastname'];
const ALWAYS = ['createdate', 'hs_object_id', 'lastmodifieddate'];

/** `GET …/{id}`, also with `idProperty=email`. A merged id or address leads to the record that came out of the merge. */
export function readContact(call: Call): Answer {
  const until = horizon(call.now, call.state.settings.keyReadLagMs);
  const contact = wantedContact(call, until);
  return ok(contactOnTheWire(call.state, contact, viewFromQuery(call.query, until)));
}

export function createContactRoute(call: Call): Answer {
  const { properties } = parseWrite(jsonBody(call), 'contacts', call.state.settings);
  if (!properties.email && !properties.firstname && !properties.lastname) {
    throw invalidInput('A contact needs at least one of email, firstname and lastname.');
  }
  const existing = properties.email ? findByEmail(call.state, properties.email) : null;
  if (existing) throw contactExists(existing.id);
  const contact = createContact(call.state, properties, call.now, writerOf(call));
  return { status: 201, body: contactOnTheWire(call.state, contact, everything(properties)), applied: true };
}

/** Writes what it is given, whoever wrote last: HubSpot has no conditional write. */
export function updateContact(call: Call): Answer {
  const contact = liveContact(call);
  const { properties } = parseWrite(jsonBody(call), 'contacts', call.state.settings);
  const holder = properties.email ? findByEmail(call.state, properties.email) : null;
  if (holder && holder.id !== contact.id) throw contactExists(holder.id);
  writeContact(call.state, contact, properties, call.now, writerOf(call));
  return { ...ok(contactOnTheWire(call.state, contact, everything(properties))), applied: true };
}

export function archiveContactRoute(call: Call): Answer {
  const contact = findById(call.state, param(call, 0));
  if (!contact) throw notFound(param(call, 0));
  const applied = contact.archivedAt === null;
  if (applied) archiveContact(call.state, contact, call.now);
  return { status: 204, applied };
}

export function listContacts(call: Call): Answer {
  const until = horizon(call.now, call.state.settings.keyReadLagMs);
  const view = viewFromQuery(call.query, until);
  const wantArchived = call.query.get('archived') === 'true';
  const shown = currentContacts(call.state).filter(
    (contact) => contact.createdAt <= until && isArchived(contact, until) === wantArchived,
  );
  return ok(page(shown, call.query, (contact) => contactOnTheWire(call.state, contact, view)));
}

export function searchContacts(call: Call): Answer {
  const until = horizon(call.now, call.state.settings.searchLagMs);
  const candidates = currentContacts(call.state).filter(
    (contact) => contact.createdAt <= until && !isArchived(contact, until),
  );
  const found = search(jsonBody(call), candidates, {
    isKnown: (name) => knowsProperty('contacts', name, call.state.settings),
    valuesOf: (contact, name) => valueList(contactValue(contact, name, until)),
    render: (contact, properties) =>
      contactOnTheWire(call.state, contact, { until, properties, withHistory: [], associations: [] }),
  });
  return ok(found);
}

const mergeBody = v.object({ primaryObjectId: v.string(), objectIdToMerge: v.string() });

/** https://developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/merge-contacts */
export function mergeContactsRoute(call: Call): Answer {
  const parsed = v.safeParse(mergeBody, jsonBody(call));
  if (!parsed.success) throw invalidInput('primaryObjectId and objectIdToMerge are required.');
  const { primaryObjectId, objectIdToMerge } = parsed.output;
  const primary = findById(call.state, primaryObjectId);
  const other = findById(call.state, objectIdToMerge);
  if (!primary || primary.archivedAt !== null) throw notFound(primaryObjectId);
  if (!other || other.archivedAt !== null) throw notFound(objectIdToMerge);
  if (primary.id === other.id) throw invalidInput('Cannot merge an object with itself.');
  const merged = mergeContacts(call.state, primary, other, call.now);
  return { ...ok(contactOnTheWire(call.state, merged, everything({}))), applied: true };
}

function wantedContact(call: Call, until: number): Contact {
  const wanted = param(call, 0);
  const byEmail = call.query.get('idProperty') === 'email';
  const wantArchived = call.query.get('archived') === 'true';
  const live = byEmail ? findByEmail(call.state, wanted, until) : findById(call.state, wanted, until);
  const contact = byEmail && (wantArchived || !live) ? findArchivedByEmail(call.state, wanted) : live;
  if (!contact || isArchived(contact, until) !== wantArchived) throw notFound(wanted);
  return contact;
}

/** The target of a write: never an archived contact. */
function liveContact(call: Call): Contact {
  const wanted = param(call, 0);
  const byEmail = call.query.get('idProperty') === 'email';
  const contact = byEmail ? findByEmail(call.state, wanted) : findById(call.state, wanted);
  if (!contact || contact.archivedAt !== null) throw notFound(wanted);
  return contact;
}

/** What the answer to a write shows: the written properties and the defaults, as they are now. */
function everything(written: Readonly<Record<string, string>>): View {
  return {
    until: EVERYTHING,
    properties: [...DEFAULTS, ...Object.keys(written)],
    withHistory: [],
    associations: [],
  };
}

function contactOnTheWire(state: SandboxState, contact: Contact, view: View): Record<string, unknown> {
  return objectOnTheWire(contact, view, {
    defaults: DEFAULTS,
    always: contact.mergedIds.length > 0 ? [...ALWAYS, 'hs_merged_object_ids'] : ALWAYS,
    isKnown: (name) => knowsProperty('contacts', name, state.settings),
    valueOf: (name) => contactValue(contact, name, view.until),
    associated: (type) =>
      type === 'tasks' ? { label: 'contact_to_task', ids: taskIdsOf(state, contact.id) } : null,
  });
}

/** A property's value, the computed ones included. */
function contactValue(contact: Contact, name: string, until: number): string | null {
  switch (name) {
    case 'hs_object_id':
      return contact.id;
    case 'createdate':
      return new Date(contact.createdAt).toISOString();
    case 'lastmodifieddate':
      return new Date(modifiedAt(contact, until)).toISOString();
    case 'hs_merged_object_ids':
      return contact.mergedIds.map(({ id }) => id).join(';') || null;
    case 'hs_additional_emails':
      return contact.otherEmails.join(';') || null;
    case 'hubspot_owner_assigneddate': {
      const latest = visibleHistory(contact.history.get('hubspot_owner_id') ?? [], until)[0];
      return latest?.value ? new Date(latest.at).toISOString() : null;
    }
    default:
      return readValue(contact, name, until);
  }
}

function taskIdsOf(state: SandboxState, contactId: string): string[] {
  return [...state.tasks.values()]
    .filter((task) => task.archivedAt === null && task.contactIds.includes(contactId))
    .map((task) => task.id);
}

function valueList(value: string | null): string[] {
  return value === null ? [] : [value];
}
