import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STAGE_NUMBERS } from '../../../functions/domain/stage-numbers.ts';
import { graceMs } from '../../../functions/recovery/sweep-handoff.ts';
import type { AcceptedEvent } from '../../../local/event-bus.ts';
import {
  ACTION_STATES,
  type ActionStates,
  closed,
  handoffExecution,
  killedAtWrite,
  RECOVERY_MACHINE,
  REFUSED,
  ROBIN,
  standingOnlyIn,
  standsIn,
  taken,
  waitsFor,
} from './recovery.ts';
import { leadOf, ONE_OF_EACH, ROUTE, type Stack, startStack, submit, until } from './stack.ts';

/**
 * The token of a question is lost while its execution waits for it: its item is gone from the ledger. One sweep, as soon as nothing
 * that is under way can be meant, brings the lead back to people; a decision then goes on in a new run.
 */

const SWEEP = 'lead-handoff-local-sweep';

interface Case {
  readonly id: string;
  readonly at: ActionStates;
  /** Whether somebody decided after the loss and before the sweep, and whether they were told. */
  readonly decided: 'later' | 'before-the-sweep' | 'unfinished';
}

const [CONTACT, , TASK, INTRODUCTION] = ACTION_STATES as [
  ActionStates,
  ActionStates,
  ActionStates,
  ActionStates,
];

const CASES: readonly Case[] = [
  { id: 'lost-contact', at: CONTACT, decided: 'later' },
  { id: 'lost-task', at: TASK, decided: 'later' },
  { id: 'lost-introduction', at: INTRODUCTION, decided: 'later' },
  { id: 'lost-and-decided', at: TASK, decided: 'before-the-sweep' },
  { id: 'decided-unfinished', at: INTRODUCTION, decided: 'unfinished' },
];

let stack: Stack;
let swept: Promise<void>;

beforeAll(async () => {
  stack = await startStack();
  await Promise.all(CASES.map(asked));
  // Where everything waits, the next write to the ledger is the one that a test makes.
  await Promise.all(CASES.map(async (each) => standingOnlyIn(await executionOf(each), askStateOf(each))));
  for (const each of CASES) await lost(each);
  swept = oneSweep();
  swept.catch(() => {});
}, 180_000);

afterAll(() => stack.engine.stop());

const executionOf = ({ id }: Case) => handoffExecution(stack, id);
const askStateOf = ({ at: { subject } }: Case) => `${subject}: ask recovery owner`;

async function asked({ id, at: { action, operation } }: Case): Promise<void> {
  await stack.destination.plan({ operation, match: { email: leadOf(id).email }, ...REFUSED });
  await submit(stack, leadOf(id));
  await waitsFor(stack, id, action);
}

const request = ({ id, at: { action } }: Case) => ({
  leadRequestId: id,
  action,
  decision: 'resume',
  ...ROBIN,
});

async function lost(each: Case): Promise<void> {
  const { id, at, decided } = each;
  if (decided === 'unfinished') {
    const { executions } = stack.engine;
    const decision = await killedAtWrite(stack, 'lead-handoff-local-decide', () =>
      executions.start(RECOVERY_MACHINE, undefined, JSON.stringify(request(each))),
    );
    executions.stop(decision.start.arn, 'Stopped', 'Nobody does it again.');
    return;
  }
  await stack.ledger.removeWaiting({ route: ROUTE, leadRequestId: id }, at.action);
  if (decided === 'later') return;
  expect(await taken(stack, request(each))).toMatchObject({ recorded: 'now', carriedOn: 'by-itself' });
}

/** Not before the sweep may think that nobody is at it any more, and once. */
async function oneSweep(): Promise<void> {
  const since = Date.now();
  await until('the grace is over', () => Date.now() - since > graceMs(STAGE_NUMBERS.local));
  for (const each of CASES) expect(standsIn(await executionOf(each), askStateOf(each))).toBe(true);
  const { failed, payload } = await stack.engine.invoke(SWEEP, {});
  expect({ failed, payload }).toEqual({ failed: false, payload: expect.any(String) });
}

describe('one sweep after the loss', () => {
  test.each(CASES)('$id', { timeout: 120_000 }, async (each) => {
    await swept;
    const { id, at, decided } = each;
    const record = await stack.ledger.record({ route: ROUTE, leadRequestId: id });
    if (decided === 'later') {
      expect(record?.waiting).toMatchObject([
        { action: at.action, kind: 'ask', token: null, who: 'robin.okafor@revops.example.com' },
      ]);
      expect(toldOf(id)).toBe(2);
      const listed = await taken(stack, { decision: 'waiting' });
      expect(listed.waiting).toContainEqual(
        expect.objectContaining({ leadRequestId: id, action: at.action, kind: 'ask' }),
      );
      const answer = await taken(stack, request(each));
      expect(answer).toMatchObject({ recorded: 'now', carriedOn: 'resubmitted' });
    }
    const { handoff, waiting, actions } = await closed(stack, id, decided === 'unfinished' ? 1 : 2);
    expect(handoff.run).toBe(decided === 'unfinished' ? 1 : 2);
    if (handoff.run === 2) expect((await handoffExecution(stack, id)).status).toBe('ABORTED');
    expect(waiting).toEqual([]);
    expect(actions.map(({ phase }) => phase)).toEqual(Array(4).fill('performed'));
    const action = actions.find((state) => state.action === at.action);
    expect(action?.lastDecision).toMatchObject({ decision: { by: ROBIN.by }, result: 'used' });
    expect(await stack.destination.effects(leadOf(id).email)).toEqual(ONE_OF_EACH);
  });
});

/** How often people were told of a question about this lead. */
function toldOf(id: string): number {
  return stack.engine.events.filter(
    ({ event }: AcceptedEvent) =>
      event['detail-type'] === 'recovery.opened' &&
      (event.detail as { leadRequestId: string }).leadRequestId === id,
  ).length;
}
