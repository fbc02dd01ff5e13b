import * as v from 'valibot';
import type { ContactSnapshot, Owner, OwnerChange } from '../../ports/contacts.ts';
import type { TaskSnapshot } from '../../ports/tasks.ts';
import { OPT_OUT_PROPERTY, OWNER_PROPERTY } from './properties.ts';

const moment = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
  v.number(),
);

const id = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(String),
  v.regex(/^\d+$/, 'needs a numeric id'),
);

const properties = v.record(v.string(), v.nullish(v.string()));

const historyEntry = v.object({
  value: v.nullish(v.string()),
  timestamp: moment,
  sourceType: v.nullish(v.string()),
});

/** A contact as `/crm/v3/objects/contacts` answers it. */
export const contactRecord = v.object({
  id,
  archived: v.optional(v.boolean(), false),
  properties,
  propertiesWithHistory: v.object({ [OWNER_PROPERTY]: v.optional(v.array(historyEntry), []) }),
});

/** A person as `/crm/v3/owners` answers it. */
export const ownerRecord = v.object({
  id,
  email: v.nullish(v.string()),
  firstName: v.nullish(v.string()),
  lastName: v.nullish(v.string()),
  archived: v.optional(v.boolean(), false),
});

/** A task as `/crm/v3/objects/tasks` answers it, its contacts included where they were asked for. */
export const taskRecord = v.object({
  id,
  archived: v.optional(v.boolean(), false),
  properties,
  associations: v.optional(
    v.object({ contacts: v.optional(v.object({ results: v.array(v.object({ id })) })) }),
  ),
});

/** A page of `/crm/v3/objects/tasks/search`. */
export const taskPage = v.object({
  results: v.array(v.object({ id, properties })),
  paging: v.optional(v.object({ next: v.optional(v.object({ after: v.string() })) })),
});

/** What HubSpot answers when it took a write. */
export const writtenRecord = v.object({ id, properties: v.optional(properties, {}) });

export function contactSnapshot(record: v.InferOutput<typeof contactRecord>): ContactSnapshot {
  const values = nonEmpty(record.properties);
  return {
    id: record.id,
    archived: record.archived,
    email: values.email ?? null,
    properties: values,
    ownerId: values[OWNER_PROPERTY] ?? null,
    ownerHistory: record.propertiesWithHistory[OWNER_PROPERTY].map(ownerChange).sort((a, b) => b.at - a.at),
    optedOut: values[OPT_OUT_PROPERTY] === 'true',
  };
}

export function ownerOf(record: v.InferOutput<typeof ownerRecord>): Owner {
  const name = [record.firstName, record.lastName].filter(Boolean).join(' ');
  return { id: record.id, name, email: record.email ?? '' };
}

export function taskSnapshot(record: v.InferOutput<typeof taskRecord>): TaskSnapshot {
  const contacts = record.associations?.contacts?.results ?? [];
  return {
    id: record.id,
    archived: record.archived,
    completed: record.properties.hs_task_status === 'COMPLETED',
    contactIds: [...new Set(contacts.map((contact) => contact.id))],
  };
}

function ownerChange(entry: v.InferOutput<typeof historyEntry>): OwnerChange {
  const source = entry.sourceType ?? '';
  return {
    ownerId: entry.value || null,
    at: entry.timestamp,
    source: /^[A-Z0-9_]+$/i.test(source) ? source : 'UNKNOWN',
  };
}

function nonEmpty(values: v.InferOutput<typeof properties>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) if (value) kept[name] = value;
  return kept;
}
