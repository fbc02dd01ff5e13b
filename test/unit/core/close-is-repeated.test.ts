import { describe, expect, test } from 'vitest';
import { Bench, KEY } from '../../model/bench.ts';
import { START } from '../../model/clock.ts';
import { once } from '../../model/write-faults.ts';

async function done(): Promise<Bench> {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  await bench.act('create-task', 1);
  await bench.act('send-introduction', 1);
  return bench;
}

describe('the close’s write', () => {
  test.each(['before', 'after'] as const)(
    'lost %s it was applied: the close fails visibly, and succeeds when repeated',
    async (fault) => {
      const bench = await done();
      bench.ledger.hooks = once(fault, ({ what }) => what === 'close');
      await expect(bench.close()).rejects.toMatchObject({ name: 'LedgerUnavailable' });

      expect(await bench.close()).toEqual({ closed: true });
      expect(bench.ledger.expiryOf(KEY)).toBe(START + 400 * 86_400_000);
    },
  );

  test('met again by the SDK’s own retry is ours', async () => {
    const bench = await done();
    bench.ledger.hooks = once('met-again', ({ what }) => what === 'close');

    expect(await bench.close()).toEqual({ closed: true });
  });
});

test('repeated, it keeps its first time', async () => {
  const bench = await done();
  await bench.close();
  bench.clock.advance(5_000);

  expect(await bench.close()).toEqual({ closed: true });
  expect((await bench.ledger.handoff(KEY))?.closedAt).toBe(START);
});

test('performed without evidence is not final', async () => {
  const bench = await done();
  bench.ledger.put(KEY, { ...(await bench.state('create-task')), evidence: null });

  await expect(bench.close()).rejects.toMatchObject({ name: 'NotFinal' });
});
