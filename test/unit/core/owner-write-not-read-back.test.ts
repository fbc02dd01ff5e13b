import { expect, test } from 'vitest';
import { DestinationUnreadable } from '../../../functions/ports/destination-unreadable.ts';
import { Bench } from '../../model/bench.ts';

test('an owner that was written and could not be read again is unknown, and a later read keeps it', async () => {
  const bench = new Bench();
  await bench.upTo('assign-owner');
  const prepared = await bench.prepare('assign-owner', 1);
  const { findById } = bench.crm;
  let reads = 0;
  bench.crm.findById = async (id) => {
    reads += 1;
    if (reads === 2) throw new DestinationUnreadable('hubspot', 'timeout');
    return findById.call(bench.crm, id);
  };

  expect(await bench.run(prepared)).toEqual({ outcome: 'unknown', reason: 'not-read-back' });
  bench.clock.advance(85_000);
  expect(await bench.reconcile('assign-owner')).toMatchObject({ disposition: 'keep' });
});
