import type { LeadRequest } from '../functions/domain/lead-request.ts';
import { increase } from './chaos-counts.ts';
import type { ByHand, PersonsRequest } from './chaos-requests.ts';

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
  /** When it was last looked at. `waiting`: nothing is under way, and somebody is asked. */
  standing: 'under-way' | 'waiting' | 'closed';
  /** What people asked of the recovery state machine, oldest first. */
  readonly requests: PersonsRequest[];
  /** What people did by hand. */
  readonly byHand: ByHand[];
  /** What chaos did to it: the newest lines. */
  readonly deeds: string[];
}

export function trackedLead(lead: LeadRequest): TrackedLead {
  return {
    lead,
    accepted: false,
    refusedHashes: new Set(),
    wrongAnswers: [],
    optedOutAt: null,
    standing: 'under-way',
    requests: [],
    byHand: [],
    deeds: [],
  };
}

/** What was done, as the end of the run shows it. */
export interface Totals {
  submitted: number;
  repeated: number;
  conflicts: number;
  /** By the name of the function. */
  functionKills: Record<string, number>;
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
  /** Pairs of people who decided differently about one question at the same time, by what came of it. */
  races: Record<'one-heard' | 'both-heard' | 'none-heard' | 'not-known', number>;
  /** Executions of handoffs that somebody stopped. */
  stops: number;
  /** By what came of it. */
  redrives: Record<string, number>;
  /** Items taken off the waiting list behind the product's back. */
  lostWaits: number;
  /** Sweeps out of turn, besides those of the schedule. */
  extraSweeps: number;
  /** Deeds that a busy machine left no room for. */
  leftOut: Record<string, number>;
  /** Deeds that met nothing: no such contact yet, no process, no engine. */
  missed: Record<string, number>;
}

const KEPT_DEEDS = 40;

/** Everything that chaos remembers of its own run. */
export class Journal {
  readonly leads: TrackedLead[] = [];
  /** In the order in which they were accepted. */
  readonly accepted: TrackedLead[] = [];
  /** Names of handoff executions that chaos itself stopped. */
  readonly stopped = new Set<string>();
  readonly startedAt = Date.now();
  readonly totals: Totals = {
    submitted: 0,
    repeated: 0,
    conflicts: 0,
    functionKills: {},
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
    races: { 'one-heard': 0, 'both-heard': 0, 'none-heard': 0, 'not-known': 0 },
    stops: 0,
    redrives: {},
    lostWaits: 0,
    extraSweeps: 0,
    leftOut: {},
    missed: {},
  };

  #people = 0;

  /** A name that nobody else types, so that the audit trail tells people apart. */
  newPerson(): string {
    this.#people += 1;
    return `Robin ${this.#people}`;
  }

  /** The lead that was accepted `back` leads before the last one. */
  back(back: number): TrackedLead | undefined {
    return this.accepted.at(-1 - back);
  }

  note(tracked: TrackedLead, line: string): void {
    const seconds = ((Date.now() - this.startedAt) / 1_000).toFixed(2);
    tracked.deeds.push(`${seconds} s  ${line}`);
    if (tracked.deeds.length > KEPT_DEEDS) tracked.deeds.shift();
  }

  killed(functionName: string): void {
    increase(this.totals.functionKills, functionName.replace('lead-handoff-local-', ''));
  }

  missed(deed: string): void {
    increase(this.totals.missed, deed);
  }
}
