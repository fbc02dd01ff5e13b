import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fromQueue, messageOf, passVisibility, produce, queuesOf } from './intake.ts';
import { leadOf, ONE_OF_EACH, ROUTE, type Stack, settled, startStack, until } from './stack.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
}, 120_000);

afterAll(() => stack.engine.stop());

/** Ends the processes of the function when it starts an execution, which is then started or not. Nothing answers it. */
async function killedAtStart(startsIt: boolean): Promise<void> {
  const { executions } = stack.engine;
  const start = executions.start.bind(executions);
  const killed = Promise.withResolvers<void>();
  const spy = vi.spyOn(executions, 'start').mockImplementationOnce((...request) => {
    for (const pid of stack.engine.pids(fromQueue)) process.kill(pid, 'SIGKILL');
    killed.resolve();
    if (startsIt) return start(...request);
    throw new Error('Its caller is dead.');
  });
  await killed.promise;
  spy.mockRestore();
}

test.each([
  ['after the handoff was written and before its execution was started', 'before-start', false],
  ['after its execution was started and before the message was taken', 'after-start', true],
])('killed %s, and delivered again: it runs, once', async (_when, leadRequestId, startsIt) => {
  const { leads } = queuesOf(stack);
  const lead = leadOf(leadRequestId);
  const key = { route: ROUTE, leadRequestId };
  const killed = killedAtStart(startsIt);
  await produce(stack, messageOf(lead));
  await killed;
  await until('the function has ended', () =>
    stack.engine.logLines(fromQueue).at(-1)?.startsWith('END ') ? true : null,
  );

  expect(await stack.ledger.handoff(key)).toMatchObject({ closedAt: null, run: 1 });
  expect(leads.messages()).toMatchObject([{ receiveCount: 1 }]);
  const runs = () => stack.engine.executions.all().filter(({ start }) => start.name.includes(leadRequestId));
  expect(runs()).toHaveLength(startsIt ? 1 : 0);

  passVisibility(leads);
  await until('the message is taken', () => leads.messages().length === 0);
  const record = await settled(stack.ledger, leadRequestId);
  expect(record.handoff).toMatchObject({ run: 1, closedAt: expect.any(Number) });
  expect(runs().map(({ start }) => start.name)).toEqual([`${ROUTE}.${leadRequestId}.1`]);
  expect(await stack.destination.effects(lead.email)).toEqual(ONE_OF_EACH);
});

test('killed and never delivered again: the sweep starts it', async () => {
  const lead = leadOf('swept');
  const killed = killedAtStart(false);
  await produce(stack, messageOf(lead));
  await killed;
  queuesOf(stack).leads.purge();

  const record = await until(
    'it is closed',
    async () => {
      stack.engine.fireRule('lead-handoff-local-sweep');
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const found = await stack.ledger.record({ route: ROUTE, leadRequestId: 'swept' });
      return found?.handoff.closedAt ? found : null;
    },
    60_000,
  );
  expect(record.handoff.run).toBe(1);
  expect(await stack.destination.effects(lead.email)).toEqual(ONE_OF_EACH);
});
