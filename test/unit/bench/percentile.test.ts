import { describe, expect, it } from 'vitest';
import { percentile } from '../../../local/bench-statistics.ts';

describe('a percentile', () => {
  it.each([
    [0.5, [3, 1, 2], 2],
    [0.5, [4, 1, 3, 2], 2],
    [0.95, [10, 20, 30, 40, 50, 60, 70, 80, 90, 100], 100],
    [0.9, [10, 20, 30, 40, 50, 60, 70, 80, 90, 100], 90],
    [0, [7, 5, 6], 5],
    [1, [7, 5, 6], 7],
    [0.5, [42], 42],
  ])('%d of %j is %d', (p, values, expected) => {
    expect(percentile(values, p)).toBe(expected);
  });

  it('leaves the values in their order', () => {
    const values = [3, 1, 2];
    percentile(values, 0.5);
    expect(values).toEqual([3, 1, 2]);
  });

  it('of nothing, or outside 0 to 1, is an error', () => {
    expect(() => percentile([], 0.5)).toThrow(RangeError);
    expect(() => percentile([1], 1.1)).toThrow(RangeError);
    expect(() => percentile([1], Number.NaN)).toThrow(RangeError);
  });
});
