import { expect, test } from 'vitest';
import { invocationsOfHandoffs } from '../../../local/bench-invocations.ts';

test('the invocations of handoffs are all but those of the scheduled sweep', () => {
  const counts = {
    'lead-handoff-local-start': 1,
    'lead-handoff-local-close': 2,
    'lead-handoff-local-sweep': 9,
  };

  expect(invocationsOfHandoffs(counts)).toBe(3);
  expect(invocationsOfHandoffs({})).toBe(0);
});
