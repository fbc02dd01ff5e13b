import { describe, expect, test } from 'vitest';
import { keepDeadLetter } from '../../../functions/intake/keep-dead-letter.ts';
import { sweepRoute } from '../../../functions/recovery/sweep-route.ts';
import { LEAD } from '../../model/bench.ts';
import { HOURS_4, PAST_GRACE, RecoveryBench } from './recovery-bench.ts';

const KEY_2 = { route: 'web', leadRequestId: 'inq-2' };
const SECOND = { ...LEAD, leadRequestId: 'inq-2' };
const RUN_OF_2 = 'web.inq-2.1';

/** The same person's second inquiry, which waits for a person. */
async function samePersonTwice(): Promise<RecoveryBench> {
  const bench = new RecoveryBench({ route: { samePerson: { policy: 'ask', windowHours: 24 } } });
  await bench.accept();
  expect(await bench.accept(SECOND)).toMatchObject({ status: 'asked' });
  return bench;
}

const person = (bench: RecoveryBench, input: object) =>
  bench.answer({ leadRequestId: 'inq-2', by: 'Robin', reason: 'another matter', ...input });

async function waitingOf2(bench: RecoveryBench) {
  return (await bench.ledger.record(KEY_2))?.waiting;
}

describe('a handoff that waits because its person has another one', () => {
  test('is not started by the sweep, but escalated', async () => {
    const bench = await samePersonTwice();
    bench.clock.advance(HOURS_4);
    await bench.sweepRoute();

    expect(bench.running()).toEqual(['web.inq-1.1']);
    expect(await waitingOf2(bench)).toMatchObject([{ action: 'handoff', why: 'same-person', asked: 1 }]);
    expect(bench.told).toMatchObject([{ leadRequestId: 'inq-2', why: 'same-person', escalated: true }]);
  });

  test('is resubmitted: its first run starts', async () => {
    const bench = await samePersonTwice();

    expect(await person(bench, { decision: 'resubmit' })).toMatchObject({
      answer: { execution: RUN_OF_2, run: 1 },
    });
    expect(bench.running()).toEqual(['web.inq-1.1', RUN_OF_2]);
    expect(await waitingOf2(bench)).toEqual([]);
  });

  test('is stopped at its first action: its first run starts and hears it', async () => {
    const bench = await samePersonTwice();

    expect(await person(bench, { decision: 'stop', action: 'upsert-contact' })).toMatchObject({
      answer: { carriedOn: 'resubmitted', execution: RUN_OF_2 },
    });
    expect(await bench.ledger.action(KEY_2, 'upsert-contact')).toMatchObject({ decision: { kind: 'stop' } });
  });
});

test('a handoff that was never started is let go on only where its person has no other one', async () => {
  const bench = await samePersonTwice();
  bench.workflow.statuses.delete('web.inq-1.1');
  await bench.ledger.removeWaiting(KEY_2, 'handoff');
  bench.clock.advance(PAST_GRACE);
  await bench.sweepRoute();

  expect(bench.running()).toEqual(['web.inq-1.1']);
  expect(await waitingOf2(bench)).toMatchObject([{ action: 'handoff', why: 'same-person' }]);
});

describe('a dead letter', () => {
  const MESSAGE = { messageId: 'message-1', body: '{"route":"web"}', sentAt: 1, receiveCount: 5 };

  async function kept(bench = new RecoveryBench()): Promise<RecoveryBench> {
    const { route } = bench;
    await keepDeadLetter(MESSAGE, { routes: [route], portsOf: () => bench.recovery() });
    return bench;
  }

  const listed = async (bench: RecoveryBench) => bench.ledger.listWaiting('ask', 'web');

  test('whose person was told is left alone until it is due', async () => {
    const bench = await kept();
    bench.clock.advance(HOURS_4 - 1);
    await bench.sweepRoute();

    expect(bench.told).toHaveLength(1);
  });

  test('that is overdue goes to the escalation owner, and in the end waits without a due time', async () => {
    const bench = await kept();
    for (const asked of [1, 2, 3, 3]) {
      bench.clock.advance(HOURS_4);
      await bench.sweepRoute();
      expect(await listed(bench)).toMatchObject([
        {
          action: 'dead-letter',
          asked,
          who: 'mia@revops.example.com',
          dueAt: asked < 3 ? bench.clock.now() + HOURS_4 : null,
        },
      ]);
    }

    expect(bench.told.map(({ asked, escalated }) => [asked, escalated])).toEqual([
      [0, false],
      [1, true],
      [2, true],
      [3, true],
    ]);
  });

  test('whose person could not be told is told', async () => {
    const bench = new RecoveryBench();
    bench.eventsFail = true;
    await kept(bench).catch(() => {});
    bench.eventsFail = false;
    await bench.sweepRoute();
    await bench.sweepRoute();

    expect(bench.told).toMatchObject([{ action: 'dead-letter', asked: 0, escalated: false }]);
    expect(await listed(bench)).toMatchObject([{ asked: 0, dueAt: bench.clock.now() + HOURS_4 }]);
  });

  test('that was looked into meanwhile is told to nobody', async () => {
    const bench = await kept();
    const [{ leadRequestId } = { leadRequestId: '' }] = await listed(bench);
    bench.clock.advance(HOURS_4);
    const ports = { ...bench.recovery(), random: () => 0, remainingMs: () => 1 };
    const { ledger } = ports;
    const listWaiting: typeof ledger.listWaiting = async (...given) => {
      const items = await ledger.listWaiting(...given);
      const resolution = { kind: 'dismissed', by: 'Tomas', reason: 'spam', at: 1 } as const;
      await ledger.resolveDeadLetter({ route: 'web', leadRequestId }, 'message-1', resolution, 2);
      return items;
    };
    const inBetween = new Proxy(ledger, {
      get: (target, name) => (name === 'listWaiting' ? listWaiting : Reflect.get(target, name)),
    });
    await sweepRoute({ ...ports, ledger: inBetween });

    expect(bench.told).toHaveLength(1);
    expect(await listed(bench)).toEqual([]);
  });

  test('is listed among what waits, and counts as a question', async () => {
    const bench = await kept();
    bench.clock.advance(1_000);

    expect(await bench.answer({ decision: 'waiting' })).toMatchObject({
      answer: { waiting: [{ action: 'dead-letter', why: 'dead-letter', kind: 'ask' }], more: 0 },
    });
    expect((await bench.sweepRoute()).waits).toMatchObject({ waiting: 1, oldestSeconds: 1 });
  });
});
