import { describe, expect, test } from 'vitest';
import { pausePoint } from '../../model/pause-point.ts';
import { once, writeOf } from '../../model/write-faults.ts';
import { askedAboutTask, failing, KEY, type RecoveryBench, RUN_1, RUN_2 } from './recovery-bench.ts';

const decisionsOf = (bench: RecoveryBench) =>
  bench.ledger.applied.filter(({ event }) => event.type === 'decide').length;

describe('the same decision of another execution', () => {
  test('while it is not carried out: is known, and says when it was made', async () => {
    const bench = await askedAboutTask();
    await bench.person('create-task', 'resume');
    bench.clock.advance(60_000);

    expect(await bench.person('create-task', 'resume')).toMatchObject({
      answer: { recorded: 'before', result: 'pending', decidedAt: '2026-01-05T12:01:40.000Z' },
    });
    expect(decisionsOf(bench)).toBe(1);
  });

  test('after it was carried out and its action is done: is known', async () => {
    const bench = await askedAboutTask();
    await bench.person('create-task', 'confirm');
    await bench.reconcile('create-task');

    expect(await bench.person('create-task', 'confirm')).toMatchObject({
      answer: { recorded: 'before', result: 'used', carriedOn: 'heard' },
    });
  });

  test('after its handoff was closed: is known', async () => {
    const bench = await askedAboutTask();
    await bench.person('create-task', 'stop');
    await bench.reconcile('create-task');
    await bench.act('send-introduction', 1);
    await bench.close();

    expect(await bench.person('create-task', 'stop')).toMatchObject({
      answer: { recorded: 'before', result: 'used', carriedOn: 'heard' },
    });
  });

  test('of who has taken over: is known, although a person is asked since', async () => {
    const bench = await askedAboutTask();
    await bench.person('create-task', 'take-over');
    await bench.reconcile('create-task');
    await bench.enters('ask', 'create-task', { token: 'token-2', reason: 'taken-over' });

    expect(await bench.person('create-task', 'take-over')).toMatchObject({
      answer: { recorded: 'before', result: 'used' },
    });
    expect([...bench.workflow.tokens]).toEqual(['token-2']);
  });

  test.each([
    ['kind', { decision: 'confirm' }],
    ['person', { by: 'Mia' }],
    ['reason', { reason: 'looked again' }],
    ['evidence', { evidence: '9001' }],
    ['accepted risk', { riskAccepted: true }],
    ['statement', { notDone: true }],
  ])('with another %s is another decision', async (_what, more) => {
    const bench = await askedAboutTask();
    await bench.person('create-task', 'resume');

    expect(await bench.person('create-task', 'resume', more)).toMatchObject({
      refused: { error: 'AlreadyDecided' },
    });
  });

  test('answers a question that was asked since', async () => {
    const bench = await askedAboutTask();
    await bench.person('create-task', 'resume');
    await bench.reconcile('create-task');
    bench.crm.wire.plan({ kind: 'refused', reason: 'permissions' });
    await bench.act('create-task', 2);
    bench.clock.advance(100_000);
    await bench.reconcile('create-task');

    expect(await bench.person('create-task', 'resume')).toMatchObject({
      answer: { recorded: 'now', result: 'pending' },
    });
    expect(decisionsOf(bench)).toBe(2);
  });

  test('is a new one after the fresh read did not bear it', async () => {
    const bench = await askedAboutTask();
    await bench.person('create-task', 'resume');
    bench.crm.wire.unreadable = true;
    for (let i = 0; i < 3; i++) await bench.reconcile('create-task');
    expect(await bench.state('create-task')).toMatchObject({ lastDecision: { result: 'turned-down' } });

    expect(await bench.person('create-task', 'resume')).toMatchObject({ answer: { recorded: 'now' } });
  });

  test('is a new one also where its action was parked since', async () => {
    const bench = await askedAboutTask();
    await bench.person('create-task', 'resume');
    bench.crm.wire.unreadable = true;
    for (let i = 0; i < 3; i++) await bench.reconcile('create-task');
    bench.crm.wire.unreadable = false;
    bench.ledger.put(KEY, { ...(await bench.state('create-task')), phase: 'not-applied', reason: 'timeout' });
    bench.ledger.pauseRoute('web');
    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'park' });

    expect(await bench.person('create-task', 'resume')).toMatchObject({ answer: { recorded: 'now' } });
  });
});

describe('one execution’s decision, delivered again', () => {
  test('does not answer the question that was asked after it', async () => {
    const bench = await askedAboutTask();
    await bench.person('create-task', 'resume', {}, 'person-a');
    await bench.reconcile('create-task');
    bench.crm.wire.plan({ kind: 'refused', reason: 'permissions' });
    await bench.act('create-task', 2);
    bench.clock.advance(100_000);
    await bench.reconcile('create-task');
    await bench.enters('ask', 'create-task', { token: 'token-2' });

    expect(await bench.person('create-task', 'resume', {}, 'person-a')).toMatchObject({
      answer: { recorded: 'before', result: 'used' },
    });
    expect(await bench.state('create-task')).toMatchObject({ decision: null });
    expect(decisionsOf(bench)).toBe(1);
  });

  test.each(['before', 'after', 'met-again'] as const)(
    'after its write was lost or met (%s) is one decision',
    async (fault) => {
      const bench = await askedAboutTask();
      bench.ledger.hooks = once(fault, writeOf('decide'));
      await bench.person('create-task', 'resume', {}, 'person-a').catch(() => {});
      await bench.person('create-task', 'resume', {}, 'person-a');

      expect((await bench.state('create-task')).history.map(({ event }) => event)).toEqual([
        'claimed',
        'refused',
        'ask',
        'decided-resume',
      ]);
      expect(bench.workflow.completed).toEqual(['token-create-task']);
    },
  );

  test.each(['before', 'after'] as const)(
    'after the workflow gave no answer (%s): the wait is ended once',
    async (moment) => {
      const bench = await askedAboutTask();
      bench.workflowHooks = failing('complete', moment);
      await expect(bench.person('create-task', 'resume', {}, 'person-a')).rejects.toMatchObject({
        name: 'WorkflowUnavailable',
      });

      expect(await bench.person('create-task', 'resume', {}, 'person-a')).toMatchObject({
        answer: { recorded: 'before', carriedOn: moment === 'before' ? 'answered' : 'by-itself' },
      });
      expect(bench.workflow.completed).toEqual(['token-create-task']);
    },
  );

  test.each(['status', 'stop', 'start'] as const)(
    'after it died at the %s of the next run: starts that run and no other',
    async (call) => {
      const bench = await askedAboutTask();
      await bench.ends('FAILED');
      bench.workflowHooks = failing(call, 'before');
      await expect(bench.person('create-task', 'resume', {}, 'person-a')).rejects.toMatchObject({
        name: 'WorkflowUnavailable',
      });
      await bench.person('create-task', 'resume', {}, 'person-a');

      expect(bench.running()).toEqual([RUN_2]);
      expect(await bench.ledger.handoff(KEY)).toMatchObject({ run: 2, execution: RUN_2 });
    },
  );
});

test('a repeat carries on where the first one died: the wait is ended', async () => {
  const bench = await askedAboutTask();
  bench.workflowHooks = failing('complete', 'before');
  await bench.person('create-task', 'resume').catch(() => {});

  expect(await bench.person('create-task', 'resume')).toMatchObject({
    answer: { recorded: 'before', carriedOn: 'answered', execution: RUN_1 },
  });
});

test('a repeat of what was heard starts no other run, although its token was lost', async () => {
  const bench = await askedAboutTask();
  const [waiting] = await bench.waiting();
  bench.ledger.pauseRoute('web');
  await bench.person('create-task', 'resume');
  await bench.reconcile('create-task');
  if (waiting) await bench.ledger.putWaiting(KEY, { ...waiting, token: null });

  expect(await bench.person('create-task', 'resume')).toMatchObject({ answer: { carriedOn: 'by-itself' } });
  expect(bench.running()).toEqual([RUN_1]);
});

describe('a repeat of a decision that came too late, because its action was done after all', () => {
  async function doneAfterAll(): Promise<RecoveryBench> {
    const bench = await askedAboutTask();
    await bench.person('create-task', 'resume');
    const state = await bench.state('create-task');
    const { evidence } = await bench.state('upsert-contact');
    bench.ledger.put(KEY, { ...state, phase: 'performed', evidence });
    await bench.act('send-introduction', 1);
    return bench;
  }

  test('of a closed handoff asks the workflow for nothing', async () => {
    const bench = await doneAfterAll();
    await bench.close();
    bench.workflowHooks = {
      before: (call) => {
        throw new Error(`asked for ${call}`);
      },
    };

    expect(await bench.person('create-task', 'resume')).toMatchObject({ answer: { carriedOn: 'heard' } });
  });

  test('whose handoff closes at the same time starts nothing', async () => {
    const bench = await doneAfterAll();
    bench.workflow.statuses.set(RUN_1, 'FAILED');
    const point = pausePoint();
    bench.ledger.hooks = { beforeWrite: ({ what }) => (what === 'take-fence' ? point.hold() : undefined) };
    const repeating = bench.person('create-task', 'resume');
    await point.reached;
    await bench.close();
    point.go();

    expect(await repeating).toMatchObject({ answer: { carriedOn: 'heard', execution: RUN_1 } });
    expect(bench.workflow.started).toEqual([RUN_1]);
  });
});

test('a repeat of what was heard and waits does not wake it', async () => {
  const bench = await askedAboutTask();
  bench.ledger.pauseRoute('web');
  await bench.person('create-task', 'resume');
  expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'park' });
  await bench.enters('park', 'create-task', { token: 'park-1', reason: 'route-paused' });

  expect(await bench.person('create-task', 'resume')).toMatchObject({
    answer: { recorded: 'before', result: 'pending', carriedOn: 'by-itself' },
  });
  expect([...bench.workflow.tokens]).toEqual(['park-1']);
});
