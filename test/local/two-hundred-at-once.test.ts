import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handoffStatus } from '../../functions/domain/handoff.ts';
import type { ExecutionRecord } from '../../local/execution-record.ts';
import { type Effects, functionNames, leadOf, ROUTE, type Stack, startStack } from './real/stack.ts';

/**
 * 200 leads handed off at once, twice, by the synthesized stack: its bundles in processes, its machine, its tables.
 *
 * AWS would run all of it side by side; here requests wait for a process. What is asserted is what the destinations and
 * the ledger hold, never how long it took. A machine so busy that functions are killed by their own timeouts is held to
 * the same safety; there an execution may still be under way when the test has waited long enough.
 */

const HANDOFFS = 200;
/** Two rounds alone on two cores take less than half of it. */
const LONGEST_ROUND_MS = 240_000;
/** What the engine keeps of a closed handoff: its history, its items and its log lines. */
const KEPT_PER_HANDOFF_KB = 100;

const ONE_OF_EACH: Effects = { contacts: 1, ownerWrites: 1, tasks: 1, emails: 1 };

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
}, 600_000);

afterAll(() => stack.engine.stop());

async function submit(leadRequestId: string): Promise<void> {
  for (;;) {
    const event = { route: ROUTE, lead: leadOf(leadRequestId) };
    const { failed, payload } = await stack.engine.invoke(functionNames.start, event);
    // A function that was killed by its timeout has said nothing: the same request again is harmless.
    if (!failed) {
      expect(JSON.parse(payload)).toMatchObject({ leadRequestId });
      return;
    }
    expect(payload).toContain('timed out');
  }
}

const executionsOf = (ids: readonly string[]): ExecutionRecord[] =>
  stack.engine.executions
    .all()
    .filter(({ start }) => ids.some((id) => start.name.startsWith(`${ROUTE}.${id}.`)));

/** Waits until no execution runs; what failed because its function was killed is redriven, as a person would. */
async function settle(ids: readonly string[]): Promise<void> {
  const deadline = Date.now() + LONGEST_ROUND_MS;
  while (Date.now() < deadline) {
    const open = executionsOf(ids).filter(({ status }) => status !== 'SUCCEEDED');
    if (open.length === 0) return;
    for (const { status, end, start } of open) {
      if (status === 'RUNNING') continue;
      expect(end, `${start.name} failed for another reason than a killed function`).toMatchObject({
        status: 'FAILED',
        error: expect.stringMatching(/^(Sandbox\.Timedout|States\.Timeout)$/),
      });
      stack.engine.executions.redrive(start.arn);
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function effectsOf(ids: readonly string[]): Promise<Map<string, Effects>> {
  const { contacts, tasks, emails } = await stack.destination.inspect();
  return new Map(
    ids.map((id) => {
      const { email } = leadOf(id);
      const mine = contacts.filter((contact) => contact.email === email);
      const ownerWrites = mine.flatMap(({ ownerHistory }) =>
        ownerHistory.filter(({ sourceType }) => sourceType === 'INTEGRATION'),
      );
      return [
        id,
        {
          contacts: mine.length,
          ownerWrites: ownerWrites.length,
          tasks: tasks.filter(({ contactIds }) => mine.some((contact) => contactIds.includes(contact.id)))
            .length,
          emails: emails.filter(({ to }) => to.includes(email)).length,
        },
      ];
    }),
  );
}

/** Whether the machine was too busy to run the functions inside their own timeouts. */
function starved(ids: readonly string[]): boolean {
  const killed = /Sandbox\.Timedout|States\.Timeout/;
  return executionsOf(ids).some(({ events }) =>
    events.some(({ taskFailedEventDetails: failed, taskTimedOutEventDetails: timedOut }) =>
      killed.test(String(failed?.error ?? timedOut?.error)),
    ),
  );
}

async function round(name: string): Promise<{ finished: boolean; heapKb: number }> {
  const ids = Array.from({ length: HANDOFFS }, (_, index) => `${name}-${index}`);
  const began = Date.now();
  await Promise.all(ids.map(submit));
  await settle(ids);

  const effects = await effectsOf(ids);
  const closed: string[] = [];
  for (const id of ids) {
    const record = await stack.ledger.record({ route: ROUTE, leadRequestId: id });
    if (record && handoffStatus(record) === 'closed') closed.push(id);
    const { contacts = 0, ownerWrites = 0, tasks = 0, emails = 0 } = effects.get(id) ?? {};
    expect(
      Math.max(contacts, ownerWrites, tasks, emails),
      `nothing happened twice to ${id}`,
    ).toBeLessThanOrEqual(1);
  }
  for (const id of closed) expect(effects.get(id), id).toEqual(ONE_OF_EACH);
  const unfinished = executionsOf(ids).filter(({ status }) => status !== 'SUCCEEDED');
  expect(executionsOf(ids)).toHaveLength(HANDOFFS);
  expect(closed.length + unfinished.length).toBeGreaterThanOrEqual(HANDOFFS);
  if (!starved(ids)) {
    expect(unfinished.map(({ start }) => start.name)).toEqual([]);
    expect(closed).toHaveLength(HANDOFFS);
  }
  await stack.destination.post('/reset', {});
  const heapKb = heapAfterCollection();
  console.log(
    `${name}: ${closed.length} of ${HANDOFFS} closed in ${Date.now() - began} ms, heap ${heapKb} kB${starved(ids) ? ', on a machine that starved its functions' : ''}`,
  );
  return { finished: unfinished.length === 0, heapKb };
}

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return Math.round(process.memoryUsage().heapUsed / 1_024);
}

test(
  `${HANDOFFS} handoffs at once have one effect each, and the engine keeps little of them`,
  async () => {
    const first = await round('first');
    const second = first.finished ? await round('second') : first;

    expect((second.heapKb - first.heapKb) / HANDOFFS).toBeLessThan(KEPT_PER_HANDOFF_KB);
  },
  2 * LONGEST_ROUND_MS + 600_000,
);
