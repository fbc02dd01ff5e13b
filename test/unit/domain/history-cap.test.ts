import { expect, test } from 'vitest';
import { Rejected, transition } from '../../../functions/domain/transition.ts';
import { reconcileEvent, settled } from './states.ts';

test('a long wait does not push what was done out of the audit trail', () => {
  const before = settled('unknown');
  let state = before;
  for (let turn = 0; turn < 200; turn++) {
    const event = reconcileEvent(state, { kind: 'none' }, { disposition: 'wait', reason: 'too-early' });
    const next = transition(state, { ...event, id: `turn-${turn}` });
    if (next instanceof Rejected) throw new Error(next.code);
    state = next;
  }

  expect(state.history).toHaveLength(60);
  expect(state.history.slice(0, before.history.length)).toEqual(before.history);
});
