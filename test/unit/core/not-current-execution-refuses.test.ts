import { describe, expect, test } from 'vitest';
import { Bench, KEY } from '../../model/bench.ts';

const SECOND = 'web.inq-1.2';

/** Run 2 has taken the fence while run 1 was at its task. */
async function fenced(): Promise<Bench> {
  const bench = new Bench();
  await bench.upTo('create-task');
  bench.ledger.putFence(KEY, SECOND, 2);
  return bench;
}

describe('an execution that lost the fence', () => {
  test('claims nothing and calls nothing', async () => {
    const bench = await fenced();

    await expect(bench.act('create-task', 1)).rejects.toMatchObject({ name: 'NotCurrent' });
    expect(await bench.state('create-task')).toMatchObject({ version: 0 });
    expect(bench.crm.tasks).toEqual([]);
  });

  test('reads nothing, writes nothing and stops at its reconcile', async () => {
    const bench = await fenced();
    bench.crm.wire.plan({ kind: 'lost' });
    await bench.act('create-task', 1, SECOND);
    const before = await bench.state('create-task');
    bench.crm.wire.hooks = {
      beforeRead: () => {
        throw new Error('It read.');
      },
    };

    expect(await bench.reconcile('create-task')).toMatchObject({
      disposition: 'stop',
      reason: 'not-current',
    });
    expect(await bench.state('create-task')).toBe(before);
  });

  test.each(['ask', 'park'] as const)('puts nothing on the waiting list (%s)', async (kind) => {
    const bench = await fenced();

    await expect(bench[kind]('create-task')).rejects.toMatchObject({ name: 'NotCurrent' });
    expect((await bench.ledger.record(KEY))?.waiting).toEqual([]);
  });

  test('does not take what waits for the other one off the list', async () => {
    const bench = await fenced();
    bench.crm.wire.plan({ kind: 'refused', reason: 'permissions' });
    await bench.act('create-task', 1, SECOND);
    await bench.reconcile('create-task', { execution: SECOND });
    await bench.ask('create-task', 0, 'permissions', SECOND);

    await bench.reconcile('create-task');

    expect(await bench.ledger.listWaiting('ask', 'web')).toHaveLength(1);
  });

  test('closes nothing, also when everything is done', async () => {
    const bench = await fenced();
    await bench.act('create-task', 1, SECOND);
    await bench.act('send-introduction', 1, SECOND);

    expect(await bench.close()).toEqual({ closed: false });
    expect((await bench.ledger.handoff(KEY))?.closedAt).toBeNull();
    expect(await bench.close(SECOND)).toEqual({ closed: true });
  });

  test('does not fail at its close over what the other one has not done yet', async () => {
    const bench = await fenced();

    expect(await bench.close()).toEqual({ closed: false });
  });

  test('loses the fence between its close’s check and its write: nothing is closed', async () => {
    const bench = new Bench();
    await bench.upTo('send-introduction');
    await bench.act('create-task', 1);
    await bench.act('send-introduction', 1);
    bench.ledger.hooks = {
      beforeWrite: ({ what }) => (what === 'close' ? bench.ledger.putFence(KEY, SECOND, 2) : undefined),
    };

    expect(await bench.close()).toEqual({ closed: false });
  });
});

test('the next run goes on from what the ledger holds', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');
  bench.crm.wire.plan({ kind: 'answer-lost' });
  await bench.act('create-task', 1);
  bench.ledger.putFence(KEY, SECOND, 2);

  expect(await bench.act('create-task', 1, SECOND)).toMatchObject({ outcome: 'unknown' });
  expect(await bench.reconcile('create-task', { execution: SECOND })).toMatchObject({ disposition: 'keep' });
  expect(bench.crm.tasks).toHaveLength(1);
});

test('what nobody handed off is unknown', async () => {
  const bench = new Bench();

  await expect(bench.act('upsert-contact', 1)).rejects.toMatchObject({ name: 'UnknownHandoff' });
  await expect(bench.reconcile('upsert-contact')).rejects.toMatchObject({ name: 'UnknownHandoff' });
  await expect(bench.ask('upsert-contact')).rejects.toMatchObject({ name: 'UnknownHandoff' });
  await expect(bench.close()).rejects.toMatchObject({ name: 'UnknownHandoff' });
});
