import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Fingerprints } from '../../../cli/leads/fingerprints.ts';
import { SeenRequests } from '../../../cli/leads/seen-requests.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

it('keeps what was added first, however many there are', () => {
  const fingerprints = new Fingerprints(2);
  for (let i = 0; i < 5_000; i++) expect(fingerprints.add(hashOf(`${i}`), [i, 7])).toBeUndefined();

  expect(fingerprints.size).toBe(5_000);
  for (let i = 0; i < 5_000; i++) expect(fingerprints.add(hashOf(`${i}`), [0, 0])).toEqual([i, 7]);
  expect(fingerprints.size).toBe(5_000);
  expect(fingerprints.has(hashOf('5000'))).toBe(false);
});

it('tells hashes apart that begin alike, also one of zeros', () => {
  const words = fc.array(fc.constantFrom('00000000', 'ffffffff', '00000001'), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(
        words.map((parts) => parts.join('')),
        { maxLength: 60 },
      ),
      (hashes) => {
        const fingerprints = new Fingerprints();
        const known = new Set<string>();
        for (const hash of hashes) {
          expect(fingerprints.has(hash)).toBe(known.has(hash));
          expect(fingerprints.add(hash)).toEqual(known.has(hash) ? [] : undefined);
          known.add(hash);
        }
        expect(fingerprints.size).toBe(known.size);
      },
    ),
  );
});

it('knows the line of the first lead request of an id that has other fields', () => {
  const seen = new SeenRequests();

  expect(seen.lineWithOtherFields(2, 'a-1', hashOf('one'))).toBeNull();
  expect(seen.lineWithOtherFields(3, 'a-1', hashOf('one'))).toBeNull();
  expect(seen.lineWithOtherFields(4, 'a-1', hashOf('two'))).toBe(2);
  expect(seen.lineWithOtherFields(5, 'a-2', hashOf('two'))).toBeNull();
  expect(seen.lineWithOtherFields(4_000_000_000, 'a-3', hashOf('x'))).toBeNull();
  expect(seen.lineWithOtherFields(7, 'a-3', hashOf('y'))).toBe(4_000_000_000);
});
