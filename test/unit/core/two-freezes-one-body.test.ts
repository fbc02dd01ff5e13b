import { expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';
import { pausePoint } from '../../model/pause-point.ts';

test('two workers freeze at once with other bytes: both work with the one that stands', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');
  const point = pausePoint();
  bench.ledger.hooks = { beforeWrite: ({ what }) => (what === 'freeze' ? point.hold() : undefined) };
  const slow = bench.prepare('create-task', 1);
  await point.reached;
  // The task is due a day after it is frozen, so that the second body is another one.
  bench.clock.advance(60_000);
  const quick = await bench.prepare('create-task', 1);
  point.go();

  expect((await slow).operation).toEqual(quick.operation);
  expect((await bench.run(await slow)).outcome).toBe('performed');
  expect((await bench.state('create-task')).operation?.bodyHash).toBe(quick.operation.bodyHash);
});
