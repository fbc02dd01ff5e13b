import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActionName } from '../../../functions/domain/action.ts';
import { handoffStatus } from '../../../functions/domain/handoff.ts';
import {
  functionNames,
  leadOf,
  ONE_OF_EACH,
  type Stack,
  settled,
  startStack,
  submit,
  until,
} from './stack.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
}, 120_000);

afterAll(() => stack.engine.stop());

/** Ends the processes of an action's function with `signal` as soon as its request has reached the destination. */
async function strikeAtRequest(action: ActionName, operation: string, signal: NodeJS.Signals): Promise<void> {
  const { engine, destination } = stack;
  const before = (await destination.inspect()).requests.filter((request) => request.fault).length;
  await until(`${operation} has reached the destination`, async () => {
    const { requests } = await destination.inspect();
    return requests.filter((request) => request.fault).length > before;
  });
  for (const pid of engine.pids(functionNames.action(action))) process.kill(pid, signal);
}

test('killed after the email was accepted and before it was settled: one email, found by reconcile', async () => {
  const lead = leadOf('kill-after-send');
  await stack.destination.plan({
    operation: 'send-email',
    kind: 'delay',
    delayMs: 900,
    match: { email: lead.email },
  });
  const strike = strikeAtRequest('send-introduction', 'send-email', 'SIGKILL');
  await submit(stack, lead);
  await strike;
  const record = await settled(stack.ledger, lead.leadRequestId);
  expect(handoffStatus(record)).toBe('closed');
  expect(await stack.destination.effects(lead.email)).toEqual(ONE_OF_EACH);
  const introduction = record.actions.find(({ action }) => action === 'send-introduction');
  expect(introduction?.history.map(({ event }) => event)).not.toContain('performed');
  expect(introduction?.evidence?.kind).toBe('record');
});

test.each([
  ['upsert-contact', 'create-contact', 'late-contact'],
  ['create-task', 'create-task', 'late-task'],
  ['send-introduction', 'send-email', 'late-email'],
] as const)(
  'the %s function times out and its request lands late, inside the landing bound: one effect',
  async (action, operation, leadRequestId) => {
    const lead = leadOf(leadRequestId);
    await stack.destination.plan({
      operation,
      kind: 'land-late',
      delayMs: 3_400,
      wire: 'hang',
      ...(operation === 'create-task' ? {} : { match: { email: lead.email } }),
    });
    // A stopped process neither gives up nor settles: the engine ends it at the function's timeout, as Lambda does.
    const strike = strikeAtRequest(action, operation, 'SIGSTOP');
    await submit(stack, lead);
    await strike;
    const record = await settled(stack.ledger, lead.leadRequestId);
    expect(handoffStatus(record)).toBe('closed');
    expect(await stack.destination.effects(lead.email)).toEqual(ONE_OF_EACH);
    const timedOut = stack.engine.executions
      .all()
      .find(({ start }) => start.name === `website.${leadRequestId}.1`)
      ?.events.filter((event) => JSON.stringify(event).includes('Sandbox.Timedout'));
    expect(timedOut?.length).toBeGreaterThan(0);
  },
);

test('killed while the destination swallowed its request: absence is proven first, then one task is created', async () => {
  const lead = leadOf('kill-swallowed');
  await stack.destination.plan({ operation: 'create-task', kind: 'hang' });
  const strike = strikeAtRequest('create-task', 'create-task', 'SIGKILL');
  await submit(stack, lead);
  await strike;
  const record = await settled(stack.ledger, lead.leadRequestId);
  expect(handoffStatus(record)).toBe('closed');
  expect(await stack.destination.effects(lead.email)).toEqual(ONE_OF_EACH);
  const task = record.actions.find(({ action }) => action === 'create-task');
  expect(task?.attempt).toBe(2);
  const [firstClaim, secondClaim] = task?.history.filter(({ event }) => event === 'claimed') ?? [];
  // Function timeout 3 s, landing bound 1 s, search lag 0.5 s.
  expect((secondClaim?.at ?? 0) - (firstClaim?.at ?? 0)).toBeGreaterThanOrEqual(4_500);
});
