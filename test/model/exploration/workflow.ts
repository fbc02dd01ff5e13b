import type { ReconcileAnswer } from '../../../functions/domain/workflow-data.ts';
import type { Ended } from './coroutine.ts';
import { NUMBERS } from './settings.ts';
import type { Flow, Role, World } from './world.ts';

/** After which errors an action state delivers the same attempt again; `lib/workflow/retries.ts`, with one retry for five. */
const SAME_ATTEMPT_AGAIN: readonly string[] = ['IdempotencyAlreadyInProgressError', 'LedgerUnavailable'];

/** From here on the back-off does not grow any more. */
const TURNS_THAT_COUNT = 2;

export function newFlow(execution: string): Flow {
  return {
    execution,
    state: 'act',
    attempt: 1,
    turns: 0,
    asked: 0,
    error: null,
    reason: null,
    entered: false,
    awaits: null,
    token: null,
    until: null,
    retried: false,
    end: null,
    endedIn: null,
  };
}

function counted(turns: number): number {
  return Math.min(turns + 1, TURNS_THAT_COUNT);
}

/** The states of `lib/workflow/action-group.ts`: what follows when the function that a state waits for has ended. */
export function afterFunction(flow: Flow, ended: Ended, world: World): Flow {
  const free = { ...flow, awaits: null, token: null, entered: false };
  switch (flow.state) {
    case 'act':
      return 'value' in ended
        ? { ...free, state: 'end', end: 'performed' }
        : afterFailedAct(free, ended.error, world);
    case 'reconcile':
      return 'value' in ended
        ? afterReconcile(free, ended.value as ReconcileAnswer, world)
        : afterFailedReconcile(free, ended.error, world);
    case 'ask':
    case 'park':
      // What the function returns is not seen: the state goes on waiting for its token.
      return 'value' in ended
        ? { ...flow, awaits: null }
        : waiting({ ...free, error: ended.error }, pause(free), world);
    case 'close':
      return 'value' in ended ? { ...free, state: 'end' } : afterFailedClose(free, world);
    default:
      return free;
  }
}

/** `Close record` follows the group that has ended. */
export function thenClose(flow: Flow): Flow {
  return flow.state === 'end' ? { ...flow, state: 'close', retried: false } : flow;
}

function afterFailedClose(flow: Flow, world: World): Flow {
  return flow.retried
    ? { ...flow, state: 'end', end: 'failed', endedIn: 'close' }
    : { ...flow, state: 'close-again', retried: true, until: world.now + 1000 };
}

function afterFailedAct(flow: Flow, error: string, world: World): Flow {
  if (SAME_ATTEMPT_AGAIN.includes(error) && !flow.retried) {
    return { ...flow, state: 'act-again', retried: true, until: world.now + 1000 };
  }
  return { ...flow, state: 'reconcile', retried: false, error };
}

function afterReconcile(flow: Flow, answer: ReconcileAnswer, world: World): Flow {
  const { disposition, attempt, reason, waitSeconds } = answer;
  const told = { ...flow, attempt, reason, error: null, retried: false, turns: counted(flow.turns) };
  switch (disposition) {
    case 'keep':
    case 'stop':
      return { ...told, state: 'end', end: disposition };
    case 'resume':
      return { ...told, state: 'act' };
    case 'wait':
      return waiting(told, Math.max(1, Math.ceil(waitSeconds)), world);
    case 'park':
      return { ...told, state: 'park', until: world.now + NUMBERS.parkSeconds * 1000 };
    case 'ask':
      return { ...told, state: 'ask', until: askedUntil(told, world.now) };
  }
}

function afterFailedReconcile(flow: Flow, error: string, world: World): Flow {
  if (error === 'LedgerUnavailable' && !flow.retried) {
    return { ...flow, state: 'reconcile-again', retried: true, until: world.now + 1000 };
  }
  const told = { ...flow, error, retried: false, turns: counted(flow.turns) };
  return waiting(told, pause(flow), world);
}

function pause({ turns }: Flow): number {
  return turns + 1;
}

function waiting(flow: Flow, seconds: number, world: World): Flow {
  return { ...flow, state: 'wait', until: world.now + seconds * 1000 };
}

/** When the time of a wait, a retry or a token is over. */
export function afterTime(flow: Flow): Flow {
  const free = { ...flow, until: null, awaits: null, token: null, entered: false };
  switch (flow.state) {
    case 'act-again':
      return { ...free, state: 'act' };
    case 'close-again':
      return { ...free, state: 'close' };
    case 'ask':
      return {
        ...free,
        state: 'reconcile',
        asked: Math.min(flow.asked + 1, NUMBERS.escalations),
        error: 'States.Timeout',
      };
    case 'park':
      return { ...free, state: 'reconcile', error: 'States.Timeout' };
    default:
      return { ...free, state: 'reconcile' };
  }
}

/**
 * A redrive begins with the state that had not succeeded, with its retries and its time anew; a token of before is worth nothing any more
 * (https://docs.aws.amazon.com/step-functions/latest/dg/redrive-executions.html).
 */
export function redriven(flow: Flow, now: number): Flow {
  const again: Flow = {
    ...flow,
    state: flow.endedIn ?? 'end',
    end: null,
    endedIn: null,
    entered: false,
    retried: false,
  };
  switch (flow.endedIn) {
    case 'act-again':
    case 'reconcile-again':
    case 'close-again':
      return afterTime(again);
    case 'wait':
      return { ...again, until: now + 1000 };
    case 'park':
      return { ...again, until: now + NUMBERS.parkSeconds * 1000 };
    case 'ask':
      return { ...again, until: askedUntil(flow, now) };
    default:
      return again;
  }
}

function askedUntil({ asked }: Flow, now: number): number | null {
  return asked < NUMBERS.escalations ? now + NUMBERS.askSlaSeconds * 1000 : null;
}

/** When the task token is completed. */
export function afterToken(flow: Flow): Flow {
  const answered = flow.state === 'ask' ? { asked: 0, turns: 0 } : {};
  return {
    ...flow,
    ...answered,
    state: 'reconcile',
    error: null,
    until: null,
    awaits: null,
    token: null,
    entered: false,
  };
}

/** The function that a state runs on entry; null where it runs none. */
export function roleOf({ state }: Flow): Role | null {
  switch (state) {
    case 'act':
    case 'reconcile':
    case 'ask':
    case 'park':
    case 'close':
      return state;
    default:
      return null;
  }
}
