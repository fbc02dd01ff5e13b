import { describe, expect, test } from 'vitest';
import type { ActionState } from '../../../functions/domain/action-state.ts';
import { Rejected, transition } from '../../../functions/domain/transition.ts';
import {
  applied,
  claimEvent,
  decisionOf,
  grantChange,
  inPhase,
  OUTCOMES,
  RECORD,
  reconcileEvent,
  settled,
  settleEvent,
  T,
} from './states.ts';

/** A state after one more reconcile that only looked. */
function looked(state: ActionState): ActionState {
  return applied(state, reconcileEvent(state, { kind: 'none' }));
}

describe('a worker’s report that comes once more, after reconcile has looked', () => {
  test.each(['performed', 'not-applied', 'unknown', 'refused'] as const)('%s is already told', (name) => {
    const state = looked(settled(name));

    expect(transition(state, settleEvent(1, OUTCOMES[name]))).toBe(state);
  });

  test('performed, of what a person stopped and reconcile found done', () => {
    const state = looked(inPhase('stopped-but-done'));

    expect(transition(state, settleEvent(1, OUTCOMES.performed))).toBe(state);
  });

  test('performed, of another record than the one that is known, is news', () => {
    const state = looked(settled('performed'));
    const other = { outcome: 'performed', evidence: { ...RECORD, recordId: '9002' } } as const;

    expect(transition(state, settleEvent(1, other))).toMatchObject({
      version: state.version + 1,
      evidence: { recordId: '9001' },
      lateEvidence: { recordId: '9002' },
      warnings: ['possible-duplicate'],
    });
  });

  test('with another reason is news', () => {
    const state = looked(settled('unknown'));
    const other = settleEvent(1, { outcome: 'unknown', reason: 'unsettled-hubspot' });

    expect(transition(state, other)).toMatchObject({ phase: 'unknown', reason: 'timeout' });
    expect(transition(state, other)).not.toBe(state);
  });

  test('as another outcome for the same reason is news', () => {
    const stopping = settled('unknown');
    const state = applied(
      stopping,
      reconcileEvent(stopping, {
        kind: 'stopped',
        phase: 'stopped-unclear',
        reason: 'timeout',
        evidence: null,
      }),
    );

    expect(transition(state, settleEvent(1, OUTCOMES.unknown))).not.toBe(state);
  });

  test('of an older attempt, which ended like the newer one, is news', () => {
    const first = settled('unknown');
    const second = applied(
      first,
      reconcileEvent(first, grantChange(2)),
      claimEvent(2),
      settleEvent(2, OUTCOMES.unknown),
    );
    const state = looked(second);

    expect(transition(state, settleEvent(1, OUTCOMES.unknown))).toMatchObject({
      version: state.version + 1,
      phase: 'unknown',
      history: expect.arrayContaining([expect.objectContaining({ event: 'late-unknown', attempt: 1 })]),
    });
  });
});

describe('what is final', () => {
  test.each(['performed', 'stopped', 'stopped-unclear', 'stopped-but-done'] as const)(
    '%s may be looked at and warned about',
    (phase) => {
      const state = inPhase(phase);

      expect(looked(state)).toMatchObject({ phase, lastRead: { finding: 'absent' } });
      expect(
        transition(
          state,
          reconcileEvent(state, { kind: 'warn', warning: 'possible-overwrite', evidence: null }),
        ),
      ).toMatchObject({ phase, warnings: ['possible-overwrite'] });
    },
  );
});

describe('an action has ended when its worker said so, else when reconcile did', () => {
  test.each([
    ['done', { kind: 'done', evidence: RECORD }],
    ['stopped', { kind: 'stopped', phase: 'stopped', reason: 'stopped-by-person', evidence: null }],
  ] as const)('%s', (_name, change) => {
    const told = settled('unknown');
    const silent = inPhase('claimed');

    expect(transition(told, reconcileEvent(told, change))).toMatchObject({ settledAt: T + 1_000 });
    expect(transition(silent, reconcileEvent(silent, change))).toMatchObject({ settledAt: T + 100_000 });
  });
});

test.each([
  ['resume', 'resume', true],
  ['amend', 'resume', false],
  ['resume', 'ask', false],
] as const)(
  'a decision to %s that ends in %s lets the action go on for good: %s',
  (kind, disposition, letGo) => {
    const unknown = settled('unknown');
    const state = applied(unknown, { type: 'decide', decision: decisionOf(kind) });
    const used = transition(
      state,
      reconcileEvent(state, { kind: 'none' }, { disposition, decisionConsumed: true }),
    );
    if (used instanceof Rejected) throw new Error(used.code);

    expect(used).toMatchObject({ letGo, decision: null });
  },
);

test('a second attempt that never left does not undo that the first one may have', () => {
  const first = settled('unknown');
  const second = applied(
    first,
    reconcileEvent(first, grantChange(2)),
    claimEvent(2),
    settleEvent(2, { outcome: 'not-applied', reason: 'connect-refused', requestLeft: false }),
  );

  expect(second).toMatchObject({ phase: 'not-applied', requestLeft: true, firstClaimAt: T });
});
