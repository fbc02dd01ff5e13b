import type { ActionName, LeadKey } from '../domain/action.ts';
import type { ActionState } from '../domain/action-state.ts';
import type { Amendment } from '../domain/amendment.ts';
import type { DeadLetter, Resolution } from '../domain/dead-letter.ts';
import type {
  Conflict,
  Handoff,
  LedgerRecord,
  OpenHandoff,
  Resubmission,
  Waiting,
  WaitingSubject,
} from '../domain/handoff.ts';
import type { Operation } from '../domain/operation.ts';
import type { PersonsHandoff } from '../domain/same-person.ts';
import type { ActionEvent, Rejected } from '../domain/transition.ts';

/** The ledger gave no answer; whether a write was applied is not known. Nothing was called because of it. */
export class LedgerUnavailable extends Error {
  override readonly name = 'LedgerUnavailable';

  constructor(doing: string, cause: unknown) {
    super(`The ledger could not be reached (${doing}).`, { cause });
  }
}

/** Whether work may go out: read before every claim and before every resume. */
export interface Gates {
  readonly routePaused: boolean;
  readonly breakerOpen: boolean;
}

/** What stands under an id, whether or not a handoff does. */
export interface UnderId {
  readonly handoff: Handoff | null;
  readonly waiting: readonly Waiting[];
  readonly conflicts: readonly Conflict[];
  readonly deadLetters: readonly DeadLetter[];
}

/**
 * The truth about every handoff. Reads are strongly consistent; each write is one conditional write of one item. Every method
 * throws `LedgerUnavailable`.
 */
export interface Ledger {
  handoff(key: LeadKey): Promise<Handoff | null>;
  /** An action that nothing was written of is `open`. */
  action(key: LeadKey, action: ActionName): Promise<ActionState>;
  record(key: LeadKey): Promise<LedgerRecord | null>;

  /**
   * Applies one event through `transition`. `seen` is the state that the caller has read; where the ledger has moved on, the
   * event is judged again on what is there now.
   */
  apply(key: LeadKey, event: ActionEvent, seen: ActionState): Promise<ActionState | Rejected>;

  /** Writes a frozen operation once and returns the one that stands: ours, or the one that was there. */
  freeze(key: LeadKey, operation: Operation): Promise<Operation>;
  operation(key: LeadKey, action: ActionName, revision: number): Promise<Operation | null>;

  /** What intake looks at before it accepts anything under an id. */
  underId(key: LeadKey): Promise<UnderId>;
  /** The next number of a route's rotation, counted from 1. A number whose answer is lost is drawn by nobody else. */
  drawTicket(route: string): Promise<number>;
  /**
   * Makes this the person's last handoff on its route where there is none, or one that was accepted `windowMs` or longer before.
   * Returns the one that stands.
   */
  claimPerson(
    person: string,
    key: LeadKey,
    acceptedAt: number,
    times: { readonly windowMs: number; readonly expiresAt: number },
  ): Promise<PersonsHandoff>;
  /** The person's last handoff on a route, whenever that was. */
  personsHandoff(person: string, route: string): Promise<PersonsHandoff | null>;
  /** This is the person's last handoff no more, where it was. */
  releasePerson(person: string, key: LeadKey): Promise<void>;
  /** Closes an open handoff of this run as joined to the person's other one; returns what stands. */
  join(
    key: LeadKey,
    run: number,
    joinedTo: string,
    times: { readonly at: number; readonly expiresAt: number },
  ): Promise<Handoff>;

  /** Keeps a dead letter, and asks about it; returns the one of that message that stands. */
  addDeadLetter(key: LeadKey, deadLetter: DeadLetter): Promise<DeadLetter>;
  /** Ends the investigation of a dead letter, once; nobody is asked about it any more. */
  resolveDeadLetter(
    key: LeadKey,
    messageId: string,
    resolution: Resolution,
    expiresAt: number,
  ): Promise<void>;

  /** Writes a handoff once and returns the one that stands. */
  accept(handoff: Handoff): Promise<{ readonly accepted: boolean; readonly handoff: Handoff }>;
  /**
   * Keeps the first of several requests with one hash.
   *
   * @param expiresAt for one under an id that may never have a handoff whose close would end it; epoch milliseconds
   */
  addConflict(key: LeadKey, conflict: Conflict, expiresAt?: number): Promise<void>;
  conflict(key: LeadKey, intentHash: string): Promise<Conflict | null>;
  /** Puts the fields of the conflict of that hash in the place of the lead's; once per decision. */
  amend(key: LeadKey, amendment: Amendment): Promise<void>;
  /**
   * Makes `execution` the current one where run `fromRun` still is and the handoff is open; returns what stands.
   *
   * @param resubmission kept with it where a person asked for the run
   */
  takeFence(
    key: LeadKey,
    fromRun: number,
    execution: string,
    resubmission?: Omit<Resubmission, 'run'>,
  ): Promise<Handoff>;
  /** Closes the handoff of the current execution; false when another execution is current. */
  close(key: LeadKey, execution: string, at: number, expiresAt: number): Promise<boolean>;

  /** That of a dead letter is changed where it still waits, and never made: the dead letter brings it along. */
  putWaiting(key: LeadKey, waiting: Waiting): Promise<void>;
  removeWaiting(key: LeadKey, subject: WaitingSubject): Promise<void>;
  /** Oldest first. */
  listWaiting(kind: Waiting['kind'], partition: string): Promise<readonly (LeadKey & Waiting)[]>;
  /** What was accepted on a route and is not closed, oldest first. Eventually consistent. */
  listOpen(route: string): Promise<readonly OpenHandoff[]>;

  gates(route: string, destination: string): Promise<Gates>;
}
