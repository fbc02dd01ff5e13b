import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acceptLead } from '../../../functions/intake/accept-lead.ts';
import { Interference, interfered } from '../recovery/interference.ts';
import { inAllOrders, type Turns } from './all-orders.ts';
import { IntakeBench, isUntold, JO, JO_AGAIN } from './intake-bench.ts';

/*
 * Two lead requests of one person come at once. Each request to the ledger, the workflow and the events is a turn; turns come in any
 * order, and whoever takes one may die before it takes effect or before its answer arrives. Then both are delivered again, in either
 * order, or the sweep comes by. One of them runs in the end, and the other one is joined to it or asked about.
 */

const LEADS = { A: JO, B: JO_AGAIN };
const IDS = [JO.leadRequestId, JO_AGAIN.leadRequestId];

function comesIn(bench: IntakeBench, who: 'A' | 'B', turns: Turns): void {
  const { ledger, workflow, events } = bench;
  const ports = bench.ports({
    ledger: turns.port(who, ledger),
    workflow: turns.port(who, workflow),
    events: turns.port(who, events),
  });
  acceptLead(LEADS[who], ports).catch(() => {});
}

async function expectOneToRun(bench: IntakeBench, policy: 'ask' | 'join'): Promise<void> {
  const running = bench.running(...IDS);
  expect(running).toHaveLength(1);
  const other = IDS.find((id) => id !== running[0]) as string;
  const { handoff, waiting } = await bench.under(other);
  if (policy === 'join') {
    expect(handoff).toMatchObject({ joinedTo: running[0], closedAt: expect.any(Number) });
    expect([waiting, bench.told]).toEqual([[], []]);
  } else {
    expect(handoff).toMatchObject({ closedAt: null });
    expect(waiting.map(({ why }) => why)).toEqual(['same-person']);
    expect(waiting.filter(isUntold)).toEqual([]);
    expect(bench.told.length).toBeGreaterThan(0);
    expect(bench.told).toEqual(bench.told.map(() => expect.objectContaining({ leadRequestId: other })));
  }
  expect((await bench.under(running[0] as string)).waiting).toEqual([]);
}

const AFTERWARDS = {
  'both are delivered again': async (bench: IntakeBench) => {
    await bench.accept(JO);
    await bench.accept(JO_AGAIN);
  },
  'both are delivered again, the second one first': async (bench: IntakeBench) => {
    await bench.accept(JO_AGAIN);
    await bench.accept(JO);
  },
  'the sweep comes by, and then both are delivered again': async (bench: IntakeBench) => {
    await bench.sweep();
    await bench.accept(JO_AGAIN);
    await bench.accept(JO);
  },
};

describe.each(['ask', 'join'] as const)('where the route says %s', (policy) => {
  test.each(Object.entries(AFTERWARDS))(
    'in every order, and with a death of each at every request; %s',
    async (_what, afterwards) => {
      const orders = await inAllOrders(2, async (turns, taken) => {
        const bench = new IntakeBench({ samePerson: { policy, windowHours: 24 } });
        comesIn(bench, 'A', turns);
        comesIn(bench, 'B', turns);
        await taken();
        await afterwards(bench);
        await bench.sweep();
        await expectOneToRun(bench, policy);
      });
      expect(orders).toBeGreaterThan(2_000);
    },
    120_000,
  );

  test('at random: each delivered twice at once, with up to three deaths', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(fc.nat(50), { maxLength: 3 }), async (scheduler, deaths) => {
        const bench = new IntakeBench({ samePerson: { policy, windowHours: 24 } });
        const interference = new Interference(scheduler, deaths);
        const { ledger, workflow, events } = bench;
        const ports = bench.ports({
          ledger: interfered(ledger, () => interference),
          workflow: interfered(workflow, () => interference),
          events: interfered(events, () => interference),
        });
        const deliveries = [JO, JO_AGAIN, JO, JO_AGAIN].map((lead) => acceptLead(lead, ports));
        await scheduler.waitFor(Promise.allSettled(deliveries));
        await bench.accept(JO);
        await bench.accept(JO_AGAIN);
        await bench.sweep();
        await expectOneToRun(bench, policy);
      }),
      { numRuns: 300 },
    );
  });
});
