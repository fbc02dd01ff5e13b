import type { LeadRequest } from '../functions/domain/lead-request.ts';

/** What chaos knows of one lead that it submits. */
export interface TrackedLead {
  readonly lead: LeadRequest;
  /** The start function has answered that it has it. */
  accepted: boolean;
  /** Hashes of other fields under its id that the start function refused as a conflict. */
  readonly refusedHashes: Set<string>;
  /** Answers of the start function that no source may ever get. */
  readonly wrongAnswers: string[];
  /** When a person opted out, epoch milliseconds; null when nobody did. */
  optedOutAt: number | null;
  /** Closed, or waiting with nothing under way, when it was last looked at. */
  settled: boolean;
  /** What chaos did to it: the newest lines. */
  readonly deeds: string[];
}

/** What was done, as the end of the run shows it. */
export interface Totals {
  submitted: number;
  repeated: number;
  conflicts: number;
  functionKills: number;
  strikes: number;
  freezes: number;
  engineRestarts: number;
  faultsPlanned: Record<string, number>;
  faultsSkipped: number;
  deliveries: Record<string, number>;
  reassignments: number;
  merges: number;
  archived: number;
  optOuts: number;
  /** Deeds that a busy machine left no room for. */
  leftOut: Record<string, number>;
  /** Deeds that met nothing: no such contact yet, no process, no engine. */
  missed: Record<string, number>;
}

const KEPT_DEEDS = 30;

/** Everything that chaos remembers of its own run. */
export class Journal {
  readonly leads: TrackedLead[] = [];
  /** In the order in which they were accepted. */
  readonly accepted: TrackedLead[] = [];
  readonly startedAt = Date.now();
  readonly totals: Totals = {
    submitted: 0,
    repeated: 0,
    conflicts: 0,
    functionKills: 0,
    strikes: 0,
    freezes: 0,
    engineRestarts: 0,
    faultsPlanned: {},
    faultsSkipped: 0,
    deliveries: {},
    reassignments: 0,
    merges: 0,
    archived: 0,
    optOuts: 0,
    leftOut: {},
    missed: {},
  };

  /** The lead that was accepted `back` leads before the last one. */
  back(back: number): TrackedLead | undefined {
    return this.accepted.at(-1 - back);
  }

  note(tracked: TrackedLead, line: string): void {
    const seconds = ((Date.now() - this.startedAt) / 1_000).toFixed(2);
    tracked.deeds.push(`${seconds} s  ${line}`);
    if (tracked.deeds.length > KEPT_DEEDS) tracked.deeds.shift();
  }

  missed(deed: string): void {
    increase(this.totals.missed, deed);
  }
}

export function increase(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
