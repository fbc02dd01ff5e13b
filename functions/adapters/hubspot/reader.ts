import type { ContactReader, ContactSnapshot } from '../../ports/contacts.ts';
import { DestinationUnreadable } from '../../ports/destination-unreadable.ts';
import type { TaskReader, TaskSnapshot } from '../../ports/tasks.ts';
import type { DestinationOptions } from '../http/destination-options.ts';
import { type ReadDestination, type ReadSession, readSession } from '../http/read-session.ts';
import { HUBSPOT } from './contract.ts';
import { CONTACT_PROPERTIES, OWNER_PROPERTY, TASK_PROPERTIES } from './properties.ts';
import {
  contactRecord,
  contactSnapshot,
  ownerOf,
  ownerRecord,
  taskPage,
  taskRecord,
  taskSnapshot,
} from './records.ts';
import { carriesStamp, stampToken } from './task-stamp.ts';

export interface HubspotReaderOptions extends DestinationOptions {
  /** A task property that the portal declares unique; it holds the stamp's token. */
  readonly taskUniqueProperty?: string;
}

const SEARCH_PAGE = 100;
const SEARCH_PAGES = 5;

/**
 * Reads contacts, owners and tasks from HubSpot. Every method may take `timeoutMs` in all and throws DestinationUnreadable with a
 * code of `readSession`, or `page-cap` when a search has more pages than are read.
 *
 * @see https://developers.hubspot.com/docs/api-reference/latest/crm/objects/contacts/guide
 * @see https://developers.hubspot.com/docs/api-reference/search/guide
 */
export function hubspotReader(options: HubspotReaderOptions): ContactReader & TaskReader {
  const unique = options.taskUniqueProperty;
  const session = () => readSession(DESTINATION, options);
  return {
    findByEmail: (email) => contactBy(session(), 'email', email.trim().toLowerCase()),
    findById: async (id) => (isRecordId(id) ? contactBy(session(), 'id', id) : null),
    async findOwner(ownerId) {
      const path = `/crm/v3/owners/${encodeURIComponent(ownerId)}?idProperty=id&archived=false`;
      const record = await session().ask({ method: 'GET', path, label: '/crm/v3/owners/{id}' }, ownerRecord);
      return record && !record.archived ? ownerOf(record) : null;
    },
    findTask: async (id) => (isRecordId(id) ? taskBy(session(), id, {}) : null),
    findByStamp: (stamp) =>
      unique === undefined
        ? taskBySearch(session(), stamp)
        : taskBy(session(), stampToken(stamp), { idProperty: unique }),
  };
}

/** HubSpot numbers its records; it has none under anything else. */
function isRecordId(id: string): boolean {
  return /^\d+$/.test(id);
}

const DESTINATION: ReadDestination = {
  name: HUBSPOT,
  /** HubSpot's own error object; a 404 page of something in between is not its word. */
  saysNotFound(body) {
    if (typeof body !== 'object' || body === null || !('status' in body)) return false;
    const category = 'category' in body ? body.category : 'OBJECT_NOT_FOUND';
    return body.status === 'error' && category === 'OBJECT_NOT_FOUND';
  },
};

/** The living record, else the archived one. HubSpot answers a merged id with the survivor. */
async function contactBy(
  session: ReadSession,
  key: 'email' | 'id',
  value: string,
): Promise<ContactSnapshot | null> {
  for (const archived of ['false', 'true']) {
    const query = new URLSearchParams({
      ...(key === 'email' ? { idProperty: 'email' } : {}),
      properties: CONTACT_PROPERTIES.join(','),
      propertiesWithHistory: OWNER_PROPERTY,
      archived,
    });
    const path = `/crm/v3/objects/contacts/${pathSegment(value)}?${query}`;
    const label = `/crm/v3/objects/contacts/{${key}}`;
    const record = await session.ask({ method: 'GET', path, label }, contactRecord);
    if (record) return contactSnapshot(record);
  }
  return null;
}

async function taskBy(
  session: ReadSession,
  value: string,
  by: { idProperty?: string },
): Promise<TaskSnapshot | null> {
  for (const archived of ['false', 'true']) {
    const query = new URLSearchParams({
      ...by,
      properties: TASK_PROPERTIES.join(','),
      associations: 'contacts',
      archived,
    });
    const path = `/crm/v3/objects/tasks/${pathSegment(value)}?${query}`;
    const record = await session.ask(
      { method: 'GET', path, label: '/crm/v3/objects/tasks/{id}' },
      taskRecord,
    );
    if (record) return taskSnapshot(record);
  }
  return null;
}

/**
 * Search, then read what was found: the search knows neither associations nor archived tasks, and its words match loosely, so
 * that the stamp is looked for in the text that came back. Of several tasks with the stamp the oldest is the one.
 */
async function taskBySearch(session: ReadSession, stamp: string): Promise<TaskSnapshot | null> {
  const found: { id: string; createdAt: string }[] = [];
  let after: string | undefined;
  for (let page = 0; page < SEARCH_PAGES; page++) {
    const answer = await session.ask(
      {
        method: 'POST',
        path: '/crm/v3/objects/tasks/search',
        label: '/crm/v3/objects/tasks/search',
        body: JSON.stringify({
          filterGroups: [
            {
              filters: [
                { propertyName: 'hs_task_body', operator: 'CONTAINS_TOKEN', value: stampToken(stamp) },
              ],
            },
          ],
          properties: TASK_PROPERTIES,
          limit: SEARCH_PAGE,
          ...(after === undefined ? {} : { after }),
        }),
      },
      taskPage,
    );
    if (answer === null) throw new DestinationUnreadable(HUBSPOT, 'status-404');
    for (const { id, properties } of answer.results) {
      if (carriesStamp(properties.hs_task_body ?? '', stamp)) {
        found.push({ id, createdAt: properties.hs_createdate ?? '' });
      }
    }
    after = answer.paging?.next?.after;
    if (after === undefined) {
      const oldest = found.sort((a, b) => a.createdAt.localeCompare(b.createdAt))[0];
      return oldest ? taskBy(session, oldest.id, {}) : null;
    }
  }
  throw new DestinationUnreadable(HUBSPOT, 'page-cap');
}

/**
 * A value as one path segment. The `@` stays as it is, which RFC 3986 allows: HubSpot has answered an encoded one with "not found"
 * for a contact that exists.
 *
 * @see https://github.com/HubSpot/hubspot-api-nodejs/issues/669
 */
function pathSegment(value: string): string {
  return encodeURIComponent(value).replaceAll('%40', '@');
}
