import {
  type HubspotCredential,
  hubspotCredential,
  READ_SCOPES,
  WRITE_SCOPES,
} from '../../functions/adapters/hubspot/account.ts';
import { hubspotReader } from '../../functions/adapters/hubspot/reader.ts';
import type { RouteSettings } from '../../functions/domain/route.ts';
import type { Owner } from '../../functions/ports/contacts.ts';
import { type Check, checksOf } from './check.ts';
import { destinationOptions, problemOf } from './destination.ts';
import type { Credentials } from './secrets.ts';

const SCOPES_AT = 'HubSpot, Settings, Integrations, Private Apps';

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
  const { ok, failed, skipped } = checksOf(route.name);
  const checks: Check[] = [];
  const reading = found.get('hubspot read');
  const writing = found.get('hubspot write');
  let portal: string | null = null;

  if (!reading) checks.push(skipped('crm-read', 'there is no secret to try.'));
  else {
    const read = await ask(() => hubspotCredential(destinationOptions(baseUrl, reading.token)));
    if ('error' in read) checks.push(failed('crm-read', ...problemOf(read.error, reading.secretName)));
    else {
      portal = read.value.portalId;
      const { scopes } = read.value;
      const missing = missingScopes(read.value, READ_SCOPES);
      const writes = scopes.filter((scope) => scope.endsWith('.write'));
      checks.push(
        missing.length > 0
          ? failed('crm-read', `it lacks ${missing.join(', ')}.`, `add the scopes in ${SCOPES_AT}.`)
          : writes.length > 0
            ? failed(
                'crm-read',
                `it may also write (${writes.join(', ')}), and readers must not.`,
                `take these scopes away in ${SCOPES_AT}, or use a private app of its own for reading.`,
              )
            : ok('crm-read', `portal ${portal}, reads only.`),
      );
    }
  }

  if (!writing) checks.push(skipped('crm-write', 'there is no secret to try.'));
  else {
    const write = await ask(() => hubspotCredential(destinationOptions(baseUrl, writing.token)));
    if ('error' in write) checks.push(failed('crm-write', ...problemOf(write.error, writing.secretName)));
    else {
      const missing = missingScopes(write.value, WRITE_SCOPES);
      const { portalId } = write.value;
      checks.push(
        missing.length > 0
          ? failed('crm-write', `it lacks ${missing.join(', ')}.`, `add the scopes in ${SCOPES_AT}.`)
          : portal !== null && portal !== portalId
            ? failed(
                'crm-write',
                `it writes to portal ${portalId}, and portal ${portal} is read.`,
                'put tokens of one portal into both secrets.',
              )
            : ok('crm-write', `portal ${portalId}, may write contacts and tasks.`),
      );
    }
  }

  const owners = new Map<string, Owner>();
  for (const ownerId of ownerIdsOf(route)) {
    if (!reading) {
      checks.push(skipped('owner', `owner ${ownerId}: there is no secret to read with.`));
      continue;
    }
    const reader = hubspotReader(destinationOptions(baseUrl, reading.token));
    const owner = await ask(() => reader.findOwner(ownerId));
    if ('error' in owner) {
      const [detail, fix] = problemOf(owner.error, reading.secretName);
      checks.push(failed('owner', `owner ${ownerId}: ${detail}`, fix));
    } else if (owner.value === null) {
      const fix = `name an active owner in the route file of ${route.name}, or activate this one in HubSpot.`;
      checks.push(failed('owner', `the CRM has no active owner ${ownerId}.`, fix));
    } else {
      owners.set(ownerId, owner.value);
      checks.push(ok('owner', `owner ${ownerId} exists.`));
    }
  }
  return { checks, owners };
}

/** The owners that a route names. Those that lead requests bring along are not known before. */
export function ownerIdsOf({ owner }: RouteSettings): string[] {
  return [owner.rule === 'fixed' ? owner.ownerId : owner.fallbackOwnerId];
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
