import { expect, test } from 'vitest';
import { canonicalHash } from '../../../functions/domain/intent.ts';

test.each([[undefined], [() => 1], [Symbol('lead')]])('%s has no hash', (value) => {
  expect(() => canonicalHash(value)).toThrow('Only JSON values can be hashed.');
});
