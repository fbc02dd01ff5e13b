import { afterAll, beforeAll, expect, test } from 'vitest';
import { leadOf, ONE_OF_EACH, ROUTE, type Stack, settled, startStack, submit, until } from './real/stack.ts';

/**
 * A redrive in the console enters an action state directly, past its reconcile state. The ledger's claim must hold
 * then, not the graph.
 */

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
}, 300_000);

afterAll(() => stack.engine.stop());

test.each([
  ['upsert-contact', 'Upsert contact', 'create-contact'],
  ['assign-owner', 'Assign owner', 'set-owner'],
  ['create-task', 'Create task', 'create-task'],
  ['send-introduction', 'Send introduction', 'send-email'],
])(
  'an execution that is stopped while %s is under way, and redriven, does it once',
  async (action, state, operation) => {
    const id = `redriven-${action}`;
    const { email } = leadOf(id);
    await stack.destination.plan({ operation, kind: 'apply-then-drop', match: { email } });
    await submit(stack, leadOf(id));
    const record = await until(`${state} runs`, () => {
      const found = stack.engine.executions.all().find(({ start }) => start.name === `${ROUTE}.${id}.1`);
      const entered = found?.events.some(({ stateEnteredEventDetails: details }) => details?.name === state);
      return entered && found;
    });

    stack.engine.executions.stop(record.start.arn, 'Stopped', 'By a test.');
    expect(record.status).toBe('ABORTED');
    stack.engine.executions.redrive(record.start.arn);

    await settled(stack.ledger, id);
    await until('the execution has ended', () => record.status !== 'RUNNING');
    expect(record.status).toBe('SUCCEEDED');
    expect(await stack.destination.effects(email)).toEqual(ONE_OF_EACH);
    const types = record.events.map(({ type }) => type);
    expect(types[types.indexOf('ExecutionAborted') + 1]).toBe('ExecutionRedriven');
  },
  180_000,
);
