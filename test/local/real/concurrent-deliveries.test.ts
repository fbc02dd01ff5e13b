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
const IN_PROGRESS = 'IdempotencyAlreadyInProgressError';
const HARMLESS = ['performed', IN_PROGRESS, 'AttemptInFlight', 'Held'];

test('20 concurrent deliveries of one attempt of each action: one effect each', async () => {
  const { lead, execution } = await acceptedWithoutExecution('twenty');
  for (const action of ACTIONS) {
    await warmUp(action);
    // Right after the action before it a freeze may be held, because reads may lag; then nobody has claimed anything.
    const answers = await until(`${action} is held no more`, async () => {
      const given = await deliver(action, 'twenty', execution);
      if (!given.every((answer) => answer === 'Held' || answer === IN_PROGRESS)) return given;
      const { attempt } = await stack.ledger.action({ route: ROUTE, leadRequestId: 'twenty' }, action);
      expect(attempt).toBe(0);
      return null;
    });
    expect(answers).toHaveLength(DELIVERIES);
    expect(answers.filter((answer) => !HARMLESS.includes(answer))).toEqual([]);
    expect(answers).toContain('performed');
    const state = await stack.ledger.action({ route: ROUTE, leadRequestId: 'twenty' }, action);
    expect(state).toMatchObject({ phase: 'performed', attempt: 1, warnings: [] });
    expect(state.history.filter(({ event }) => event === 'claimed')).toHaveLength(1);
  }
  expect(await stack.destination.effects(lead.email)).toEqual(ONE_OF_EACH);
  const { requests } = await stack.destination.inspect();
  const writes = requests.filter(({ operation }) =>
    ['create-contact', 'set-owner', 'create-task', 'send-email'].includes(operation ?? ''),
  );
  expect(writes.map(({ operation }) => operation)).toEqual([
    'create-contact',
    'set-owner',
    'create-task',
    'send-email',
  ]);
});

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
