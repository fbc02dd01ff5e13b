import { describe, expect, test } from 'vitest';
import { pausePoint } from '../../model/pause-point.ts';
import { once } from '../../model/write-faults.ts';
import {
  askedAboutTask,
  failing,
  KEY,
  RecoveryBench,
  RUN_1,
  RUN_2,
  RUN_3,
  type WorkflowCall,
} from './recovery-bench.ts';

const ANSWER_2 = { answer: { leadRequestId: 'inq-1', by: 'Robin', execution: RUN_2, run: 2 } };

async function failed(): Promise<RecoveryBench> {
  const bench = await askedAboutTask();
  await bench.ends('FAILED');
  return bench;
}

/** What holds whatever happened: one execution runs, and it is the one that the ledger names. */
async function oneRuns(bench: RecoveryBench): Promise<void> {
  expect(bench.running()).toEqual([await bench.current()]);
}

test('resubmit starts run n+1 with its own input, ends run n and takes the handoff off the list', async () => {
  const bench = await askedAboutTask();

  expect(await bench.resubmitted()).toEqual(ANSWER_2);
  expect(bench.workflow.inputs.get(RUN_2)).toMatchObject({ ...KEY, run: 2, limits: { escalations: 3 } });
  expect(bench.workflow.statuses.get(RUN_1)).toBe('ABORTED');
  await oneRuns(bench);
});

test('resubmit takes a failed handoff off the waiting list and leaves its actions there', async () => {
  const bench = await failed();
  await bench.resubmitted();

  expect((await bench.waiting()).map(({ action }) => action)).toEqual(['create-task']);
});

test('resubmit of a handoff that nobody knows is refused', async () => {
  expect(await new RecoveryBench().resubmitted()).toMatchObject({ refused: { error: 'UnknownHandoff' } });
});

test('the functions of the ended run refuse', async () => {
  const bench = await askedAboutTask();
  await bench.resubmitted();

  expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'stop', reason: 'not-current' });
  await expect(bench.enters('ask', 'create-task')).rejects.toMatchObject({ name: 'NotCurrent' });
  expect(await bench.close()).toEqual({ closed: false });
});

describe('two at once take one run', () => {
  test.each(['beforeWrite', 'afterWrite'] as const)('the slower one held %s of the fence', async (moment) => {
    const bench = await failed();
    const point = pausePoint();
    bench.ledger.hooks = {
      [moment]: ({ what }: { what: string }) => (what === 'take-fence' ? point.hold() : undefined),
    };
    const slower = bench.resubmitted();
    await point.reached;
    const faster = await bench.resubmitted();
    point.go();

    expect([faster, await slower]).toEqual([ANSWER_2, ANSWER_2]);
    await oneRuns(bench);
  });

  test.each(['status', 'stop', 'start'] as const)(
    'the slower one held before it asks for %s',
    async (call) => {
      const bench = await failed();
      const point = pausePoint();
      bench.workflowHooks = { before: (seen: WorkflowCall) => (seen === call ? point.hold() : undefined) };
      const slower = bench.resubmitted();
      await point.reached;
      const faster = await bench.resubmitted();
      point.go();

      expect([faster, await slower]).toEqual([ANSWER_2, ANSWER_2]);
      await oneRuns(bench);
    },
  );
});

describe('who resubmits after a crash starts the run that was taken', () => {
  test.each(['before', 'after'] as const)('the fence’s write lost %s it was applied', async (fault) => {
    const bench = await failed();
    bench.ledger.hooks = once(fault, ({ what }) => what === 'take-fence');
    await expect(bench.resubmitted()).rejects.toMatchObject({ name: 'LedgerUnavailable' });

    expect(await bench.resubmitted()).toEqual(ANSWER_2);
    await oneRuns(bench);
  });

  test.each(['before', 'after'] as const)('the list’s write lost %s it was applied', async (fault) => {
    const bench = await failed();
    bench.ledger.hooks = once(fault, ({ what }) => what === 'remove-waiting');
    await expect(bench.resubmitted()).rejects.toMatchObject({ name: 'LedgerUnavailable' });

    expect(await bench.resubmitted()).toEqual(ANSWER_2);
    expect(await bench.waitingOf('handoff')).toBeUndefined();
    await oneRuns(bench);
  });

  test.each([
    ['status', 'before'],
    ['stop', 'before'],
    ['stop', 'after'],
    ['start', 'before'],
  ] as const)('no answer to %s, %s it took effect', async (call, moment) => {
    const bench = await askedAboutTask();
    bench.workflowHooks = failing(call, moment);
    await expect(bench.resubmitted()).rejects.toMatchObject({ name: 'WorkflowUnavailable' });

    expect(await bench.resubmitted()).toEqual(ANSWER_2);
    await oneRuns(bench);
  });

  test('and ends the run before it, which the one who died had left running', async () => {
    const bench = await askedAboutTask();
    bench.workflowHooks = failing('stop', 'before');
    await bench.resubmitted().catch(() => {});
    expect(bench.running()).toEqual([RUN_1]);
    await bench.resubmitted();

    expect(bench.running()).toEqual([RUN_2]);
  });
});

test('one that a person’s execution asks for again is one, also when that run has ended since', async () => {
  const bench = await askedAboutTask();
  bench.workflowHooks = failing('start', 'after');
  await bench.resubmitted('person-1').catch(() => {});
  expect(await bench.resubmitted('person-1')).toMatchObject({ answer: { execution: RUN_2 } });

  await bench.ends('FAILED', RUN_2);
  expect(await bench.resubmitted('person-1')).toMatchObject({ answer: { execution: RUN_2 } });
  expect(await bench.waitingOf('handoff')).toMatchObject({ why: 'execution-failed' });
  expect((await bench.ledger.handoff(KEY))?.resubmissions).toMatchObject([
    { run: 2, execution: 'person-1', by: 'Robin' },
  ]);
  expect(await bench.resubmitted('person-2')).toMatchObject({ answer: { execution: RUN_3 } });
});

test('a lost answer to the start costs one more run, and one runs all the same', async () => {
  const bench = await askedAboutTask();
  bench.workflowHooks = failing('start', 'after');
  await bench.resubmitted().catch(() => {});

  expect(await bench.resubmitted()).toMatchObject({ answer: { execution: RUN_3 } });
  await oneRuns(bench);
});

test('one after the other are two wishes, and two runs', async () => {
  const bench = await failed();
  await bench.resubmitted();

  expect(await bench.resubmitted()).toMatchObject({ answer: { execution: RUN_3, run: 3 } });
  await oneRuns(bench);
});

describe('a handoff that was accepted and whose execution is not there', () => {
  test('is started under the name that it has', async () => {
    const bench = new RecoveryBench();
    await bench.accept();
    bench.workflow.statuses.delete(RUN_1);

    expect(await bench.resubmitted()).toMatchObject({ answer: { execution: RUN_1, run: 1 } });
    await oneRuns(bench);
  });
});

describe('close and resubmit at once', () => {
  async function allDone(): Promise<RecoveryBench> {
    const bench = new RecoveryBench();
    await bench.upTo('create-task');
    await bench.act('create-task', 1);
    await bench.act('send-introduction', 1);
    return bench;
  }

  test('closed first: nothing is started', async () => {
    const bench = await allDone();
    const point = pausePoint();
    bench.ledger.hooks = { beforeWrite: ({ what }) => (what === 'take-fence' ? point.hold() : undefined) };
    const resubmitting = bench.resubmitted();
    await point.reached;
    await bench.close();
    point.go();

    expect(await resubmitting).toMatchObject({ refused: { error: 'HandoffClosed' } });
    expect(bench.workflow.started).toEqual([RUN_1]);
  });

  test('fenced first: the old run does not close, the new one does', async () => {
    const bench = await allDone();
    const point = pausePoint();
    bench.ledger.hooks = { beforeWrite: ({ what }) => (what === 'close' ? point.hold() : undefined) };
    const closing = bench.close();
    await point.reached;
    await bench.resubmitted();
    point.go();

    expect(await closing).toEqual({ closed: false });
    expect(await bench.close(RUN_2)).toEqual({ closed: true });
  });
});
