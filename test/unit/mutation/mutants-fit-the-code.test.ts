import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { mutated } from '../../mutation/mutant.ts';
import { MUTANTS } from '../../mutation/mutants/all.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** `npm run mutants` takes minutes; that its list still fits the code takes none. */
describe.each(MUTANTS.map((mutant) => [mutant.id, mutant] as const))('%s', (_, mutant) => {
  test('takes its protection away in exactly one place, and names a test that exists', () => {
    const source = readFileSync(join(ROOT, mutant.file), 'utf8');

    expect(mutated(source, mutant)).not.toBe(source);
    expect(existsSync(join(ROOT, mutant.caughtBy.test))).toBe(true);
  });
});
