/**
 * The value that the share `p` (0 to 1) of all values does not exceed, by the nearest rank.
 *
 * @throws RangeError without values, or for a `p` outside 0 to 1
 */
export function percentile(values: readonly number[], p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`A percentile is from 0 to 1, not ${p}.`);
  const sorted = [...values].sort((a, b) => a - b);
  const found = sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)];
  if (found === undefined) throw new RangeError('There is no percentile of nothing.');
  return found;
}
