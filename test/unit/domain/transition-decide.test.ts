import { describe, expect, test } from 'vitest';
import type { DecideEvent } from '../../../functions/domain/action-events.ts';
import type { ActionState } from '../../../functions/domain/action-state.ts';
import { Rejected, recordedDecision, transition } from '../../../functions/domain/transition.ts';
import { applied, decisionOf, reconcileEvent, settled } from './states.ts';

const decide = (seenVersion: number): DecideEvent => ({
  type: 'decide',
  decision: decisionOf('resume'),
  seenVersion,
});

describe('a decision that was judged on one version of the record', () => {
  const asked = settled('refused');

  test('is written on that version', () => {
    expect(transition(asked, decide(asked.version))).toMatchObject({
      decision: { kind: 'resume' },
      version: asked.version + 1,
    });
  });

  test('is void on every other: it has to be judged again', () => {
    const moved = applied(asked, reconcileEvent(asked, { kind: 'none' }));

    for (const version of [asked.version, moved.version + 1]) {
      expect(transition(moved, decide(version))).toEqual(new Rejected('changed-since-read'));
    }
  });

  test('is met again wherever the record has moved since it was written', () => {
    const decided = applied(asked, decide(asked.version));
    const moved = applied(decided, reconcileEvent(decided, { kind: 'none' }, { decisionConsumed: true }));

    expect(transition(moved, decide(asked.version))).toBe(moved);
  });
});

describe('earlier decisions', () => {
  /** As many decisions as that, each heard before the next one is made. */
  function decidedSoOften(count: number): ActionState {
    let state = settled('refused');
    for (let n = 1; n <= count; n++) {
      state = applied(state, { type: 'decide', decision: decisionOf('resume', { id: `d${n}` }) });
      state = applied(
        state,
        reconcileEvent(state, { kind: 'none' }, { decisionConsumed: true, decisionResult: 'turned-down' }),
      );
    }
    return state;
  }
  const again = (state: ActionState, id: string) =>
    transition(state, { type: 'decide', decision: decisionOf('resume', { id }) });

  test('that are met again change nothing, the newest and ten before it', () => {
    const state = decidedSoOften(11);

    for (let n = 1; n <= 11; n++) expect(again(state, `d${n}`)).toBe(state);
    expect(again(state, 'd12')).toMatchObject({ decision: { id: 'd12' } });
  });

  test('are remembered with what became of them, as long as one can come again', () => {
    const state = decidedSoOften(12);

    expect(recordedDecision(state, 'd2')).toMatchObject({ decision: { id: 'd2' }, result: 'turned-down' });
    expect(recordedDecision(state, 'd12')).toMatchObject({ decision: { id: 'd12' } });
    expect(recordedDecision(state, 'd1')).toBeNull();
    expect(state.earlierDecisions).toHaveLength(10);
  });
});

test('whose grant was heard of is marked as heard by its id, and not once it is consumed', () => {
  const decided = applied(settled('refused'), { type: 'decide', decision: decisionOf('resume') });

  expect(applied(decided, reconcileEvent(decided, { kind: 'none' })).lastRead?.heard).toBe('decision-resume');
  const heard = reconcileEvent(decided, { kind: 'none' }, { decisionConsumed: true });
  expect(applied(decided, heard).lastRead?.heard).toBeNull();
});
