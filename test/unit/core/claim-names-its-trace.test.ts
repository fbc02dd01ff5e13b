import { expect, test } from 'vitest';
import { runAttempt } from '../../../functions/actions/attempt.ts';
import { Bench } from '../../model/bench.ts';
import { NUMBERS } from '../../model/settings.ts';

test.each([
  ['1-6762f0a1-0123456789abcdef01234567', { traceId: '1-6762f0a1-0123456789abcdef01234567' }],
  [undefined, {}],
])('a claim made under the trace %s', async (traceId, expected) => {
  const bench = new Bench();
  await bench.upTo('create-task');
  const prepared = await bench.prepare('create-task', 1);
  const perform = async () => ({ outcome: 'unknown', reason: 'timeout' }) as const;

  await runAttempt(prepared, perform, {
    ledger: bench.ledger,
    clock: bench.clock.now,
    ids: bench.ids,
    numbers: NUMBERS,
    route: bench.route,
    remainingMs: () => 15_000,
    traceId,
  });

  const { traceId: claimed } = (await bench.state('create-task')).claim ?? {};
  expect(claimed === undefined ? {} : { traceId: claimed }).toEqual(expected);
});
