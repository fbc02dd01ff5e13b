import { type Call, jsonBody } from './call.ts';
import { readAccount, readTokenInfo } from './hubspot-account.ts';
import {
  archiveContactRoute,
  createContactRoute,
  listContacts,
  mergeContactsRoute,
  readContact,
  searchContacts,
  updateContact,
} from './hubspot-contacts.ts';
import { listOwners, readOwner } from './hubspot-owners.ts';
import { createProperty, listProperties, readProperty } from './hubspot-schema.ts';
import {
  archiveTask,
  createTaskRoute,
  listTasks,
  readTask,
  searchTasks,
  updateTask,
} from './hubspot-tasks.ts';
import type { Operation } from './operations.ts';
import { listDomains } from './resend-domains.ts';
import { cancelEmail, listEmails, readEmail, sendEmail } from './resend-emails.ts';
import { holdKey } from './resend-keys.ts';
import type { Answer } from './wire.ts';

export type Vendor = 'hubspot' | 'resend';

export interface Route {
  readonly vendor: Vendor;
  readonly method: string;
  /** Path below the vendor's prefix; `:name` stands for one part. */
  readonly path: string;
  readonly operation: Operation | ((call: Call) => Operation);
  /**
   * `public`: no key in the header. `read` and `write` are HubSpot scopes; `send` is what a sending-only Resend key may
   * do, `manage` what needs full access.
   */
  readonly access: 'public' | 'read' | 'write' | 'send' | 'manage';
  /** Missing scopes that HubSpot names in its 403. */
  readonly scope?: string;
  readonly handle: (call: Call) => Answer;
  /** Marks the request as in progress up to a time (epoch milliseconds), where the vendor knows such a thing. */
  readonly hold?: (call: Call, until: number) => void;
}

const CONTACTS = '/crm/v3/objects/contacts';
const TASKS = '/crm/v3/objects/tasks';

const hubspotRoutes: readonly Route[] = [
  hubspot('GET', CONTACTS, 'read', 'list-contacts', listContacts),
  hubspot('POST', CONTACTS, 'write', 'create-contact', createContactRoute),
  hubspot('POST', `${CONTACTS}/search`, 'read', 'search-contacts', searchContacts),
  hubspot('POST', `${CONTACTS}/merge`, 'write', 'merge-contacts', mergeContactsRoute),
  hubspot('GET', `${CONTACTS}/:id`, 'read', 'read-contact', readContact),
  hubspot('PATCH', `${CONTACTS}/:id`, 'write', contactUpdate, updateContact),
  hubspot('DELETE', `${CONTACTS}/:id`, 'write', 'archive-contact', archiveContactRoute),
  hubspot('GET', TASKS, 'read', 'list-tasks', listTasks),
  hubspot('POST', TASKS, 'write', 'create-task', createTaskRoute),
  hubspot('POST', `${TASKS}/search`, 'read', 'search-tasks', searchTasks),
  hubspot('GET', `${TASKS}/:id`, 'read', 'read-task', readTask),
  hubspot('PATCH', `${TASKS}/:id`, 'write', 'update-task', updateTask),
  hubspot('DELETE', `${TASKS}/:id`, 'write', 'archive-task', archiveTask),
  hubspot('GET', '/crm/v3/owners', 'read', 'list-owners', listOwners, 'crm.objects.owners.read'),
  hubspot('GET', '/crm/v3/owners/:id', 'read', 'read-owner', readOwner, 'crm.objects.owners.read'),
  hubspot(
    'GET',
    '/crm/v3/properties/:type',
    'read',
    'list-properties',
    listProperties,
    'crm.schemas.contacts.read',
  ),
  hubspot(
    'GET',
    '/crm/v3/properties/:type/:name',
    'read',
    'read-property',
    readProperty,
    'crm.schemas.contacts.read',
  ),
  hubspot(
    'POST',
    '/crm/v3/properties/:type',
    'write',
    'create-property',
    createProperty,
    'crm.schemas.contacts.write',
  ),
  hubspot('GET', '/account-info/v3/details', 'read', 'read-account', readAccount, 'oauth'),
  hubspot('POST', '/oauth/v2/private-apps/get/access-token-info', 'public', 'read-token-info', readTokenInfo),
];

const resendRoutes: readonly Route[] = [
  { ...resend('POST', '/emails', 'send', 'send-email', sendEmail), hold: holdKey },
  resend('GET', '/emails', 'manage', 'list-emails', listEmails),
  resend('GET', '/emails/:id', 'manage', 'read-email', readEmail),
  resend('POST', '/emails/:id/cancel', 'manage', 'cancel-email', cancelEmail),
  resend('GET', '/domains', 'manage', 'list-domains', listDomains),
];

const ROUTES: readonly Route[] = [...hubspotRoutes, ...resendRoutes];

export interface Match {
  readonly vendor: Vendor;
  readonly route: Route | null;
  readonly params: readonly string[];
  /** True where the path exists with another method. */
  readonly pathExists: boolean;
}

/** Finds the route; null when the path is under neither vendor's prefix. A trailing slash makes no difference. */
export function matchRoute(method: string, path: string): Match | null {
  const [, prefix, ...rest] = path.replace(/\/+$/, '').split('/');
  if (prefix !== 'hubspot' && prefix !== 'resend') return null;
  let pathExists = false;
  for (const route of ROUTES) {
    if (route.vendor !== prefix) continue;
    const params = matchPath(route.path.split('/').slice(1), rest);
    if (!params) continue;
    if (route.method === method) return { vendor: prefix, route, params, pathExists: true };
    pathExists = true;
  }
  return { vendor: prefix, route: null, params: [], pathExists };
}

function matchPath(template: readonly string[], parts: readonly string[]): string[] | null {
  if (template.length !== parts.length) return null;
  const params: string[] = [];
  for (const [position, wanted] of template.entries()) {
    const part = decode(parts[position] ?? '');
    if (wanted.startsWith(':')) params.push(part);
    else if (wanted !== part) return null;
  }
  return params;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A change of the owner is an operation of its own, because people compete for it. */
function contactUpdate(call: Call): Operation {
  const body = jsonBody(call);
  const properties =
    typeof body === 'object' && body !== null ? (body as { properties?: unknown }).properties : null;
  const setsOwner = typeof properties === 'object' && properties !== null && 'hubspot_owner_id' in properties;
  return setsOwner ? 'set-owner' : 'update-contact';
}

function hubspot(
  method: string,
  path: string,
  access: 'public' | 'read' | 'write',
  operation: Route['operation'],
  handle: Route['handle'],
  scope: string = access === 'write' ? 'crm.objects.contacts.write' : 'crm.objects.contacts.read',
): Route {
  return { vendor: 'hubspot', method, path, access, operation, handle, scope };
}

function resend(
  method: string,
  path: string,
  access: 'send' | 'manage',
  operation: Operation,
  handle: Route['handle'],
): Route {
  return { vendor: 'resend', method, path, access, operation, handle };
}
