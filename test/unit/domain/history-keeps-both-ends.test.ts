import { expect, test } from 'vitest';
import type { ActionState } from '../../../functions/domain/action-state.ts';
import { applied, claimEvent, OUTCOMES, open, reconcileEvent, settled, settleEvent } from './states.ts';

/** A state after so many reconciles that changed nothing. */
function after(start: ActionState, turns: number, disposition: 'wait' | 'park'): ActionState {
  let state = start;
  for (let turn = 0; turn < turns; turn++) {
    const event = reconcileEvent(state, { kind: 'none' }, { disposition, reason: `turn-${turn}` });
    state = applied(state, event);
  }
  return state;
}

test.each(['wait', 'park'] as const)(
  'of many turns of %s the first entry of all and the newest stay',
  (what) => {
    const { history } = after(open(), 100, what);

    expect(history).toHaveLength(60);
    expect(history[0]?.detail).toBe('absent · turn-0');
    expect(history[1]?.detail).toBe('absent · turn-41');
    expect(history.at(-1)?.detail).toBe('absent · turn-99');
  },
);

test('a long park does not push what was done out of the audit trail', () => {
  const before = settled('unknown').history;

  expect(after(settled('unknown'), 100, 'park').history.slice(0, before.length)).toEqual(before);
});

test('nor does it where the very first entry was a wait', () => {
  const begun = applied(after(open(), 1, 'wait'), claimEvent(1), settleEvent(1, OUTCOMES.unknown));
  const { history } = after(begun, 100, 'wait');

  expect(history.slice(0, 3).map(({ event }) => event)).toEqual(['wait', 'claimed', 'unknown']);
});
