import {
  type HubspotCredential,
  hubspotCredential,
  READ_SCOPES,
  WRITE_SCOPES,
} from '../../functions/adapters/hubspot/account.ts';
import { hubspotReader } from '../../functions/adapters/hubspot/reader.ts';
import { namedOwners } from '../../functions/domain/owner-rule.ts';
import type { RouteSettings } from '../../functions/domain/route.ts';
import type { Owner } from '../../functions/ports/contacts.ts';
import { type Check, checksOf } from './check.ts';
import { destinationOptions, problemOf, SCOPES_AT } from './destination.ts';
import type { Credential, Credentials } from './secrets.ts';

const NO_SECRET = 'there is no secret to try.';
const ADD_SCOPES = `add the scopes in ${SCOPES_AT}.`;

export interface CrmChecks {
  readonly checks: readonly Check[];
  /** The owners that the route names and the CRM knows, by id. */
  readonly owners: ReadonlyMap<string, Owner>;
}

/** Looks whether the CRM takes both credentials, what they may do, and whether the route's owners exist. */
export async function checkCrm(
  route: RouteSettings,
  baseUrl: string,
  { found }: Credentials,
): Promise<CrmChecks> {
  const reading = await checkReading(route.name, baseUrl, found.get('hubspot read'));
  const writing = await checkWriting(route.name, baseUrl, found.get('hubspot write'), reading.portalId);
  const owners = await checkOwners(route, baseUrl, found.get('hubspot read'));
  const account = checkAccount(route, reading.portalId);
  return { checks: [reading.check, writing, ...account, ...owners.checks], owners: owners.owners };
}

/** Links to contacts are made with the account that the route file names. */
function checkAccount({ name, crm: { portalId: named } }: RouteSettings, portalId: string | null): Check[] {
  const { ok, failed, skipped } = checksOf(name);
  if (named === undefined) return [];
  if (portalId === null)
    return [skipped('crm-account', `portal ${named}: HubSpot did not say which one it is.`)];
  if (portalId === named) return [ok('crm-account', `portal ${named}, as in the route file.`)];
  return [
    failed(
      'crm-account',
      `the route file says portal ${named}, and the token belongs to portal ${portalId}.`,
      `correct crm.portalId in the route file of ${name}, or put tokens of portal ${named} into the secrets.`,
    ),
  ];
}

async function checkReading(
  route: string,
  baseUrl: string,
  credential: Credential | undefined,
): Promise<{ check: Check; portalId: string | null }> {
  const { ok, failed, skipped } = checksOf(route);
  if (!credential) return { check: skipped('crm-read', NO_SECRET), portalId: null };
  const read = await ask(() => hubspotCredential(destinationOptions(baseUrl, credential.token)));
  if ('error' in read) {
    return { check: failed('crm-read', ...problemOf(read.error, credential.secretName)), portalId: null };
  }
  const { portalId, scopes } = read.value;
  const missing = missingScopes(read.value, READ_SCOPES);
  const writes = scopes.filter((scope) => scope.endsWith('.write'));
  if (missing.length > 0) {
    return { check: failed('crm-read', `it lacks ${missing.join(', ')}.`, ADD_SCOPES), portalId };
  }
  if (writes.length > 0) {
    const detail = `it may also write (${writes.join(', ')}), and readers must not.`;
    const fix = `take these scopes away in ${SCOPES_AT}, or use a private app of its own for reading.`;
    return { check: failed('crm-read', detail, fix), portalId };
  }
  return { check: ok('crm-read', `portal ${portalId}, reads only.`), portalId };
}

async function checkWriting(
  route: string,
  baseUrl: string,
  credential: Credential | undefined,
  portalRead: string | null,
): Promise<Check> {
  const { ok, failed, skipped } = checksOf(route);
  if (!credential) return skipped('crm-write', NO_SECRET);
  const write = await ask(() => hubspotCredential(destinationOptions(baseUrl, credential.token)));
  if ('error' in write) return failed('crm-write', ...problemOf(write.error, credential.secretName));
  const { portalId } = write.value;
  const missing = missingScopes(write.value, WRITE_SCOPES);
  if (missing.length > 0) return failed('crm-write', `it lacks ${missing.join(', ')}.`, ADD_SCOPES);
  if (portalRead !== null && portalRead !== portalId) {
    const detail = `it writes to portal ${portalId}, and portal ${portalRead} is read.`;
    return failed('crm-write', detail, 'put tokens of one portal into both secrets.');
  }
  return ok('crm-write', `portal ${portalId}, may write contacts and tasks.`);
}

async function checkOwners(
  route: RouteSettings,
  baseUrl: string,
  credential: Credential | undefined,
): Promise<CrmChecks> {
  const { ok, failed, skipped } = checksOf(route.name);
  const owners = new Map<string, Owner>();
  const check = async (ownerId: string): Promise<Check> => {
    if (!credential) return skipped('owner', `owner ${ownerId}: ${NO_SECRET}`);
    const reader = hubspotReader(destinationOptions(baseUrl, credential.token));
    const owner = await ask(() => reader.findOwner(ownerId));
    if ('error' in owner) {
      const [detail, fix] = problemOf(owner.error, credential.secretName);
      return failed('owner', `owner ${ownerId}: ${detail}`, fix);
    }
    if (owner.value === null) {
      const fix = `name an active owner in the route file of ${route.name}, or activate this one in HubSpot.`;
      return failed('owner', `the CRM has no active owner ${ownerId}.`, fix);
    }
    owners.set(ownerId, owner.value);
    return ok('owner', `owner ${ownerId} exists.`);
  };
  return { checks: await Promise.all(ownerIdsOf(route).map(check)), owners };
}

/** The owners that a route names. Those that lead requests bring along are not known before. */
export function ownerIdsOf({ owner }: RouteSettings): string[] {
  return namedOwners(owner);
}

function missingScopes({ scopes }: HubspotCredential, needed: readonly string[]): string[] {
  return needed.filter((scope) => !scopes.includes(scope));
}

async function ask<T>(question: () => Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await question() };
  } catch (error) {
    return { error };
  }
}
