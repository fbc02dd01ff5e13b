import type { ActionState } from '../../../functions/domain/action-state.ts';
import type { Amendment } from '../../../functions/domain/amendment.ts';
import type { Decision, DecisionResult } from '../../../functions/domain/decision.ts';
import type { PersonsRequest } from '../../../functions/domain/decision-request.ts';
import type { Waiting, WaitingSubject } from '../../../functions/domain/handoff.ts';
import type { Operation } from '../../../functions/domain/operation.ts';
import type { Outcome } from '../../../functions/domain/outcome.ts';
import type { Destination } from './destination.ts';

/** What may still go wrong or be done by people in the rest of a schedule. */
export interface Budget {
  /** Kills, lost sights of a running function, ledger and Powertools requests that fail or lose their answer. */
  readonly faults: number;
  /** Write requests to the destination that do not simply succeed. */
  readonly fates: number;
  /** Further deliveries of an attempt, as a redrive into the action state or a second worker makes them. */
  readonly duplicates: number;
  /** Reads of the destination that give no answer. */
  readonly unreadable: number;
  /** Things that people do at the destination. */
  readonly people: number;
  /** Decisions that are simply written down. */
  readonly decisions: number;
  /** Decisions that a person makes through the function for it. */
  readonly deciders: number;
  /** Times that a person makes their decision once more. */
  readonly repeats: number;
  /** Times that a person starts the handoff again through the function for it. */
  readonly resubmits: number;
  /** Times that somebody stops the execution in the console. */
  readonly aborts: number;
  /** Times that somebody redrives an execution that was aborted or has failed. */
  readonly redrives: number;
  /** Times that the route is paused. */
  readonly pauses: number;
  /** Executions that take the fence. */
  readonly takeovers: number;
  /** Executions that never had the fence. */
  readonly strangers: number;
}

export type FlowState =
  | 'act'
  | 'act-again'
  | 'reconcile'
  | 'reconcile-again'
  | 'wait'
  | 'park'
  | 'ask'
  | 'close'
  | 'close-again'
  | 'end';

/** One execution's group of states. */
export interface Flow {
  readonly execution: string;
  readonly state: FlowState;
  readonly attempt: number;
  readonly turns: number;
  readonly asked: number;
  readonly error: string | null;
  readonly reason: string | null;
  /** The function of this state was started. */
  readonly entered: boolean;
  /** Name of the function that this state waits for. */
  readonly awaits: string | null;
  /** The task token of a state that waits behind one. */
  readonly token: string | null;
  /** When a wait is over or a token times out; null: never. */
  readonly until: number | null;
  readonly retried: boolean;
  /** How its group of states ended, or the execution before that. */
  readonly end: 'performed' | 'keep' | 'stop' | 'aborted' | 'failed' | null;
  /** The state that a redrive begins with again; null while the execution runs, and where it has succeeded. */
  readonly endedIn: FlowState | null;
}

/** What a person asked of the route's recovery: an execution of its own, whose one state runs the function. */
export interface Asking {
  readonly execution: string;
  readonly request: PersonsRequest;
}

/** The functions: those of the workflow's states, what a person starts, and what looks after handoffs. */
export type Role = 'act' | 'reconcile' | 'ask' | 'park' | 'close' | 'decide' | 'ended' | 'sweep';

/** One running function. */
export interface Process {
  readonly name: string;
  readonly role: Role;
  readonly attempt: number;
  readonly execution: string;
  /** What a person asked; null for every other function. */
  readonly asking: Asking | null;
  /** Where its program stands. */
  readonly position: number;
  /** The function's timeout kills it then. */
  readonly endsAt: number;
  /** It holds a claim. */
  readonly claimed: boolean;
  /** It has sent a request that changes something. */
  readonly called: boolean;
  /** It has put its token on the waiting list. */
  readonly listed: boolean;
  /** It was told that its execution is not the current one. */
  readonly stale: boolean;
  /** The version of the contact and the owner that it read last. */
  readonly saw: { readonly etag: number; readonly ownerId: string | null } | null;
}

/** What Powertools remembers of one attempt. */
export interface Remembered {
  readonly status: 'in-progress' | 'completed';
  /** From then on an `in-progress` record may be taken over. */
  readonly until: number;
  readonly outcome: Outcome | null;
}

/** Written down only for the checks; no program sees it. */
export interface Ghost {
  /** Who has held each attempt. */
  readonly holders: Readonly<Record<number, string>>;
  /** Decisions that were consumed and let something happen. */
  readonly decisions: number;
  /** A person accepted that the effect may happen twice. */
  readonly riskAccepted: boolean;
  /** A person hid the effect from our searches. */
  readonly hidden: boolean;
  /** A person was told that the action is theirs. */
  readonly personHolds: boolean;
  /** A person has done the action by hand. */
  readonly byHand: boolean;
  /** What became of the decisions that people made through the function, by the execution that they started. */
  readonly answers: Readonly<Record<string, Answered>>;
  /** The token of the last question that a person was told of. */
  readonly told: string | null;
}

/** A decision that was written down. */
export interface Answered {
  readonly decision: Decision;
  readonly became: DecisionResult | 'replaced';
  /** A question was asked after it, or another decision made. */
  readonly overtaken: boolean;
}

/** Everything there is at one moment: a value, so that any number of futures can start from it. */
export interface World {
  readonly now: number;
  /** The current execution of the handoff. */
  readonly execution: string;
  readonly closedAt: number | null;
  readonly flows: readonly Flow[];
  readonly processes: readonly Process[];
  /** How many functions have been started. */
  readonly started: number;
  readonly action: ActionState;
  readonly operations: readonly Operation[];
  readonly waiting: readonly Waiting[];
  /** The hashes of the other fields that are kept under the id. */
  readonly conflicts: readonly string[];
  /** Which fields took the place of the first ones. */
  readonly amendments: readonly Amendment[];
  /** Whose last handoff this is. */
  readonly persons: readonly string[];
  /** What people started and what ended in an error that their state machine meets by running the function again, and until when. */
  readonly again: readonly (Asking & { readonly until: number })[];
  readonly paused: boolean;
  readonly remembered: Readonly<Record<string, Remembered>>;
  /**
   * Since the last moment at which a further delivery might have begun, nothing happened that it could see: it need not begin here.
   */
  readonly quietSince: boolean;
  readonly destination: Destination;
  readonly budget: Budget;
  readonly ghost: Ghost;
}

export const NO_BUDGET: Budget = {
  faults: 0,
  fates: 0,
  duplicates: 0,
  unreadable: 0,
  people: 0,
  decisions: 0,
  deciders: 0,
  repeats: 0,
  resubmits: 0,
  aborts: 0,
  redrives: 0,
  pauses: 0,
  takeovers: 0,
  strangers: 0,
};

export function spend(world: World, what: keyof Budget): World {
  return { ...world, budget: { ...world.budget, [what]: world.budget[what] - 1 } };
}

export function withProcess(world: World, process: Process): World {
  return {
    ...world,
    processes: world.processes.map((other) => (other.name === process.name ? process : other)),
  };
}

export function withoutProcess(world: World, name: string): World {
  return { ...world, processes: world.processes.filter((other) => other.name !== name) };
}

export function withFlow(world: World, flow: Flow): World {
  return {
    ...world,
    flows: world.flows.map((other) => (other.execution === flow.execution ? flow : other)),
  };
}

/** What waits of the action, or of the handoff as a whole. */
export function waitingOf(
  { waiting, action }: World,
  subject: WaitingSubject = action.action,
): Waiting | null {
  return waiting.find((item) => item.action === subject) ?? null;
}

/** The flow of the current execution; undefined where it was never started. */
export function currentFlow({ flows, execution }: World): Flow | undefined {
  return flows.find((flow) => flow.execution === execution);
}
