import { describe, expect, test } from 'vitest';
import { parseEndedExecution } from '../../../functions/recovery/ended-execution.ts';
import { START } from '../../model/clock.ts';
import { once } from '../../model/write-faults.ts';
import { askedAboutTask, HOURS_4, KEY, RecoveryBench, RUN_1, RUN_2 } from './recovery-bench.ts';

async function running(): Promise<RecoveryBench> {
  const bench = new RecoveryBench();
  await bench.upTo('create-task');
  return bench;
}

const event = (detail: object) => ({
  'detail-type': 'Step Functions Execution Status Change',
  source: 'aws.states',
  detail,
});

describe('the event', () => {
  test('names the handoff by the name of its execution', () => {
    expect(parseEndedExecution(event({ name: 'web.inq-1.12', status: 'TIMED_OUT', input: null }))).toEqual({
      execution: 'web.inq-1.12',
      status: 'TIMED_OUT',
      key: KEY,
    });
  });

  test.each(['by-hand', 'web.inq-1', 'web.inq-1.x', 'web.inq.1.1', '.inq-1.1', 'web.inq-1.1 '])(
    'of an execution called %j names none',
    (name) => {
      expect(parseEndedExecution(event({ name, status: 'FAILED' })).key).toBeNull();
    },
  );

  test.each([undefined, {}, event({ name: RUN_1 }), event({ name: RUN_1, status: 'RUNNING' })])(
    'that is none is refused: %j',
    (wrong) => {
      expect(() => parseEndedExecution(wrong)).toThrow(expect.objectContaining({ name: 'InvalidEvent' }));
    },
  );
});

describe('an execution that ended without closing its handoff', () => {
  test.each([
    ['FAILED', 'execution-failed'],
    ['ABORTED', 'execution-aborted'],
    ['TIMED_OUT', 'execution-timed-out'],
  ] as const)('%s: the handoff waits for the recovery owner, who is told', async (status, why) => {
    const bench = await running();

    expect(await bench.ends(status)).toBe('asked');
    expect(await bench.waitingOf('handoff')).toEqual({
      action: 'handoff',
      kind: 'ask',
      token: null,
      execution: RUN_1,
      who: 'robin@revops.example.com',
      why,
      since: START,
      dueAt: START + HOURS_4,
      asked: 0,
    });
    expect(bench.told).toMatchObject([
      {
        action: 'handoff',
        why,
        who: 'robin@revops.example.com',
        asked: 0,
        escalated: false,
        dueAt: '2026-01-05T16:00:00.000Z',
        text: expect.stringContaining('"decision":"resubmit"'),
      },
    ]);
  });

  test('told again by EventBridge is told to nobody, and has waited since it ended', async () => {
    const bench = await running();
    await bench.ends('FAILED');
    bench.clock.advance(60_000);

    expect(await bench.ends('FAILED')).toBe('asked-before');
    expect(await bench.waitingOf('handoff')).toMatchObject({ since: START, dueAt: START + HOURS_4 });
    expect(bench.told).toHaveLength(1);
  });

  test('whose person could not be told is on the list, due at once, and told by who comes next', async () => {
    const bench = await running();
    bench.eventsFail = true;
    await expect(bench.ends('FAILED')).rejects.toMatchObject({ name: 'EventsUnavailable' });
    expect(await bench.waitingOf('handoff')).toMatchObject({ since: START, dueAt: START });

    bench.eventsFail = false;
    bench.clock.advance(60_000);
    expect(await bench.ends('FAILED')).toBe('asked');
    expect(bench.told).toMatchObject([{ asked: 0, escalated: false, dueAt: '2026-01-05T16:01:00.000Z' }]);
    expect(await bench.waitingOf('handoff')).toMatchObject({ since: START, dueAt: START + 60_000 + HOURS_4 });
  });

  test.each(['before', 'after'] as const)(
    'whose word that it was told is lost %s its write is told twice at most',
    async (fault) => {
      const bench = await running();
      let writes = 0;
      const second = once(fault, ({ what }) => what === 'put-waiting' && ++writes === 2);
      bench.ledger.hooks = second;
      await expect(bench.ends('FAILED')).rejects.toMatchObject({ name: 'LedgerUnavailable' });
      await bench.ends('FAILED');

      expect(bench.told.length).toBe(fault === 'before' ? 2 : 1);
      expect(await bench.waitingOf('handoff')).toMatchObject({ dueAt: START + HOURS_4 });
    },
  );
});

describe('nothing is done for an execution', () => {
  test('of no handoff', async () => {
    const bench = new RecoveryBench();

    expect(await bench.ends('FAILED')).toBe('unknown');
    expect(bench.told).toEqual([]);
  });

  test('that another has taken the place of', async () => {
    const bench = await askedAboutTask();
    await bench.resubmitted();

    expect(await bench.ends('ABORTED', RUN_1)).toBe('not-current');
    expect(await bench.waitingOf('handoff')).toBeUndefined();
    expect(bench.told).toEqual([]);
  });

  test('whose handoff is closed', async () => {
    const bench = await running();
    await bench.act('create-task', 1);
    await bench.act('send-introduction', 1);
    await bench.close();

    expect(await bench.ends('FAILED')).toBe('closed');
    expect(await bench.waiting()).toEqual([]);
  });
});

test('what an earlier run left on the list is not the present one’s', async () => {
  const bench = await running();
  await bench.ends('FAILED');
  const [earlier] = await bench.waiting();
  await bench.resubmitted();
  if (earlier) await bench.ledger.putWaiting(KEY, earlier);

  expect(await bench.ends('TIMED_OUT', RUN_2)).toBe('asked');
  expect(await bench.waitingOf('handoff')).toMatchObject({ execution: RUN_2, why: 'execution-timed-out' });
});

test('a close takes the handoff as a whole off the list too', async () => {
  const bench = await running();
  await bench.act('create-task', 1);
  await bench.act('send-introduction', 1);
  await bench.ends('FAILED');
  bench.workflow.statuses.set(RUN_1, 'RUNNING');
  await bench.close();

  expect(await bench.waiting()).toEqual([]);
});
