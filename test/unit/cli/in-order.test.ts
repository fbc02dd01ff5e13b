import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inOrder } from '../../../cli/submission/in-order.ts';

async function* of<T>(items: readonly T[], failure?: Error): AsyncGenerator<T> {
  yield* items;
  if (failure) throw failure;
}

it('gives results in the order of the items, with no more under way than it may', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(3), { maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      async (delays, atOnce) => {
        let underWay = 0;
        let most = 0;
        const results: number[] = [];
        const work = async ([i, delay]: readonly [number, number]) => {
          underWay += 1;
          most = Math.max(most, underWay);
          await sleep(delay);
          underWay -= 1;
          return i;
        };
        for await (const result of inOrder(of([...delays.entries()]), atOnce, work)) results.push(result);

        expect(results).toEqual(delays.map((_, i) => i));
        expect(most).toBeLessThanOrEqual(atOnce);
      },
    ),
    { numRuns: 40 },
  );
});

it('finishes what has begun before it ends with the error of the items', async () => {
  const results: number[] = [];
  const run = async () => {
    const items = of([1, 2, 3], new Error('the file is gone'));
    for await (const result of inOrder(items, 8, async (item) => item)) results.push(result);
  };

  await expect(run()).rejects.toThrow('the file is gone');
  expect(results).toEqual([1, 2, 3]);
});
