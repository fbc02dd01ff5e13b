import { describe, expect, test } from 'vitest';
import type { ExecutionStatus } from '../../../functions/ports/workflow.ts';
import { LEAD } from '../../model/bench.ts';
import { START } from '../../model/clock.ts';
import { pausePoint } from '../../model/pause-point.ts';
import {
  askedAboutTask,
  failing,
  HOURS_4,
  KEY,
  PAST_GRACE,
  parkedTask,
  RecoveryBench,
  RUN_1,
  RUN_2,
  toldToAsk,
} from './recovery-bench.ts';

async function everything(bench: RecoveryBench): Promise<unknown> {
  return structuredClone([await bench.ledger.record(KEY), bench.workflow, bench.told]);
}

async function leaves(bench: RecoveryBench): Promise<void> {
  const before = await everything(bench);
  await bench.sweep();
  expect(await everything(bench)).toEqual(before);
}

/** Its ask function has run, and what it wrote on the list is gone. */
async function lostToken(): Promise<RecoveryBench> {
  const bench = await askedAboutTask();
  await bench.ledger.removeWaiting(KEY, 'create-task');
  return bench;
}

describe('a handoff that was accepted and never started', () => {
  test('is started', async () => {
    const bench = new RecoveryBench();
    await bench.accept();
    bench.workflow.statuses.clear();
    await bench.sweep();

    expect(bench.running()).toEqual([RUN_1]);
    expect(bench.workflow.inputs.get(RUN_1)).toMatchObject({ ...KEY, run: 1 });
    expect(bench.told).toEqual([]);
  });

  test('is left to the person who is asked about it', async () => {
    const bench = new RecoveryBench();
    await bench.accept();
    await bench.ends('FAILED');
    bench.workflow.statuses.clear();
    bench.clock.advance(90 * 86_400_000);
    await bench.sweep();

    expect(bench.running()).toEqual([]);
    expect(await bench.waitingOf('handoff')).toMatchObject({ why: 'execution-failed', asked: 1 });
  });
});

describe('a next run that was taken and never started', () => {
  test.each(['RUNNING', 'FAILED'] as const)('after a run that is %s is started', async (status) => {
    const bench = await askedAboutTask();
    bench.workflow.statuses.set(RUN_1, status);
    bench.workflowHooks = failing('stop', 'before');
    await bench.resubmitted().catch(() => {});
    await bench.sweep();

    expect(bench.running()).toEqual([RUN_2]);
    expect(bench.told).toEqual([]);
  });

  test('is not believed in when Step Functions has forgotten the run before it too: a person is asked', async () => {
    const bench = await askedAboutTask();
    await bench.resubmitted();
    bench.workflow.statuses.clear();
    await bench.sweep();

    expect(bench.running()).toEqual([]);
    expect(await bench.waitingOf('handoff')).toMatchObject({ why: 'execution-missing', execution: RUN_2 });
  });
});

describe('an execution that ended while its handoff is open', () => {
  test.each<[ExecutionStatus, string]>([
    ['FAILED', 'execution-failed'],
    ['ABORTED', 'execution-aborted'],
    ['TIMED_OUT', 'execution-timed-out'],
    ['SUCCEEDED', 'execution-succeeded-open'],
    ['DOES_NOT_EXIST', 'execution-missing'],
  ])('%s, and its event was lost: the recovery owner is asked, once', async (status, why) => {
    const bench = await askedAboutTask();
    bench.workflow.statuses.set(RUN_1, status);
    await bench.sweep();
    await bench.sweep();

    expect(await bench.waitingOf('handoff')).toMatchObject({
      why,
      kind: 'ask',
      token: null,
      who: 'robin@revops.example.com',
      asked: 0,
    });
    expect(bench.told).toMatchObject([{ action: 'handoff', why, escalated: false }]);
  });

  test('and may be redriven any moment is left alone', async () => {
    const bench = await askedAboutTask();
    bench.workflow.statuses.set(RUN_1, 'PENDING_REDRIVE');
    await leaves(bench);
  });

  test('and whose person could not be told is told', async () => {
    const bench = await askedAboutTask();
    bench.eventsFail = true;
    await bench.ends('FAILED').catch(() => {});
    bench.eventsFail = false;
    await bench.sweep();

    expect(bench.told).toMatchObject([{ action: 'handoff', asked: 0, escalated: false }]);
  });

  test('closes in the moment between two looks: nobody is asked', async () => {
    const bench = new RecoveryBench();
    await bench.upTo('create-task');
    await bench.act('create-task', 1);
    await bench.act('send-introduction', 1);
    bench.workflowHooks = {
      before: async (call) => {
        if (call !== 'status') return;
        await bench.close();
        bench.workflow.statuses.set(RUN_1, 'SUCCEEDED');
      },
    };
    await bench.sweep();

    expect(await bench.waiting()).toEqual([]);
    expect(bench.told).toEqual([]);
  });

  test('is resubmitted in the moment between two looks: nobody is asked about the new run', async () => {
    const bench = await askedAboutTask();
    bench.workflow.statuses.set(RUN_1, 'FAILED');
    let raced = false;
    bench.workflowHooks = {
      after: async (call) => {
        if (call !== 'status' || raced) return;
        raced = true;
        await bench.resubmitted();
      },
    };
    await bench.sweep();

    expect(await bench.waitingOf('handoff')).toBeUndefined();
    expect(bench.told).toEqual([]);
  });

  test('is redriven: the handoff leaves the list', async () => {
    const bench = await askedAboutTask();
    await bench.ends('FAILED');
    bench.workflow.statuses.set(RUN_1, 'RUNNING');
    bench.clock.advance(PAST_GRACE);
    await bench.sweep();

    expect((await bench.waiting()).map(({ action }) => action)).toEqual(['create-task']);
  });

  test('only just now, and Step Functions does not say so yet: the handoff stays on the list', async () => {
    const bench = await askedAboutTask();
    await bench.ends('FAILED');
    bench.workflow.statuses.set(RUN_1, 'RUNNING');
    await bench.sweep();

    expect(await bench.waitingOf('handoff')).toBeDefined();
  });

  test('and was written down after another run had begun: it leaves the list', async () => {
    const bench = await askedAboutTask();
    await bench.ends('FAILED');
    const handoffWaits = await bench.waitingOf('handoff');
    await bench.resubmitted();
    if (handoffWaits) await bench.ledger.putWaiting(KEY, handoffWaits);
    await bench.sweep();

    expect(await bench.waitingOf('handoff')).toBeUndefined();
  });
});

describe('nobody answers about a handoff whose execution is gone', () => {
  test('in time: the escalation owner is asked, again and again, and then it waits without a due time', async () => {
    const bench = await askedAboutTask();
    await bench.ends('FAILED');
    const since = bench.clock.now();
    for (const asked of [1, 2, 3, 3]) {
      bench.clock.advance(HOURS_4 - 1);
      await bench.sweep();
      bench.clock.advance(1);
      await bench.sweep();
      expect(await bench.waitingOf('handoff')).toMatchObject({
        asked,
        since,
        who: 'mia@revops.example.com',
        dueAt: asked < 3 ? bench.clock.now() + HOURS_4 : null,
      });
    }

    expect(bench.told.map(({ who, asked, escalated }) => [who, asked, escalated])).toEqual([
      ['robin@revops.example.com', 0, false],
      ['mia@revops.example.com', 1, true],
      ['mia@revops.example.com', 2, true],
      ['mia@revops.example.com', 3, true],
    ]);
  });

  test('and the escalation cannot be told: it is due until it is', async () => {
    const bench = await askedAboutTask();
    await bench.ends('FAILED');
    bench.clock.advance(HOURS_4);
    bench.eventsFail = true;
    await expect(bench.sweep()).rejects.toMatchObject({ name: 'EventsUnavailable' });
    expect(await bench.waitingOf('handoff')).toMatchObject({ asked: 0 });
    bench.eventsFail = false;
    await bench.sweep();

    expect(await bench.waitingOf('handoff')).toMatchObject({ asked: 1 });
  });
});

describe('a question whose token was lost', () => {
  test('comes back to the list, and the recovery owner is told', async () => {
    const bench = await lostToken();
    bench.clock.advance(PAST_GRACE);
    await bench.sweep();
    await bench.sweep();

    expect(await bench.waitingOf('create-task')).toMatchObject({
      kind: 'ask',
      token: null,
      execution: RUN_1,
      why: 'permissions',
      who: 'robin@revops.example.com',
      asked: 0,
    });
    expect(bench.told).toMatchObject([{ action: 'create-task', why: 'permissions', escalated: false }]);
  });

  test('is left alone while its ask function may still be on its way', async () => {
    const bench = await lostToken();
    bench.clock.advance(PAST_GRACE - 1);
    await leaves(bench);
  });

  test('is answered: the next run hears it', async () => {
    const bench = await lostToken();
    bench.clock.advance(PAST_GRACE);
    await bench.sweep();
    await bench.person('create-task', 'resume');

    expect(bench.running()).toEqual([RUN_2]);
    expect(await bench.reconcile('create-task', { execution: RUN_2 })).toMatchObject({
      disposition: 'resume',
    });
    expect(await bench.waiting()).toEqual([]);
  });

  test('is not answered: the escalation owner is asked', async () => {
    const bench = await lostToken();
    bench.clock.advance(PAST_GRACE);
    await bench.sweep();
    bench.clock.advance(HOURS_4);
    await bench.sweep();

    expect(await bench.waitingOf('create-task')).toMatchObject({ asked: 1, who: 'mia@revops.example.com' });
    expect(bench.told).toHaveLength(2);
  });

  test('could not be told: it is told by the next sweep', async () => {
    const bench = await lostToken();
    bench.clock.advance(PAST_GRACE);
    bench.eventsFail = true;
    await bench.sweep().catch(() => {});
    expect(await bench.waitingOf('create-task')).toMatchObject({ token: null });
    bench.eventsFail = false;
    await bench.sweep();

    expect(bench.told).toMatchObject([{ action: 'create-task', asked: 0 }]);
  });

  test('had been answered before: the next run hears it, and no sweep starts another one', async () => {
    const bench = await lostToken();
    await bench.person('create-task', 'resume');
    bench.clock.advance(PAST_GRACE);
    for (let i = 0; i < 3; i++) {
      await bench.sweep();
      bench.clock.advance(300_000);
    }

    expect(bench.running()).toEqual([RUN_2]);
    expect(bench.told).toEqual([]);
    expect(await bench.waitingOf('create-task')).toMatchObject({ token: null, execution: RUN_1 });
    expect(await bench.reconcile('create-task', { execution: RUN_2 })).toMatchObject({
      disposition: 'resume',
    });
    expect(await bench.waiting()).toEqual([]);
  });

  test.each(['stop', 'start'] as const)(
    'and the sweep died at the %s of the next run: the next sweep starts that run',
    async (call) => {
      const bench = await lostToken();
      await bench.person('create-task', 'resume');
      bench.clock.advance(PAST_GRACE);
      bench.workflowHooks = failing(call, 'before');
      await expect(bench.sweep()).rejects.toMatchObject({ name: 'WorkflowUnavailable' });
      await bench.sweep();

      expect(bench.running()).toEqual([RUN_2]);
      expect(bench.told).toEqual([]);
    },
  );

  test.each(['its event was lost', 'it was told'])(
    'is no question any more while the destination is read again, although %s',
    async (what) => {
      const bench = await lostToken();
      bench.clock.advance(PAST_GRACE);
      bench.eventsFail = what === 'its event was lost';
      await bench.sweep().catch(() => {});
      bench.eventsFail = false;
      bench.crm.wire.unreadable = true;
      bench.ledger.put(KEY, { ...(await bench.state('create-task')), phase: 'unknown' });
      expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'wait' });
      bench.clock.advance(HOURS_4);
      await leaves(bench);
    },
  );

  test('never was one: an action that is only waited for is not put on the list', async () => {
    const bench = new RecoveryBench();
    await bench.upTo('create-task');
    bench.crm.wire.plan({ kind: 'lost' });
    await bench.act('create-task', 1);
    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'wait' });
    bench.clock.advance(HOURS_4);
    await leaves(bench);
  });

  test('is no question while the action is being worked on', async () => {
    const bench = await lostToken();
    const state = await bench.state('create-task');
    bench.ledger.put(KEY, { ...state, phase: 'claimed' });
    bench.clock.advance(PAST_GRACE);
    await leaves(bench);
  });
});

describe('what is parked and not on the list', () => {
  test('comes back by itself: it is left alone', async () => {
    const bench = await parkedTask();
    await bench.ledger.removeWaiting(KEY, 'create-task');
    bench.clock.advance(1_800_000 + PAST_GRACE - 1);
    await leaves(bench);
  });

  test('and does not come back: the recovery owner is asked', async () => {
    const bench = await parkedTask();
    await bench.ledger.removeWaiting(KEY, 'create-task');
    bench.clock.advance(1_800_000 + PAST_GRACE);
    await bench.sweep();

    expect(await bench.waitingOf('create-task')).toMatchObject({ kind: 'ask', why: 'route-paused' });
    expect(bench.told).toMatchObject([{ action: 'create-task', who: 'robin@revops.example.com' }]);
  });

  test('and was decided about: the next run hears it', async () => {
    const bench = await parkedTask();
    await bench.ledger.removeWaiting(KEY, 'create-task');
    await bench.person('create-task', 'stop');
    bench.clock.advance(PAST_GRACE);
    await bench.sweep();

    expect(bench.running()).toEqual([RUN_2]);
  });
});

describe('a decision that nobody carried on', () => {
  test('ends the wait that it answers', async () => {
    const bench = await askedAboutTask();
    bench.workflowHooks = failing('complete', 'before');
    await bench.person('create-task', 'resume').catch(() => {});
    bench.clock.advance(PAST_GRACE);
    await bench.sweep();

    expect(bench.workflow.completed).toEqual(['token-create-task']);
    expect(bench.running()).toEqual([RUN_1]);
  });

  test('is left to whoever has just made it', async () => {
    const bench = await askedAboutTask();
    bench.workflowHooks = failing('complete', 'before');
    await bench.person('create-task', 'resume').catch(() => {});
    bench.clock.advance(PAST_GRACE - 1);
    await leaves(bench);
  });

  test('about a handoff whose execution was gone starts the next run', async () => {
    const bench = await askedAboutTask();
    await bench.ends('FAILED');
    bench.workflowHooks = failing('status', 'before');
    await bench.person('create-task', 'resume').catch(() => {});
    bench.clock.advance(PAST_GRACE);
    await bench.sweep();

    expect(bench.running()).toEqual([RUN_2]);
    expect(await bench.waitingOf('handoff')).toBeUndefined();
  });

  test('made before its execution failed: a person is asked, and no run is started after the other', async () => {
    const bench = await askedAboutTask();
    await bench.person('create-task', 'resume');
    bench.clock.advance(1_000);
    await bench.ends('FAILED');
    bench.clock.advance(PAST_GRACE);
    await bench.sweep();

    expect(bench.running()).toEqual([]);
    expect(await bench.waitingOf('handoff')).toMatchObject({ why: 'execution-failed' });
  });

  test('to stop what has not had its turn waits for it', async () => {
    const bench = await askedAboutTask();
    await bench.person('send-introduction', 'stop');
    bench.clock.advance(PAST_GRACE);
    await leaves(bench);
  });
});

describe('an action that came to its end while a person was asked', () => {
  test('goes on', async () => {
    const bench = await askedAboutTask();
    bench.ledger.put(KEY, { ...(await bench.state('create-task')), phase: 'performed' });
    await bench.sweep();

    expect(bench.workflow.completed).toEqual(['token-create-task']);
    expect(await bench.waiting()).toEqual([]);
  });

  test('and behind which nobody waits leaves the list', async () => {
    const bench = await askedAboutTask();
    bench.ledger.put(KEY, { ...(await bench.state('create-task')), phase: 'performed' });
    bench.workflow.tokens.clear();
    await bench.sweep();

    expect(await bench.waiting()).toEqual([]);
  });
});

test('a token that was written of a closed handoff too late leaves the list', async () => {
  const bench = await askedAboutTask();
  const [waiting] = await bench.waiting();
  await bench.person('create-task', 'stop');
  await bench.reconcile('create-task');
  await bench.act('send-introduction', 1);
  await bench.close();
  if (waiting) await bench.ledger.putWaiting(KEY, waiting);
  await bench.sweepRoute();

  expect(await bench.waiting()).toEqual([]);
});

test('what was written of a closed handoff too late leaves the list', async () => {
  const bench = new RecoveryBench();
  await bench.upTo('create-task');
  await bench.act('create-task', 1);
  await bench.act('send-introduction', 1);
  const point = pausePoint();
  bench.ledger.hooks = { beforeWrite: ({ what }) => (what === 'put-waiting' ? point.hold() : undefined) };
  const late = bench.ends('FAILED');
  await point.reached;
  await bench.close();
  point.go();
  await late;
  expect(await bench.waiting()).toHaveLength(1);
  const swept = await bench.sweepRoute();

  expect(await bench.waiting()).toEqual([]);
  expect(swept).toMatchObject({ looked: 1, waits: { waiting: 0 } });
});

test('a sweep of what goes well changes nothing: the workflow itself asks again in time', async () => {
  const bench = await toldToAsk();
  await bench.enters('ask', 'create-task');
  bench.clock.advance(PAST_GRACE);
  await leaves(bench);
  bench.clock.advance(HOURS_4);
  await leaves(bench);
});

test('of two lost questions one is decided: the next run puts the other one again, and nobody is told before', async () => {
  const bench = await lostToken();
  const asked = await bench.state('create-task');
  bench.ledger.put(KEY, { ...asked, action: 'send-introduction' });
  await bench.person('create-task', 'resume');
  bench.clock.advance(PAST_GRACE);
  await bench.sweep();

  expect(bench.running()).toEqual([RUN_2]);
  expect(bench.told).toEqual([]);
});

test('two sweeps at once ask once more at most, and start one run', async () => {
  const bench = await lostToken();
  await bench.person('create-task', 'resume');
  bench.clock.advance(PAST_GRACE);
  await Promise.all([bench.sweep(), bench.sweep()]);

  expect(bench.running()).toEqual([RUN_2]);
});

describe('a route', () => {
  async function withHandoffs(count: number): Promise<RecoveryBench> {
    const bench = new RecoveryBench();
    for (let i = 1; i <= count; i++) {
      await bench.accept({ ...LEAD, leadRequestId: `inq-${i}`, email: `jo.${i}@customer.example.com` });
      bench.clock.advance(1_000);
    }
    bench.workflow.statuses.clear();
    bench.workflow.started.length = 0;
    return bench;
  }

  test('is swept from the oldest on; what was just accepted is being started', async () => {
    const bench = await withHandoffs(3);
    bench.clock.advance(PAST_GRACE - 2_000);

    expect(await bench.sweepRoute()).toMatchObject({ looked: 2, left: 0, failed: [] });
    expect(bench.workflow.started).toEqual(['web.inq-1.1', 'web.inq-2.1']);
  });

  test('stops in time, and says how many it has left', async () => {
    const bench = await withHandoffs(3);
    bench.clock.advance(PAST_GRACE);
    let turns = 2;

    expect(await bench.sweepRoute({ remainingMs: () => turns-- })).toMatchObject({ looked: 2, left: 1 });
    expect(bench.workflow.started).toEqual(['web.inq-1.1', 'web.inq-2.1']);
  });

  test('with more than fit begins somewhere else each time, so that every one has its turn', async () => {
    const bench = await withHandoffs(101);
    bench.clock.advance(PAST_GRACE);
    let turns = 1;
    await bench.sweepRoute({ remainingMs: () => turns--, random: () => 0.5 });

    expect(bench.workflow.started).toEqual(['web.inq-51.1']);
  });

  test('with an error of one goes on with the others, and tells which failed', async () => {
    const bench = await withHandoffs(3);
    bench.clock.advance(PAST_GRACE);
    bench.workflowHooks = {
      before: (_call, name) => {
        if (name === 'web.inq-2.1') throw new RangeError('jo.lind@customer.example.com');
      },
    };

    expect(await bench.sweepRoute()).toMatchObject({
      looked: 3,
      failed: [{ leadRequestId: 'inq-2', errorName: 'RangeError' }],
    });
    expect(bench.workflow.started).toEqual(['web.inq-1.1', 'web.inq-3.1']);
  });

  test('looks first after what the workflow does not time', async () => {
    const bench = await withHandoffs(3);
    for (let i = 1; i <= 3; i++) bench.workflow.statuses.set(`web.inq-${i}.1`, 'RUNNING');
    bench.clock.advance(PAST_GRACE);
    bench.workflow.statuses.set('web.inq-3.1', 'FAILED');
    await bench.sweepRoute();
    bench.clock.advance(HOURS_4);
    let turns = 1;
    await bench.sweepRoute({ remainingMs: () => turns-- });

    expect(bench.told.map(({ leadRequestId, asked }) => [leadRequestId, asked])).toEqual([
      ['inq-3', 0],
      ['inq-3', 1],
    ]);
  });

  test('tells how much waits, and how long the oldest question has', async () => {
    const bench = await askedAboutTask();
    await bench.enters('park', 'send-introduction', { token: 'park-1', reason: 'breaker-open' });
    bench.clock.advance(90_500);
    expect(bench.clock.now()).toBe(START + 190_500);

    expect((await bench.sweepRoute()).waits).toEqual({
      route: 'web',
      waiting: 1,
      oldestSeconds: 90,
      parked: 1,
    });
  });

  test('on which nothing waits tells that', async () => {
    const bench = new RecoveryBench();

    expect((await bench.sweepRoute()).waits).toEqual({
      route: 'web',
      waiting: 0,
      oldestSeconds: 0,
      parked: 0,
    });
  });
});
