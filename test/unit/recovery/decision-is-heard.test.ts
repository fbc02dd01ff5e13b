import { describe, expect, test } from 'vitest';
import { pausePoint } from '../../model/pause-point.ts';
import {
  askedAboutTask,
  KEY,
  parkedTask,
  type RecoveryBench,
  RUN_1,
  RUN_2,
  toldToAsk,
} from './recovery-bench.ts';

/** Holds the next write of this kind right before or after it takes effect. */
function holdWrite(bench: RecoveryBench, what: string, moment: 'beforeWrite' | 'afterWrite') {
  const point = pausePoint();
  bench.ledger.hooks = {
    [moment]: (write: { what: string }) => (write.what === what ? point.hold() : undefined),
  };
  return point;
}

describe('a decision made before the token is registered', () => {
  test('ends the wait as soon as it is known, and tells nobody', async () => {
    const bench = await toldToAsk();
    expect(await bench.person('create-task', 'resume')).toMatchObject({
      answer: { recorded: 'now', carriedOn: 'by-itself' },
    });

    expect(await bench.enters('ask', 'create-task')).toMatchObject({ answered: true });
    expect(bench.workflow.completed).toEqual(['token-create-task']);
    expect(bench.told).toEqual([]);
  });

  test('while the ask function is about to write: the ask function ends the wait', async () => {
    const bench = await toldToAsk();
    const point = holdWrite(bench, 'put-waiting', 'beforeWrite');
    const asking = bench.enters('ask', 'create-task');
    await point.reached;
    await bench.person('create-task', 'resume');
    point.go();
    await asking;

    expect(bench.workflow.completed).toEqual(['token-create-task']);
  });

  test('after the ask function has written and before it looks: the wait is ended once', async () => {
    const bench = await toldToAsk();
    const point = holdWrite(bench, 'put-waiting', 'afterWrite');
    const asking = bench.enters('ask', 'create-task');
    await point.reached;
    expect(await bench.person('create-task', 'resume')).toMatchObject({ answer: { carriedOn: 'answered' } });
    point.go();
    await asking;

    expect(bench.workflow.completed).toEqual(['token-create-task']);
  });

  test('of which only the write is done when the ask function looks: the wait is ended once', async () => {
    const bench = await toldToAsk();
    const point = holdWrite(bench, 'apply', 'afterWrite');
    const deciding = bench.person('create-task', 'resume');
    await point.reached;
    await bench.enters('ask', 'create-task');
    point.go();

    expect(await deciding).toMatchObject({ answer: { carriedOn: 'by-itself' } });
    expect(bench.workflow.completed).toEqual(['token-create-task']);
  });
});

test('a decision about another action ends no wait', async () => {
  const bench = await toldToAsk();
  await bench.person('send-introduction', 'stop');

  expect(await bench.enters('ask', 'create-task')).toMatchObject({ answered: false });
  expect(bench.told).toHaveLength(1);
});

describe('a decision made when the token’s time is over', () => {
  test('is left to the reconcile that the timeout leads to', async () => {
    const bench = await askedAboutTask();
    bench.workflow.tokens.clear();

    expect(await bench.person('create-task', 'resume')).toMatchObject({
      answer: { carriedOn: 'by-itself', execution: RUN_1 },
    });
    expect(await bench.reconcile('create-task', { error: 'States.Timeout' })).toMatchObject({
      disposition: 'resume',
    });
  });

  test('and after that reconcile had read: the next wait is ended at once', async () => {
    const bench = await askedAboutTask();
    bench.workflow.tokens.clear();
    await bench.reconcile('create-task', { error: 'States.Timeout' });
    await bench.person('create-task', 'resume');

    expect(await bench.enters('ask', 'create-task', { token: 'token-2', asked: 1 })).toMatchObject({
      answered: true,
    });
    expect(bench.workflow.completed).toEqual(['token-2']);
  });
});

describe('a decision about what is parked', () => {
  test('is brought to its reconcile at once', async () => {
    const bench = await parkedTask();

    expect(await bench.person('create-task', 'take-over')).toMatchObject({
      answer: { carriedOn: 'answered' },
    });
    expect(bench.workflow.completed).toEqual(['token-create-task']);
  });

  test('is heard once and then stays parked with it: nothing spins', async () => {
    const bench = await parkedTask();
    await bench.person('create-task', 'resume');
    for (let turn = 0; turn < 3; turn++) {
      expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'park' });
      expect(
        await bench.enters('park', 'create-task', { token: `park-${turn}`, reason: 'route-paused' }),
      ).toMatchObject({ answered: false });
    }

    expect(bench.workflow.completed).toEqual(['token-create-task']);
    bench.ledger.pauseRoute('web', false);
    await bench.reconcile('create-task');
    bench.clock.advance(60_000);
    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'resume', attempt: 1 });
    expect(await bench.state('create-task')).toMatchObject({
      decision: null,
      lastDecision: { result: 'used' },
    });
  });

  test('is carried out while the route is paused, where nothing goes out for it', async () => {
    const bench = await parkedTask();
    await bench.person('create-task', 'take-over');

    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'ask', reason: 'taken-over' });
    await bench.enters('ask', 'create-task', { reason: 'taken-over', token: 'token-2' });
    await bench.person('create-task', 'release', { notDone: true });
    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'wait', reason: 'released' });
    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'park' });
  });
});

describe('where nobody waits any more', () => {
  test.each(['FAILED', 'ABORTED', 'TIMED_OUT'] as const)(
    'a decision about an execution that is %s starts the next run, which hears it',
    async (status) => {
      const bench = await askedAboutTask();
      bench.workflow.statuses.set(RUN_1, status);
      bench.workflow.tokens.clear();

      expect(await bench.person('create-task', 'resume')).toMatchObject({
        answer: { recorded: 'now', carriedOn: 'resubmitted', execution: RUN_2 },
      });
      expect(bench.running()).toEqual([RUN_2]);
      expect(await bench.reconcile('create-task', { execution: RUN_2 })).toMatchObject({
        disposition: 'resume',
        attempt: 2,
      });
    },
  );

  test('a stop starts nothing: what is left would be done', async () => {
    const bench = await askedAboutTask();
    bench.workflow.statuses.set(RUN_1, 'ABORTED');
    bench.workflow.tokens.clear();

    expect(await bench.person('create-task', 'stop')).toMatchObject({
      answer: { recorded: 'now', carriedOn: 'held', execution: null },
    });
    expect(bench.running()).toEqual([]);
    // It is heard as soon as somebody lets the handoff go on.
    await bench.resubmitted();
    expect(bench.running()).toEqual([RUN_2]);
    expect(await bench.reconcile('create-task', { execution: RUN_2 })).toMatchObject({ disposition: 'stop' });
  });

  test('a decision about an action whose token was lost starts the next run and ends this one', async () => {
    const bench = await askedAboutTask();
    const [waiting] = await bench.waiting();
    if (waiting) await bench.ledger.putWaiting(KEY, { ...waiting, token: null });

    expect(await bench.person('create-task', 'resume')).toMatchObject({
      answer: { carriedOn: 'resubmitted', execution: RUN_2 },
    });
    expect(bench.running()).toEqual([RUN_2]);
  });

  test('the token of an earlier run is none of the present one’s', async () => {
    const bench = await askedAboutTask();
    await bench.resubmitted();

    expect(await bench.person('create-task', 'resume')).toMatchObject({
      answer: { carriedOn: 'by-itself', execution: RUN_2 },
    });
    expect(bench.workflow.completed).toEqual([]);
  });

  test('a redriven execution is not started again', async () => {
    const bench = await askedAboutTask();
    await bench.ends('FAILED');
    bench.workflow.statuses.set(RUN_1, 'RUNNING');

    expect(await bench.person('create-task', 'resume')).toMatchObject({ answer: { carriedOn: 'by-itself' } });
    expect(bench.running()).toEqual([RUN_1]);
  });
});

describe('two people at once', () => {
  test('one decides, the other is told who did', async () => {
    const bench = await askedAboutTask();
    const point = holdWrite(bench, 'apply', 'beforeWrite');
    const slower = bench.person('create-task', 'resume', { by: 'Mia' });
    await point.reached;
    const faster = await bench.person('create-task', 'confirm');
    point.go();

    expect(faster).toHaveProperty('answer');
    expect(await slower).toMatchObject({
      refused: { error: 'AlreadyDecided', message: expect.stringContaining('confirm by Robin') },
    });
    expect(bench.workflow.completed).toEqual(['token-create-task']);
  });

  test('one decides and is heard before the other has written: the other is judged on what is so now', async () => {
    const bench = await askedAboutTask();
    const point = holdWrite(bench, 'apply', 'beforeWrite');
    const slower = bench.person('create-task', 'resume', { by: 'Mia' });
    await point.reached;
    await bench.person('create-task', 'resume');
    await bench.reconcile('create-task');
    point.go();

    expect(await slower).toMatchObject({ refused: { error: 'AlreadyDecided' } });
    expect(await bench.state('create-task')).toMatchObject({ decision: null });
  });

  test('both decide the same twice: one decision', async () => {
    const bench = await askedAboutTask();
    const point = holdWrite(bench, 'apply', 'beforeWrite');
    const slower = bench.person('create-task', 'resume');
    await point.reached;
    await bench.person('create-task', 'resume');
    await bench.reconcile('create-task');
    point.go();

    expect(await slower).toMatchObject({ answer: { recorded: 'before', result: 'used' } });
    expect(bench.ledger.applied.filter(({ event }) => event.type === 'decide')).toHaveLength(1);
  });

  test('about two actions of a dead execution: one next run', async () => {
    const bench = await askedAboutTask();
    await bench.ends('FAILED');
    await Promise.all([
      bench.person('create-task', 'resume'),
      bench.person('send-introduction', 'resume', { by: 'Mia' }),
    ]);

    expect(bench.running()).toEqual([RUN_2]);
    expect(await bench.waitingOf('handoff')).toBeUndefined();
  });
});

test('a record that keeps moving is given up on, and the same may be done again', async () => {
  const bench = await askedAboutTask();
  bench.ledger.hooks = {
    beforeWrite: async ({ event }) => {
      if (event === 'decide') await bench.reconcile('create-task');
    },
  };
  await expect(bench.person('create-task', 'resume')).rejects.toMatchObject({ name: 'LedgerUnavailable' });
  bench.ledger.hooks = {};

  expect(await bench.person('create-task', 'resume')).toHaveProperty('answer');
});
