import { listParameter } from './call.ts';
import { type CrmRecord, isArchived, modifiedAt } from './crm-record.ts';
import { historyOnTheWire, visibleHistory } from './property-history.ts';

/** What a reader asked to be shown of an object. */
export interface View {
  /** Epoch milliseconds up to which the reader sees. */
  readonly until: number;
  /** Null for the type's defaults. */
  readonly properties: readonly string[] | null;
  readonly withHistory: readonly string[];
  readonly associations: readonly string[];
}

export function viewFromQuery(query: URLSearchParams, until: number): View {
  const properties = listParameter(query, 'properties');
  return {
    until,
    properties: properties.length > 0 ? properties : null,
    withHistory: listParameter(query, 'propertiesWithHistory'),
    associations: listParameter(query, 'associations'),
  };
}

export interface Shape {
  /** Shown when the reader names no properties. */
  readonly defaults: readonly string[];
  /** Shown whatever the reader names. */
  readonly always: readonly string[];
  readonly isKnown: (name: string) => boolean;
  readonly valueOf: (name: string) => string | null;
  /** By object type (`contacts`, `tasks`): ids and the association's label. */
  readonly associated: (type: string) => { readonly label: string; readonly ids: readonly string[] } | null;
}

/**
 * A `SimplePublicObjectWithAssociations`. Properties nobody knows are left out, known ones without a value are null
 * (`@hubspot/api-client`, crm/objects/tasks `BasicApi.getById`).
 */
export function objectOnTheWire(record: CrmRecord, view: View, shape: Shape): Record<string, unknown> {
  const names = [...(view.properties ?? shape.defaults), ...view.withHistory, ...shape.always];
  const properties: Record<string, string | null> = {};
  for (const name of names) if (shape.isKnown(name)) properties[name] = shape.valueOf(name);
  const archived = isArchived(record, view.until);
  const result: Record<string, unknown> = {
    id: record.id,
    properties,
    createdAt: new Date(record.createdAt).toISOString(),
    updatedAt: new Date(modifiedAt(record, view.until)).toISOString(),
    archived,
  };
  if (archived && record.archivedAt !== null) result.archivedAt = new Date(record.archivedAt).toISOString();
  if (view.withHistory.length > 0) result.propertiesWithHistory = historiesOf(record, view, shape);
  const associations = associationsOf(view, shape);
  if (associations) result.associations = associations;
  return result;
}

function historiesOf(record: CrmRecord, view: View, shape: Shape): Record<string, unknown> {
  const histories: Record<string, unknown> = {};
  for (const name of view.withHistory) {
    if (!shape.isKnown(name)) continue;
    histories[name] = historyOnTheWire(visibleHistory(record.history.get(name) ?? [], view.until));
  }
  return histories;
}

function associationsOf(view: View, shape: Shape): Record<string, unknown> | null {
  const associations: Record<string, unknown> = {};
  for (const type of view.associations) {
    const found = shape.associated(type);
    if (!found || found.ids.length === 0) continue;
    associations[type] = { results: found.ids.map((id) => ({ id, type: found.label })) };
  }
  return Object.keys(associations).length > 0 ? associations : null;
}
