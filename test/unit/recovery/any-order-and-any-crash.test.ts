import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Handoff, LedgerRecord } from '../../../functions/domain/handoff.ts';
import type { ExecutionStatus } from '../../../functions/ports/workflow.ts';
import { resubmit } from '../../../functions/recovery/resubmit.ts';
import { Interference } from './interference.ts';
import {
  askedAboutTask,
  KEY,
  PAST_GRACE,
  type RecoveryBench,
  RUN_1,
  RUN_2,
  toldToAsk,
} from './recovery-bench.ts';

/*
 * Everybody at once: each request to the ledger, the workflow and the events is a step, the steps come in any order, and any of
 * them may be the last of whoever made it. What must hold then holds once the sweeps have come by.
 */

const RUNS = { numRuns: 200 };

/** Who was still there ends his work; then time passes, and the sweep comes by twice. */
async function later(bench: RecoveryBench): Promise<void> {
  bench.interference = undefined;
  for (let i = 0; i < 2; i++) {
    bench.clock.advance(PAST_GRACE);
    await bench.sweep();
  }
}

test('a decision made while the question is put is heard, whoever comes first and whoever dies', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(fc.nat(40), { maxLength: 2 }), async (scheduler, deaths) => {
      const bench = await toldToAsk();
      bench.interference = new Interference(scheduler, deaths);
      const asking = bench.enters('ask', 'create-task').catch(() => null);
      const deciding = bench.person('create-task', 'resume').catch(() => null);
      await scheduler.waitFor(Promise.allSettled([asking, deciding]));
      await later(bench);

      const { decision } = await bench.state('create-task');
      const asked = await asking;
      // Whoever could not put the question comes back by itself; else the wait was ended, or nobody has decided.
      const waits = asked !== null && bench.workflow.tokens.size === 1;
      expect(waits && decision !== null).toBe(false);
      if (await deciding) expect(decision).not.toBeNull();
    }),
    RUNS,
  );
});

describe('whoever resubmits, decides, sweeps or tells of the end', () => {
  const WHO = {
    resubmit: (bench: RecoveryBench) => bench.resubmitted(),
    decide: (bench: RecoveryBench) => bench.person('create-task', 'resume'),
    'decide about another': (bench: RecoveryBench) =>
      bench.person('send-introduction', 'stop', { by: 'Mia' }),
    sweep: (bench: RecoveryBench) => bench.sweep(),
    'sweep again': (bench: RecoveryBench) => bench.sweep(),
    'tell of the end': (bench: RecoveryBench) => bench.tellsOfTheEnd('FAILED'),
  };
  const names = Object.keys(WHO) as (keyof typeof WHO)[];

  test.each<ExecutionStatus>(['FAILED', 'ABORTED', 'TIMED_OUT', 'SUCCEEDED', 'DOES_NOT_EXIST', 'RUNNING'])(
    'in any order and with any death, of an execution that is %s: one runs, or a person is asked',
    async (status) => {
      await fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }),
          fc.array(fc.nat(60), { maxLength: 2 }),
          async (scheduler, actors, deaths) => {
            const bench = await askedAboutTask();
            bench.workflow.statuses.set(RUN_1, status);
            if (status === 'DOES_NOT_EXIST') bench.workflow.statuses.delete(RUN_1);
            if (status !== 'RUNNING') bench.workflow.tokens.clear();
            bench.clock.advance(PAST_GRACE);
            bench.interference = new Interference(scheduler, deaths);
            await scheduler.waitFor(Promise.allSettled(actors.map((name) => WHO[name](bench))));
            await later(bench);

            const { handoff, waiting } = (await bench.ledger.record(KEY)) as LedgerRecord;
            const asked = waiting.find(
              ({ action, execution }) => action === 'handoff' && execution === handoff.execution,
            );
            expect(bench.running()).toEqual(asked ? [] : [handoff.execution]);
            if (asked) expect(bench.told).toContainEqual(expect.objectContaining({ action: 'handoff' }));
            // Each of those who started a run and lived took it once: no more runs than wishes.
            expect(handoff.run).toBeLessThanOrEqual(1 + actors.length);
          },
        ),
        RUNS,
      );
    },
  );

  test('two resubmits at the same moment take one run, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const bench = await askedAboutTask();
        const seen = (await bench.ledger.handoff(KEY)) as Handoff;
        bench.interference = new Interference(scheduler, []);
        await scheduler.waitFor(Promise.all([1, 2].map(() => resubmit(seen, bench.recovery()))));

        expect(await bench.ledger.handoff(KEY)).toMatchObject({ run: 2 });
        expect(bench.running()).toEqual([RUN_2]);
      }),
      RUNS,
    );
  });
});
