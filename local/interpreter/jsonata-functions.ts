import { createHash } from 'node:crypto';
import jsonata from 'jsonata';
import type { Clock } from './clock.ts';
import { UnsupportedFeature } from './errors.ts';

const HASHES: Record<string, string> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
};

/** More elements than any state's 256 KiB could hold; AWS fails such an expression for its memory. */
const LARGEST_RANGE = 1_000_000;

/**
 * What AWS adds to JSONata and takes from it, as bindings. `$eval` is bound to nothing, `$now` and `$millis`
 * follow the clock, and a seeded `$random` is refused because AWS's sequence is not published.
 * https://docs.aws.amazon.com/step-functions/latest/dg/transforming-data.html
 */
export function awsFunctions({ clock, ids }: { clock: Clock; ids: () => string }): Record<string, unknown> {
  return {
    eval: undefined,
    millis: () => clock.now(),
    now: (picture?: string, timezone?: string) => formatTime(clock.now(), picture, timezone),
    uuid: () => ids(),
    random(seed?: unknown) {
      if (seed !== undefined) throw new UnsupportedFeature('$random with a seed');
      return Math.random();
    },
    parse(text: unknown) {
      if (text === undefined) return undefined;
      if (typeof text !== 'string') throw new Error('$parse takes a string');
      return JSON.parse(text);
    },
    partition(array: unknown, size: unknown) {
      if (array === undefined) return undefined;
      if (!Array.isArray(array)) throw new Error('$partition takes an array');
      const length = integer(size, 'the size of $partition');
      if (length < 1) throw new Error('the size of $partition must be positive');
      return Array.from({ length: Math.ceil(array.length / length) }, (_, chunk) =>
        array.slice(chunk * length, (chunk + 1) * length),
      );
    },
    range(first: unknown, last: unknown, step: unknown) {
      const start = integer(first, 'the start of $range');
      const by = integer(step, 'the step of $range');
      if (by === 0) throw new Error('the step of $range must not be 0');
      const length = Math.max(0, Math.floor((integer(last, 'the end of $range') - start) / by) + 1);
      if (length > LARGEST_RANGE) throw new Error('Expression evaluation memory limit exceeded');
      return Array.from({ length }, (_, index) => start + index * by);
    },
    hash(text: unknown, algorithm: unknown) {
      if (text === undefined) return undefined;
      const name = HASHES[String(algorithm)];
      if (name === undefined || typeof text !== 'string') {
        throw new Error(`$hash takes a string and one of ${Object.keys(HASHES).join(', ')}`);
      }
      return createHash(name).update(text, 'utf8').digest('hex');
    },
  };
}

async function formatTime(now: number, picture?: string, timezone?: string): Promise<string> {
  if (picture === undefined) return new Date(now).toISOString();
  return await jsonata('$fromMillis(now, picture, timezone)').evaluate({ now, picture, timezone });
}

function integer(value: unknown, what: string): number {
  if (!Number.isInteger(value)) throw new Error(`${what} must be an integer`);
  return value as number;
}
