import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACTIONS, type ActionName } from '../../../functions/domain/action.ts';
import { intentHash } from '../../../functions/domain/intent.ts';
import { parseLeadRequest } from '../../../functions/domain/lead-request.ts';
import { functionNames, leadOf, ONE_OF_EACH, ROUTE, type Stack, startStack, until } from './stack.ts';

const DELIVERIES = 20;

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({ maxProcessesPerFunction: DELIVERIES });
}, 120_000);

afterAll(() => stack.engine.stop());

/** A handoff that no execution runs: the test delivers the attempts itself. */
async function acceptedWithoutExecution(leadRequestId: string) {
  const lead = parseLeadRequest(leadOf(leadRequestId));
  const execution = `${ROUTE}.${leadRequestId}.1`;
  await stack.ledger.accept({
    route: ROUTE,
    leadRequestId,
    lead,
    ownerId: '71',
    intentHash: intentHash(lead),
    acceptedAt: Date.now(),
    closedAt: null,
    execution,
    run: 1,
    amendments: [],
  });
  return { lead, execution };
}

/**
 * Starts all processes of a function, a few at a time: the deliveries shall meet each other, not each other's cold starts, which
 * 20 at once make longer than the function's timeout.
 */
async function warmUp(action: ActionName): Promise<void> {
  for (let processes = 4; processes <= DELIVERIES; processes += 4) {
    await until(`${processes} processes of ${action} are warm`, async () => {
      const answers = await deliver(action, 'nobody', `${ROUTE}.nobody.1`, processes);
      return answers.every((answer) => answer === 'UnknownHandoff');
    });
  }
}

async function deliver(
  action: ActionName,
  leadRequestId: string,
  execution: string,
  deliveries = DELIVERIES,
): Promise<string[]> {
  const request = { route: ROUTE, leadRequestId, run: 1, execution, attempt: 1 };
  const results = await Promise.all(
    Array.from({ length: deliveries }, () => stack.engine.invoke(functionNames.action(action), request)),
  );
  return results.map(({ failed, payload }) => {
    const body = JSON.parse(payload) as { outcome?: string; errorType?: string };
    return failed ? (body.errorType ?? '?') : (body.outcome ?? '?');
  });
}

/** What a delivery may say that did not run the attempt itself. */
const HARMLESS = ['performed', 'IdempotencyAlreadyInProgressError', 'AttemptInFlight', 'Held'];

/** A function that a busy machine did not get done in its time: what it did is for reconcile to find out. */
const TIMED_OUT = 'Sandbox.Timedout';

/** One lead, and another one for each time that the machine was too busy. */
const LEADS = ['twenty', 'twenty-again', 'twenty-once-more'];

test('20 concurrent deliveries of one attempt of each action: one effect each', {
  timeout: 240_000,
}, async () => {
  for (const id of LEADS) {
    const { requests: earlier } = await stack.destination.inspect();
    const { lead, execution } = await acceptedWithoutExecution(id);
    if (!(await performedOnce(id, execution))) {
      const effects = Object.values(await stack.destination.effects(lead.email));
      expect(Math.max(...effects)).toBeLessThanOrEqual(1);
      continue;
    }
    expect(await stack.destination.effects(lead.email)).toEqual(ONE_OF_EACH);
    const { requests } = await stack.destination.inspect();
    const writes = requests
      .slice(earlier.length)
      .map(({ operation }) => operation ?? '')
      .filter((operation) =>
        ['create-contact', 'set-owner', 'create-task', 'send-email'].includes(operation),
      );
    expect(writes).toEqual(['create-contact', 'set-owner', 'create-task', 'send-email']);
    return;
  }
  throw new Error('The machine is too busy: of each lead a delivery was not done in its time.');
});

/** Delivers each action's attempt; answers false as soon as one was not done in its time. */
async function performedOnce(leadRequestId: string, execution: string): Promise<boolean> {
  for (const action of ACTIONS) {
    await warmUp(action);
    // Right after the action before it a freeze may be held, because reads may lag; then nobody has claimed anything.
    const answers = await until(`${action} is held no more`, async () => {
      const given = await deliver(action, leadRequestId, execution);
      return given.some((answer) => answer === 'performed' || answer === TIMED_OUT) ? given : null;
    });
    expect(answers).toHaveLength(DELIVERIES);
    if (answers.includes(TIMED_OUT)) return false;
    expect(answers.filter((answer) => !HARMLESS.includes(answer))).toEqual([]);
    const state = await stack.ledger.action({ route: ROUTE, leadRequestId }, action);
    expect(state).toMatchObject({ phase: 'performed', attempt: 1, warnings: [] });
    expect(state.history.filter(({ event }) => event === 'claimed')).toHaveLength(1);
  }
  return true;
}

test('an execution that is not the current one runs nothing', async () => {
  const { lead } = await acceptedWithoutExecution('fenced');
  const answers = await deliver('upsert-contact', 'fenced', `${ROUTE}.fenced.2`);
  expect(new Set(answers)).toEqual(new Set(['NotCurrent']));
  expect(await stack.destination.effects(lead.email)).toEqual({
    contacts: 0,
    ownerWrites: 0,
    tasks: 0,
    emails: 0,
  });
});
