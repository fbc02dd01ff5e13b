import { EVERYTHING, type HistoryEntry, type Source, visibleHistory } from './property-history.ts';

/** A CRM object as the portal stores it: nothing but its histories, so that a lagging reader can be shown the past. */
export interface CrmRecord {
  readonly id: string;
  readonly createdAt: number;
  archivedAt: number | null;
  /** By property name, newest first. */
  readonly history: Map<string, HistoryEntry[]>;
}

export interface Contact extends CrmRecord {
  /** Set when a merge made a new record out of this one. */
  mergedInto: string | null;
  readonly mergedIds: { readonly id: string; readonly at: number }[];
  readonly otherEmails: string[];
}

export interface Task extends CrmRecord {
  contactIds: string[];
}

/**
 * Writes one value. An unchanged value leaves no trace, as in HubSpot. Times of one property strictly increase, so that
 * a history never holds two changes at the same moment.
 */
export function setProperty(
  record: CrmRecord,
  name: string,
  value: string,
  at: number,
  source: Source,
): boolean {
  const history = record.history.get(name) ?? [];
  const latest = history[0];
  if ((latest?.value ?? '') === value) return false;
  record.history.set(name, [{ value, at: latest ? Math.max(at, latest.at + 1) : at, source }, ...history]);
  return true;
}

/** The value a reader with this horizon sees; null when it was never set or has been cleared. */
export function readValue(record: CrmRecord, name: string, until: number = EVERYTHING): string | null {
  return visibleHistory(record.history.get(name) ?? [], until)[0]?.value || null;
}

export function existsAt(record: CrmRecord, until: number = EVERYTHING): boolean {
  return record.createdAt <= until;
}

export function isArchived(record: CrmRecord, until: number = EVERYTHING): boolean {
  return record.archivedAt !== null && record.archivedAt <= until;
}

export function modifiedAt(record: CrmRecord, until: number = EVERYTHING): number {
  let latest = record.createdAt;
  for (const history of record.history.values()) {
    const newest = visibleHistory(history, until)[0];
    if (newest && newest.at > latest) latest = newest.at;
  }
  return latest;
}

/** All non-empty values. */
export function valuesOf(record: CrmRecord, until: number = EVERYTHING): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of record.history.keys()) {
    const value = readValue(record, name, until);
    if (value !== null) values[name] = value;
  }
  return values;
}
