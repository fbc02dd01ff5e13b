import { expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';

const HOUR = 3_600_000;

test('a send whose answer was lost is found, however much later it is looked for', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  bench.mail.wire.plan({ kind: 'answer-lost' });
  await bench.act('send-introduction', 1);
  bench.clock.advance(30 * HOUR);

  expect(await bench.reconcile('send-introduction')).toMatchObject({
    disposition: 'keep',
    reason: 'evidence-says-done',
  });
  expect(bench.mail.sent).toHaveLength(1);
});
