import type { ContactSnapshot } from '../../../functions/ports/contacts.ts';
import type { TaskSnapshot } from '../../../functions/ports/tasks.ts';

/** A contact or a task as HubSpot's client hands it over. */
export interface ClientRecord {
  readonly id: string;
  readonly archived?: boolean;
  readonly properties: Record<string, string | null>;
  readonly propertiesWithHistory?: Record<
    string,
    { readonly value: string; readonly timestamp: Date; readonly sourceType: string }[]
  >;
  readonly associations?: Record<string, { readonly results: { readonly id: string }[] }>;
}

/** The contact that HubSpot's client sees, in the terms of our port. */
export function contactSeen({
  id,
  archived,
  properties,
  propertiesWithHistory,
}: ClientRecord): ContactSnapshot {
  const filled = Object.entries(properties).filter(([, value]) => value !== null && value !== '');
  return {
    id,
    archived: archived ?? false,
    email: properties.email ?? null,
    properties: Object.fromEntries(filled) as Record<string, string>,
    ownerId: properties.hubspot_owner_id || null,
    ownerHistory: (propertiesWithHistory?.hubspot_owner_id ?? []).map((entry) => ({
      ownerId: entry.value || null,
      at: entry.timestamp.getTime(),
      source: entry.sourceType,
    })),
    optedOut: properties.hs_email_optout === 'true',
  };
}

/** The task that HubSpot's client sees, in the terms of our port. */
export function taskSeen({ id, archived, properties, associations }: ClientRecord): TaskSnapshot {
  return {
    id,
    archived: archived ?? false,
    completed: properties.hs_task_status === 'COMPLETED',
    contactIds: (associations?.contacts?.results ?? []).map((contact) => contact.id),
  };
}

/** The status with which HubSpot's client failed. */
export async function failureOf(promise: Promise<unknown>): Promise<number> {
  return promise.then(
    () => 0,
    (error: { code?: number }) => error.code ?? -1,
  );
}
