/**
 * The history of one CRM property, newest first, as `propertiesWithHistory` shows it.
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/guide
 */
export interface HistoryEntry {
  readonly value: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly source: Source;
}

/** Who wrote a value. `INTEGRATION` is an app's API call (its app id in `sourceId`), `CRM_UI` a person. */
export interface Source {
  readonly sourceType: 'INTEGRATION' | 'CRM_UI' | 'MERGE_CONTACTS';
  readonly sourceId: string;
  readonly updatedByUserId?: number;
}

/** The acting person when a control call names none. */
const SOMEBODY = 9001;

export function integration(appId: number): Source {
  return { sourceType: 'INTEGRATION', sourceId: String(appId) };
}

export function person(userId: number = SOMEBODY): Source {
  return { sourceType: 'CRM_UI', sourceId: `userId:${userId}`, updatedByUserId: userId };
}

/** Sees everything, whatever its time. */
export const EVERYTHING = Number.POSITIVE_INFINITY;

/** The time up to which a reader sees, given its lag in milliseconds. */
export function horizon(now: number, lagMs: number): number {
  return lagMs === 0 ? EVERYTHING : now - lagMs;
}

/** The history as a reader with this horizon sees it. */
export function visibleHistory(history: readonly HistoryEntry[], until: number): readonly HistoryEntry[] {
  return until === EVERYTHING ? history : history.filter((entry) => entry.at <= until);
}

/** The history as HubSpot's `ValueWithTimestamp` objects (`@hubspot/api-client`, crm/contacts models). */
export function historyOnTheWire(history: readonly HistoryEntry[]): Record<string, unknown>[] {
  return history.map((entry) => ({
    value: entry.value,
    timestamp: new Date(entry.at).toISOString(),
    ...entry.source,
  }));
}
