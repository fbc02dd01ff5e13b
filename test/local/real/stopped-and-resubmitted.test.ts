import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACTIONS } from '../../../functions/domain/action.ts';
import type { ExecutionRecord } from '../../../local/execution-record.ts';
import {
  ACTION_STATES,
  type ActionStates,
  closed,
  fewAtOnce,
  frozen,
  handoffExecution,
  REFUSED,
  ROBIN,
  setRoute,
  shows,
  standing,
  standsIn,
  stopIn,
  taken,
  waitsFor,
} from './recovery.ts';
import { type Effects, leadOf, ONE_OF_EACH, type Stack, startStack, submit } from './stack.ts';

/**
 * Wherever an execution is stopped, the next run that a person starts does what is missing and nothing twice. The work that was
 * under way goes on behind the stopped execution, as in an account.
 */

type Place = 'action' | 'reconcile' | 'wait' | 'ask' | 'parked' | 'close';

interface Case {
  readonly state: string;
  readonly place: Place;
  readonly id: string;
  /** The action that it stands at; the last one of all for the record's closing. */
  readonly at: ActionStates;
}

const LAST = ACTION_STATES[3] as ActionStates;

function casesAt(at: ActionStates): Case[] {
  const states: Partial<Record<Place, string>> = {
    action: at.state,
    reconcile: at.reconcile,
    wait: `${at.subject}: wait`,
    ask: `${at.subject}: ask recovery owner`,
    parked: `${at.subject}: parked`,
  };
  return Object.entries(states).map(([place, state]) => ({
    state,
    place: place as Place,
    id: `${place}-${at.action}`,
    at,
  }));
}

const CASES: readonly Case[] = [
  ...ACTION_STATES.flatMap(casesAt),
  { state: 'Close record', place: 'close', id: 'close', at: LAST },
];
/** A pause holds every lead of the route, so that these come before all the others. */
const PARKED = CASES.filter(({ place }) => place === 'parked');

const comeBackIn = (seconds: number) => ({
  kind: 'status',
  status: 429,
  headers: { 'retry-after': String(seconds) },
});

/** What goes wrong at the destination so that the execution comes to stand there. */
function faultOf({ place, at }: Case): object | null {
  switch (place) {
    case 'action':
      // Applied at once and answered late: the worker is left behind with its answer.
      return { kind: 'delay', delayMs: 850 };
    case 'reconcile':
      return { kind: 'apply-then-drop' };
    case 'wait':
      // What has an idempotency key is not waited for, unless the destination wants it.
      return at === LAST ? comeBackIn(2) : { kind: 'drop' };
    case 'ask':
      return REFUSED;
    case 'parked':
      // Long enough for the pause to come before the next attempt, whatever has to start first.
      return comeBackIn(12);
    case 'close':
      return null;
  }
}

const CLOSE = 'lead-handoff-local-close';

/** Those that wait longest for the destination begin first. */
const LONGEST_FIRST: readonly Place[] = ['parked', 'ask', 'wait', 'action', 'reconcile', 'close'];
const AT_ONCE = 6;

let stack: Stack;
let runs: ReadonlyMap<Case, Promise<void>>;

beforeAll(async () => {
  stack = await startStack();
  await stoppedWhileParked(await Promise.all(PARKED.map(begun)));
  const inOrder = LONGEST_FIRST.flatMap((place) => CASES.filter((each) => each.place === place));
  runs = fewAtOnce(inOrder, AT_ONCE, (each) =>
    PARKED.includes(each) ? resubmitted(each) : stoppedAndResubmitted(each),
  );
}, 180_000);

afterAll(() => stack.engine.stop());

/** The execution of a new lead whose destination fails as the case wants it. */
async function begun(each: Case): Promise<ExecutionRecord> {
  const { id, at } = each;
  const { email } = leadOf(id);
  const fault = faultOf(each);
  if (fault) await stack.destination.plan({ operation: at.operation, match: { email }, ...fault });
  await submit(stack, leadOf(id));
  return handoffExecution(stack, id);
}

async function stoppedAndResubmitted(each: Case): Promise<void> {
  const { state, place, id, at } = each;
  const record = await begun(each);
  await standing(record, state);
  if (place === 'close') {
    await frozen(stack, CLOSE, async () => {
      stopIn(stack, record, state);
      await taken(stack, { decision: 'resubmit', leadRequestId: id, ...ROBIN });
    });
    return resubmitted(each, false);
  }
  if (place === 'action') await shows(stack, leadOf(id).email, { [EFFECT[at.action]]: 1 });
  if (place === 'ask') await waitsFor(stack, id, at.action);
  stopIn(stack, record, state);
  await resubmitted(each);
}

/** All are parked by one pause, and stopped before it ends. */
async function stoppedWhileParked(records: readonly ExecutionRecord[]): Promise<void> {
  const held = PARKED.map((each, i) => [each, records[i] as ExecutionRecord] as const);
  await Promise.all(held.map(([{ at }, record]) => standing(record, `${at.subject}: wait`)));
  await setRoute(stack, 'paused');
  await Promise.all(
    held.map(async ([{ state, id, at }, record]) => {
      await standing(record, state);
      await waitsFor(stack, id, at.action);
      stopIn(stack, record, state);
    }),
  );
  await setRoute(stack, 'open');
}

/** Which effect an action has, in the sandbox's own words. */
const EFFECT: Readonly<Record<ActionStates['action'], keyof Effects>> = {
  'upsert-contact': 'contacts',
  'assign-owner': 'ownerWrites',
  'create-task': 'tasks',
  'send-introduction': 'emails',
};

/** The next run comes to the end. */
async function resubmitted({ place, id, at }: Case, resubmit = true): Promise<void> {
  if (resubmit) {
    const answer = await taken(stack, { decision: 'resubmit', leadRequestId: id, ...ROBIN });
    expect(answer).toMatchObject({ run: 2 });
  }
  if (place === 'ask') {
    await waitsFor(stack, id, at.action);
    await taken(stack, { decision: 'resume', leadRequestId: id, action: at.action, ...ROBIN });
  }
  await closed(stack, id, 2);
}

test('the cases are every state of the definition in which a handoff can stand', () => {
  const machine = stack.engine.stateMachines.find(({ name }) => name === 'lead-handoff-local');
  expect(CASES.map(({ state }) => state).sort()).toEqual(
    standingPlaces(JSON.parse(machine?.definition ?? '{}')).sort(),
  );
});

interface States {
  readonly States?: Readonly<Record<string, { readonly Type: string; readonly Branches?: States[] }>>;
}

/** Tasks and waits; every other state is left in the moment it is entered. */
function standingPlaces({ States: states = {} }: States): string[] {
  return Object.entries(states).flatMap(([name, { Type, Branches = [] }]) =>
    Type === 'Task' || Type === 'Wait' ? [name] : Branches.flatMap(standingPlaces),
  );
}

describe('an execution is stopped, and the handoff resubmitted, while it stands in', () => {
  test.each(CASES)('$state', { timeout: 180_000 }, async (each) => {
    await runs.get(each);
    const { id, state } = each;
    const [first, second] = await Promise.all([handoffExecution(stack, id), handoffExecution(stack, id, 2)]);
    expect(first.status).toBe('ABORTED');
    expect(standsIn(first, state)).toBe(true);
    const record = await closed(stack, id, 2);
    expect(record.handoff).toMatchObject({ run: 2, execution: second.start.name });
    expect(record.waiting).toEqual([]);
    const ended = record.actions.map(({ phase, warnings, evidence }) => [phase, warnings, evidence?.kind]);
    expect(ended).toHaveLength(ACTIONS.length);
    for (const end of ended)
      expect(end).toEqual(['performed', [], expect.stringMatching(/^(receipt|record)$/)]);
    expect(await stack.destination.effects(leadOf(id).email)).toEqual(ONE_OF_EACH);
  });
});
