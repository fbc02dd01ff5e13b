import { isDeepStrictEqual } from 'node:util';

/** Something is not as it must be; the rehearsal goes on to destroy what it deployed. */
export class Unexpected extends Error {
  override readonly name = 'Unexpected';
}

/** @throws Unexpected */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Unexpected(`${what}: expected ${JSON.stringify(expected)}, but found ${JSON.stringify(actual)}.`);
}
