import { expect, it } from 'vitest';
import { toldStates } from './stories.ts';

it('a story tells neither waits nor the look that follows each', () => {
  const look = ['Reconcile introduction', 'Introduction: what now?'];
  const entered = ['Send introduction', ...look, 'Introduction: wait', ...look, 'Send introduction'];

  expect(toldStates(entered)).toEqual(['Send introduction', ...look, 'Send introduction']);
  expect(toldStates(look)).toEqual(look);
});
