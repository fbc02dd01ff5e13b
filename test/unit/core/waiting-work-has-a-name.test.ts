import { describe, expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';
import { START } from '../../model/clock.ts';
import { once } from '../../model/write-faults.ts';

const HOURS_4 = 14_400_000;

async function refused(): Promise<Bench> {
  const bench = new Bench();
  await bench.upTo('create-task');
  bench.crm.wire.plan({ kind: 'refused', reason: 'permissions' });
  await bench.act('create-task', 1);
  await bench.reconcile('create-task');
  return bench;
}

describe('a question', () => {
  test.each([
    [0, 'robin@revops.example.com', START + HOURS_4],
    [1, 'mia@revops.example.com', START + HOURS_4],
    [2, 'mia@revops.example.com', START + HOURS_4],
    [3, 'mia@revops.example.com', null],
    [9, 'mia@revops.example.com', null],
  ])('asked %i times before goes to %s, due at %s', async (asked, who, dueAt) => {
    const bench = await refused();
    await bench.ask('create-task', asked, 'permissions');

    expect(await bench.ledger.listWaiting('ask', 'web')).toMatchObject([
      { action: 'create-task', who, why: 'permissions', dueAt, token: 'token-create-task', asked },
    ]);
  });

  test('that was answered leaves the list when its action goes on', async () => {
    const bench = await refused();
    await bench.ask('create-task');
    await bench.decide('create-task', 'resume');
    bench.clock.advance(100_000);
    await bench.reconcile('create-task');

    expect(await bench.ledger.listWaiting('ask', 'web')).toEqual([]);
  });

  test('asked again, it has waited since it was asked first, and is due anew', async () => {
    const bench = await refused();
    await bench.ask('create-task');
    const [first] = await bench.ledger.listWaiting('ask', 'web');
    bench.clock.advance(HOURS_4);
    await bench.ask('create-task', 1);

    expect(await bench.ledger.listWaiting('ask', 'web')).toMatchObject([
      { since: first?.since, dueAt: (first?.dueAt ?? 0) + HOURS_4, asked: 1 },
    ]);
  });

  test('stays on the list while a read in between comes to nothing', async () => {
    const bench = await refused();
    await bench.ask('create-task');
    await bench.decide('create-task', 'resume');

    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'wait' });
    expect(await bench.ledger.listWaiting('ask', 'web')).toHaveLength(1);
  });

  test.each(['ask', 'park'] as const)('%s about what is over is not put on the list', async (kind) => {
    const bench = new Bench();
    await bench.upTo('create-task');
    await bench.act('create-task', 1);
    const late = kind === 'ask' ? bench.ask('create-task') : bench.park('create-task', 'breaker-open');

    await expect(late).rejects.toThrow('nothing-to-wait-for');
    expect(await bench.ledger.listWaiting(kind, kind === 'ask' ? 'web' : 'hubspot')).toEqual([]);
  });

  test('stays on the list as long as it is asked', async () => {
    const bench = await refused();
    await bench.ask('create-task');
    await bench.reconcile('create-task', { error: 'States.Timeout' });

    expect(await bench.ledger.listWaiting('ask', 'web')).toHaveLength(1);
  });

  test.each(['before', 'after'] as const)(
    'whose removal is lost %s it was applied goes with the next reconcile',
    async (fault) => {
      const bench = await refused();
      await bench.ask('create-task');
      await bench.decide('create-task', 'stop');
      bench.clock.advance(100_000);
      bench.ledger.hooks = once(fault, ({ what }) => what === 'remove-waiting');
      await expect(bench.reconcile('create-task')).rejects.toMatchObject({ name: 'LedgerUnavailable' });

      expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'stop' });
      expect(await bench.ledger.listWaiting('ask', 'web')).toEqual([]);
    },
  );
});

describe('a paused route or an open breaker', () => {
  test('lets nothing be claimed, and parks', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    bench.ledger.pauseRoute('web');
    await expect(bench.act('create-task', 1)).rejects.toThrow('route-paused');
    expect(await bench.reconcile('create-task')).toMatchObject({
      disposition: 'park',
      reason: 'route-paused',
    });
    bench.ledger.pauseRoute('web', false);
    bench.ledger.openBreaker('hubspot');
    await expect(bench.act('create-task', 1)).rejects.toThrow('breaker-open');

    expect(await bench.reconcile('create-task')).toMatchObject({
      disposition: 'park',
      reason: 'breaker-open',
    });
  });

  test('what is parked is listed by its destination, with a time to look again', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    bench.ledger.openBreaker('hubspot');
    await bench.reconcile('create-task');
    await bench.park('create-task', 'breaker-open');

    expect(await bench.ledger.listWaiting('park', 'hubspot')).toMatchObject([
      { action: 'create-task', who: 'hubspot', why: 'breaker-open', dueAt: START + 900_000 },
    ]);
  });

  test('what may go on again leaves the list', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    bench.ledger.openBreaker('hubspot');
    await bench.reconcile('create-task');
    await bench.park('create-task', 'breaker-open');
    bench.ledger.openBreaker('hubspot', false);
    await bench.reconcile('create-task');

    expect(await bench.ledger.listWaiting('park', 'hubspot')).toEqual([]);
  });

  test('does not keep a done action from being found', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    bench.crm.wire.plan({ kind: 'answer-lost' });
    await bench.act('create-task', 1);
    bench.ledger.openBreaker('hubspot');

    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'keep' });
  });

  test('keeps a decision until it is over', async () => {
    const bench = await refused();
    bench.clock.advance(100_000);
    bench.ledger.pauseRoute('web');
    await bench.decide('create-task', 'resume');
    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'park' });
    bench.ledger.pauseRoute('web', false);

    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'resume', attempt: 2 });
  });
});

test('a ledger that cannot be read is no reason to call anything', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');
  for (const what of ['handoff', 'action', 'gates', 'operation'] as const) {
    bench.ledger.hooks = { readFails: (read) => read === what };
    await expect(bench.act('create-task', 1)).rejects.toMatchObject({ name: 'LedgerUnavailable' });
  }

  expect(bench.crm.tasks).toEqual([]);
});
