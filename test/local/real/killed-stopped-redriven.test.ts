import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExecutionRecord } from '../../../local/execution-record.ts';
import {
  closed,
  handoffExecution,
  killed,
  REFUSED,
  ROBIN,
  shows,
  standing,
  stopIn,
  taken,
  waitsFor,
} from './recovery.ts';
import { type Effects, leadOf, ONE_OF_EACH, type Stack, startStack, submit } from './stack.ts';

/**
 * "Redrive" in the console lets an execution go on in the very state in which it ended, past every choice before it. The function
 * that worked there was killed, and its execution stopped in the same moment.
 */

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
}, 120_000);

afterAll(() => stack.engine.stop());

interface Case {
  readonly state: string;
  readonly functionName: string;
  /** What the destination does with the first request of this kind. */
  readonly fault: { readonly operation: string } & Readonly<Record<string, unknown>>;
  /** What the destination shows when the function is killed; left out where that is all the same. */
  readonly effect?: Partial<Effects>;
}

/** Killed while it works for this lead, stopped where it stood, and redriven. */
async function redriven(
  { state, functionName, fault, effect = {} }: Case,
  id: string,
): Promise<ExecutionRecord> {
  const { email } = leadOf(id);
  await stack.destination.plan({ match: { email }, ...fault });
  await submit(stack, leadOf(id));
  const record = await handoffExecution(stack, id);
  await standing(record, state);
  await shows(stack, email, effect);
  // Nothing comes between the two: the execution does not hear of the function's end.
  killed(stack, functionName);
  stopIn(stack, record, state);
  expect(record.status).toBe('ABORTED');
  stack.engine.executions.redrive(record.start.arn);
  return record;
}

/** The receiver of tasks does not recognise a repeat; nothing but the ledger keeps the second one away. */
const CASES: readonly Case[] = [
  {
    state: 'Create task',
    functionName: 'lead-handoff-local-create-task',
    fault: { operation: 'create-task', kind: 'delay', delayMs: 900 },
    effect: { tasks: 1 },
  },
  {
    state: 'Send introduction',
    functionName: 'lead-handoff-local-send-introduction',
    fault: { operation: 'send-email', kind: 'delay', delayMs: 900 },
    effect: { emails: 1 },
  },
  {
    state: 'Reconcile task',
    functionName: 'lead-handoff-local-reconcile-create-task',
    fault: { operation: 'create-task', kind: 'apply-then-drop' },
  },
  {
    state: 'Contact: ask recovery owner',
    functionName: 'lead-handoff-local-ask',
    fault: { operation: 'create-contact', ...REFUSED },
  },
];

test.concurrent.each(CASES)(
  'a kill and a stop in $state, and a redrive: it goes on there, and everything is done once',
  async (each) => {
    const id = `redriven-${each.functionName.slice('lead-handoff-local-'.length)}`;
    const record = await redriven(each, id);
    if (each.state === 'Contact: ask recovery owner') {
      await waitsFor(stack, id, 'upsert-contact');
      const decision = { leadRequestId: id, action: 'upsert-contact', decision: 'resume' };
      expect(await taken(stack, { ...decision, ...ROBIN })).toMatchObject({ carriedOn: 'answered' });
    }
    const { handoff, waiting, actions } = await closed(stack, id);
    expect(handoff.run).toBe(1);
    expect(waiting).toEqual([]);
    expect(actions.map(({ phase }) => phase)).toEqual(Array(4).fill('performed'));
    expect(await stack.destination.effects(leadOf(id).email)).toEqual(ONE_OF_EACH);
    expect(firstAfterRedrive(record, each)).toBe('TaskScheduled');
  },
  120_000,
);

/** What the history has first of the state after the redrive: it goes on, and is not entered again. */
function firstAfterRedrive({ events }: ExecutionRecord, { state, functionName }: Case): string | undefined {
  const redrive = events.findIndex(({ type }) => type === 'ExecutionRedriven');
  expect(events[redrive - 1]?.type).toBe('ExecutionAborted');
  const ofState = events
    .slice(redrive)
    .find(
      ({ taskScheduledEventDetails: scheduled, stateEnteredEventDetails: entered }) =>
        entered?.name === state || String(scheduled?.parameters).includes(`:${functionName}"`),
    );
  return ofState?.type;
}
