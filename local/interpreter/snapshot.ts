import type { Json, JsonObject } from './json.ts';

/**
 * Everything an execution knows, as plain JSON. The interpreter has no other state: it works on this tree
 * and hands out a copy at every step that must survive a kill. Times are milliseconds since the epoch.
 */
export interface ExecutionSnapshot {
  version: 1;
  /** Number of history events that were emitted before this snapshot. */
  lastEventId: number;
  /** The execution's own input. */
  input: Json;
  /** Tokens of tasks that no longer wait. */
  closedTokens: string[];
  root: ScopeSnapshot;
}

/** A running sequence of states: the top level, one branch of a Parallel, or one iteration of a Map. */
export interface ScopeSnapshot {
  /** Variables assigned in this scope (an inner scope also reads those of the scopes around it). */
  variables: JsonObject;
  /** Input of its first state. */
  input: Json;
  /** The event that the scope's next event follows. */
  lastEventId: number;
  mapItem?: { Index: number; Value: Json };
  current?: CurrentState;
  /** Present once the scope has finished. `failed` only where a Map tolerates it. */
  result?: { output: Json } | { failed: true };
}

/** The state that a scope is in. */
export interface CurrentState {
  name: string;
  input: Json;
  enteredAt: number;
  enteredEventId: number;
  /** Retries so far, all retriers together: `$states.context.State.RetryCount`. */
  retryCount: number;
  /** Retries so far per retrier. */
  retries: number[];
  /** The next attempt starts at this time. */
  retryAt?: number;
  /** A Wait ends at this time. */
  waitUntil?: number;
  /** The error name of the failure that nothing caught. */
  failedWith?: string;
  /** A redrive goes on in this visit: the state is not entered again. */
  redriven?: true;
  task?: TaskSnapshot;
  children?: ChildrenSnapshot;
}

/** A Task's attempt in progress. */
export interface TaskSnapshot {
  token?: string;
  /** The service accepted the call of a `.waitForTaskToken` task; only the callback is awaited. */
  submitted: boolean;
  deadline?: number;
  heartbeatSeconds?: number;
  heartbeatDeadline?: number;
  /** The callback, kept until the state has used it. */
  answer?: { output: Json } | { error?: string; cause?: string };
}

/** The branches of a Parallel or the iterations of a Map (null: not started yet). */
export interface ChildrenSnapshot {
  /** The event that says that they were started. */
  startedEventId: number;
  scopes: (ScopeSnapshot | null)[];
  items?: Json[];
  concurrency?: number;
  /** Failed iterations that the Map tolerates; absent where it has no threshold. */
  tolerated?: number;
}

/** A scope that has not entered its first state. */
export function newScope(
  input: Json,
  lastEventId: number,
  mapItem?: ScopeSnapshot['mapItem'],
): ScopeSnapshot {
  return { variables: {}, input, lastEventId, ...(mapItem && { mapItem }) };
}
