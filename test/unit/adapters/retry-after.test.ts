import { expect, it } from 'vitest';
import { retryAfterMs } from '../../../functions/adapters/http/retry-after.ts';

const NOON = Date.UTC(2026, 0, 5, 12, 0, 0);

it.each([
  ['7', 7_000],
  ['0', 0],
  [' 1.5 ', 1_500],
  ['Mon, 05 Jan 2026 12:00:30 GMT', 30_000],
  ['Mon, 05 Jan 2026 11:59:00 GMT', 0],
  ['99999999999', 86_400_000],
  ['soon', undefined],
  ['-3', undefined],
  ['2030', 2_030_000],
  ['', undefined],
  [undefined, undefined],
])('reads %j as %j', (header, expected) => {
  expect(retryAfterMs(header, NOON)).toBe(expected);
});
