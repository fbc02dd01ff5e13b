import { type Call, param } from './call.ts';
import { notFound } from './hubspot-errors.ts';
import { page } from './hubspot-paging.ts';
import type { OwnerSetting } from './settings.ts';
import { type Answer, ok } from './wire.ts';

/**
 * Owners as `/crm/v3/owners` serves them; a person who left is archived.
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/owners/guide
 */

const SINCE = '2020-01-01T00:00:00.000Z';

export function readOwner(call: Call): Answer {
  const wanted = param(call, 0);
  const byUserId = call.query.get('idProperty') === 'userId';
  const wantArchived = call.query.get('archived') === 'true';
  const owner = call.state.settings.owners.find((one) =>
    byUserId ? String(userIdOf(one)) === wanted : one.id === wanted,
  );
  if (!owner || (owner.archived ?? false) !== wantArchived) throw notFound(wanted);
  return ok(ownerOnTheWire(owner));
}

export function listOwners(call: Call): Answer {
  const email = call.query.get('email')?.toLowerCase();
  const wantArchived = call.query.get('archived') === 'true';
  const owners = call.state.settings.owners.filter(
    (owner) => (owner.archived ?? false) === wantArchived && (!email || owner.email.toLowerCase() === email),
  );
  return ok(page(owners, call.query, ownerOnTheWire, 100, 500));
}

function userIdOf(owner: OwnerSetting): number {
  return owner.userId ?? Number(owner.id) * 100 + 1;
}

function ownerOnTheWire(owner: OwnerSetting): Record<string, unknown> {
  return {
    id: owner.id,
    type: 'PERSON',
    email: owner.email,
    firstName: owner.firstName,
    lastName: owner.lastName,
    userId: owner.archived ? undefined : userIdOf(owner),
    userIdIncludingInactive: userIdOf(owner),
    createdAt: SINCE,
    updatedAt: SINCE,
    archived: owner.archived ?? false,
  };
}
