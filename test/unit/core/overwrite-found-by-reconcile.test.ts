import { expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';

test('a write of ours that landed over a person’s owner stays visible, also when only a later read shows it', async () => {
  const bench = new Bench();
  await bench.upTo('assign-owner');
  const point = bench.pauseAt('crm', 'beforeWrite');
  const dying = bench.act('assign-owner', 1);
  await point.reached;
  bench.clock.advance(1);
  bench.crm.personSetsOwner('501', '72');
  bench.clock.advance(1);
  // The worker's request arrives, and the worker does not live to say what it saw.
  bench.pauseAt('crm', 'afterWrite');
  point.go();
  void dying;
  bench.clock.advance(100_000);

  expect(await bench.reconcile('assign-owner')).toMatchObject({
    disposition: 'ask',
    reason: 'possible-overwrite',
  });
  expect(await bench.state('assign-owner')).toMatchObject({
    phase: 'claimed',
    warnings: ['possible-overwrite'],
    evidence: { recordId: '501', facts: { ownerId: '71', overwrittenOwnerId: '72' } },
  });
});
