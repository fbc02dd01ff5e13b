import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backOffMs } from '../../../functions/domain/back-off.ts';

const BACK_OFF = { baseMs: 10_000, capMs: 900_000, floorMs: 2_000 };

test.each([
  [1, 0.5, 5_000],
  [2, 0.5, 10_000],
  [3, 0.5, 20_000],
  [7, 0.5, 320_000],
  [8, 0.5, 450_000],
  [60, 0.5, 450_000],
  [2_000, 0.5, 450_000],
  [1, 0.000_1, 2_000],
  [0, 0.5, 5_000],
])('after attempt %i, drawn at %d: %i ms', (attempt, random, expected) => {
  expect(backOffMs(BACK_OFF, attempt, random)).toBe(expected);
});

test('it stays between floor and cap', () => {
  fc.assert(
    fc.property(
      fc.nat(500),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempt, random) => {
        const ms = backOffMs(BACK_OFF, attempt, random);
        expect(ms).toBeGreaterThanOrEqual(2_000);
        expect(ms).toBeLessThanOrEqual(900_000);
        expect(Number.isInteger(ms)).toBe(true);
      },
    ),
  );
});
