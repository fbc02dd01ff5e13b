export interface BackOff {
  readonly baseMs: number;
  readonly capMs: number;
  readonly floorMs: number;
}

/**
 * How long to wait before the attempt after attempt n, in milliseconds: exponential with full jitter
 * (https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/), never under the floor, so that
 * nothing spins.
 *
 * @param random a number in [0, 1)
 */
export function backOffMs({ baseMs, capMs, floorMs }: BackOff, attempt: number, random: number): number {
  const ceiling = Math.min(capMs, baseMs * 2 ** Math.max(0, attempt - 1));
  return Math.max(floorMs, Math.floor(random * ceiling));
}
