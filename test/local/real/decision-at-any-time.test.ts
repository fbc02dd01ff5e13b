import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { intentHash } from '../../../functions/domain/intent.ts';
import { parseLeadRequest } from '../../../functions/domain/lead-request.ts';
import { STAGE_NUMBERS } from '../../../functions/domain/stage-numbers.ts';
import { executionInput } from '../../../functions/domain/workflow-data.ts';
import type { ExecutionRecord } from '../../../local/execution-record.ts';
import {
  closed,
  decided,
  ended,
  frozen,
  HANDOFF_MACHINE,
  handoffExecution,
  killedAtWrite,
  RECOVERY_MACHINE,
  REFUSED,
  ROBIN,
  setRoute,
  standing,
  standingOnlyIn,
  standsIn,
  stateAt,
  taken,
  waitsFor,
} from './recovery.ts';
import { leadOf, ONE_OF_EACH, ROUTE, type Stack, startStack, submit, until, WITHIN_MS } from './stack.ts';

/**
 * A person decides when nobody waits for it yet, when nobody waits for it any more, or when something else is waited for: it takes
 * effect once.
 */

const ASK = 'Task: ask recovery owner';
const PARKED = 'Task: parked';
const SWEEP = 'lead-handoff-local-sweep';

/** What the person was told, and whether it could be told at the moment that the case is about. */
interface Case {
  readonly id: string;
  readonly decide: (id: string) => Promise<unknown>;
  /** The answer to the decision. */
  readonly answer: object;
  /** Questions whose time was over before they were answered. */
  readonly unanswered: number;
  /** How often the execution came to stand in these states. */
  readonly visits: Readonly<Record<string, number>>;
}

const request = (leadRequestId: string) => ({
  leadRequestId,
  action: 'create-task',
  decision: 'resume',
  ...ROBIN,
});

const CASES: readonly Case[] = [
  {
    id: 'decider-killed',
    decide: decidedByKilled,
    answer: { recorded: 'before', result: 'pending', carriedOn: 'answered' },
    unanswered: 0,
    visits: { [ASK]: 1 },
  },
  {
    id: 'after-its-token',
    decide: decidedAfterTimeout,
    answer: { recorded: 'now', carriedOn: 'by-itself' },
    unanswered: 1,
    visits: { [ASK]: 1 },
  },
  {
    id: 'before-its-token',
    decide: decidedBeforeToken,
    answer: { recorded: 'now', carriedOn: 'by-itself' },
    unanswered: 0,
    visits: { [ASK]: 1 },
  },
  {
    id: 'while-parked',
    decide: decidedWhileParked,
    answer: { recorded: 'now', carriedOn: 'answered' },
    unanswered: 0,
    // Once before the decision and once after it: one that has to wait is not looked at again and again.
    visits: { [ASK]: 0, [PARKED]: 2 },
  },
];

let stack: Stack;
const answers = new Map<string, unknown>();

/** One after the other, because they hold functions still and pause the route; what comes of them they wait for together. */
beforeAll(async () => {
  stack = await startStack();
  for (const { id, decide } of CASES) answers.set(id, await decide(id).catch((error: unknown) => error));
}, 240_000);

afterAll(() => stack.engine.stop());

async function refusedTask(id: string): Promise<void> {
  await stack.destination.plan({ operation: 'create-task', match: { email: leadOf(id).email }, ...REFUSED });
}

/** A handoff whose questions are open for so many seconds. */
async function begunWithSla(id: string, askSlaSeconds: number): Promise<ExecutionRecord> {
  const lead = parseLeadRequest(leadOf(id));
  const key = { route: ROUTE, leadRequestId: id };
  const execution = `${ROUTE}.${id}.1`;
  await stack.ledger.accept({
    ...key,
    lead,
    ownerId: '71',
    intentHash: intentHash(lead),
    acceptedAt: Date.now(),
    closedAt: null,
    execution,
    run: 1,
    amendments: [],
  });
  const input = executionInput(key, 1, { askSlaSeconds }, STAGE_NUMBERS.local);
  return stack.engine.executions.start(HANDOFF_MACHINE, execution, JSON.stringify(input));
}

/** Its token is gone, and the next one not there yet: reconcile, which comes in between, is held still. */
async function decidedAfterTimeout(id: string): Promise<unknown> {
  await refusedTask(id);
  const record = await begunWithSla(id, 1);
  await waitsFor(stack, id, 'create-task');
  await until('its time is over', () => unansweredIn(record) > 0, WITHIN_MS, 2);
  return frozen(stack, 'lead-handoff-local-reconcile-create-task', async () => {
    const answer = await taken(stack, request(id));
    expect(standsIn(record, 'Reconcile task')).toBe(true);
    return answer;
  });
}

function unansweredIn({ events }: ExecutionRecord): number {
  return events.filter(({ type, id }) => type === 'TaskTimedOut' && stateAt(events, id) === ASK).length;
}

function visitsOf({ events }: ExecutionRecord, state: string): number {
  return events.filter(({ stateEnteredEventDetails: entered }) => entered?.name === state).length;
}

/** The function that would register the token is held still. */
async function decidedBeforeToken(id: string): Promise<unknown> {
  await refusedTask(id);
  await submit(stack, leadOf(id));
  const record = await handoffExecution(stack, id);
  const answer = await frozen(stack, 'lead-handoff-local-ask', async () => {
    await standing(record, ASK);
    const answer = await taken(stack, request(id));
    expect(await waitingOf(id)).toEqual([]);
    return answer;
  });
  return goesOnByItself(record, answer);
}

/** The question is answered, and not because the sweep came by, which would bring it on as well. */
async function goesOnByItself<T>(record: ExecutionRecord, answer: T): Promise<T> {
  const sweeps = stack.engine.counters.invocations[SWEEP];
  await until(`${ASK} is left`, () => !standsIn(record, ASK));
  expect(stack.engine.counters.invocations[SWEEP]).toBe(sweeps);
  return answer;
}

/** The deciding function is killed right after its write: the person's execution runs it again, and it carries on. */
async function decidedByKilled(id: string): Promise<unknown> {
  await refusedTask(id);
  await submit(stack, leadOf(id));
  await waitsFor(stack, id, 'create-task');
  const handoff = await handoffExecution(stack, id);
  // It is the first lead of all: nothing else is under way, and so the next write to the ledger is the decision.
  await standingOnlyIn(handoff, ASK);
  const input = JSON.stringify(request(id));
  const decision = await killedAtWrite(stack, 'lead-handoff-local-decide', () =>
    stack.engine.executions.start(RECOVERY_MACHINE, undefined, input),
  );
  const { decision: written } = await stack.ledger.action({ route: ROUTE, leadRequestId: id }, 'create-task');
  expect(written).toMatchObject({ kind: 'resume', by: ROBIN.by });
  await ended(decision);
  expect(decision.events.filter(({ type }) => type === 'TaskFailed')).toMatchObject([
    { taskFailedEventDetails: { error: 'Runtime.ExitError' } },
  ]);
  return goesOnByItself(handoff, JSON.parse(decision.end?.output ?? 'null'));
}

/** The route is paused: the decision is heard at once, and holds until the route is opened. */
async function decidedWhileParked(id: string): Promise<unknown> {
  const busy = { kind: 'status', status: 429, headers: { 'retry-after': '3' } };
  await stack.destination.plan({ operation: 'create-task', match: { email: leadOf(id).email }, ...busy });
  await submit(stack, leadOf(id));
  await standing(await handoffExecution(stack, id), 'Task: wait');
  await setRoute(stack, 'paused');
  try {
    const parked = await waitsFor(stack, id, 'create-task');
    expect(parked).toMatchObject({ kind: 'park', why: 'route-paused' });
    const answer = await taken(stack, request(id));
    await until('it is heard, and parked again', async () => {
      const [again] = await waitingOf(id);
      return again && again.token !== parked.token;
    });
    const second = await decided(stack, { ...request(id), by: 'Ana Ito' });
    expect(second.end?.error).toBe('AlreadyDecided');
    expect(second.end?.cause).toMatch(
      /^About create-task it is already decided: resume by Robin Okafor at [-\d]+ [:\d]+Z, not carried out yet\. Until it is carried out, only stop may take its place\.$/,
    );
    return answer;
  } finally {
    await setRoute(stack, 'open');
  }
}

async function waitingOf(id: string) {
  return (await stack.ledger.record({ route: ROUTE, leadRequestId: id }))?.waiting ?? [];
}

describe('a decision takes effect once', () => {
  test.each(CASES)('$id', { timeout: 120_000 }, async ({ id, answer, unanswered, visits }) => {
    const answered = answers.get(id);
    if (answered instanceof Error) throw answered;
    expect(answered).toMatchObject(answer);
    const { handoff, actions, waiting } = await closed(stack, id);
    const task = actions.find(({ action }) => action === 'create-task');
    expect(handoff.run).toBe(1);
    const execution = await handoffExecution(stack, id);
    expect(unansweredIn(execution)).toBe(unanswered);
    for (const [state, times] of Object.entries(visits)) expect(visitsOf(execution, state)).toBe(times);
    expect(waiting).toEqual([]);
    expect(task).toMatchObject({ phase: 'performed', attempt: 2, warnings: [] });
    expect(task?.lastDecision).toMatchObject({ decision: { by: ROBIN.by }, result: 'used' });
    expect(task?.history.filter(({ event }) => event === 'decided-resume')).toHaveLength(1);
    expect(await stack.destination.effects(leadOf(id).email)).toEqual(ONE_OF_EACH);
  });
});
