/** One request to a vendor's route, as `/inspect` shows it. */
export interface RequestEntry {
  /** ISO time of arrival. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** The operation's name (see `routes.ts`); null for an unknown route. */
  readonly operation: string | null;
  /** Which of the sandbox's keys the request carried; null for none or a wrong one. */
  readonly credential: 'read' | 'write' | 'full' | null;
  /** The status that was sent; null when no answer was sent at all. */
  status: number | null;
  /** True once the request has changed something at the destination; a late effect turns it true when it lands. */
  applied: boolean;
  /** The planned faults that this request consumed, joined by `+`. */
  fault?: string;
}

/** How many requests are kept; older ones are only counted. */
export const REQUEST_LOG_CAP = 50_000;

export interface RequestLog {
  readonly entries: RequestEntry[];
  /** Requests that fell out of the log. */
  dropped: number;
}

export function createRequestLog(): RequestLog {
  return { entries: [], dropped: 0 };
}

export function record(log: RequestLog, entry: RequestEntry, cap: number = REQUEST_LOG_CAP): RequestEntry {
  log.entries.push(entry);
  if (log.entries.length > cap) {
    log.entries.shift();
    log.dropped += 1;
  }
  return entry;
}
