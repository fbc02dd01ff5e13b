import { describe, expect, test } from 'vitest';
import type { ActionState } from '../../../functions/domain/action-state.ts';
import { transition } from '../../../functions/domain/transition.ts';
import {
  applied,
  claimEvent,
  claimed,
  grantChange,
  inPhase,
  OUTCOMES,
  RECORD,
  reconcileEvent,
  settled,
  settleEvent,
  T,
} from './states.ts';

const LATE = { ...OUTCOMES.performed, evidence: { ...RECORD, recordId: '8000' } };

/** Attempt 2 is claimed while attempt 1 has not reported. */
function secondClaim(): ActionState {
  const first = claimed();
  return applied(first, reconcileEvent(first, grantChange(2)), claimEvent(2));
}

describe('a worker reports', () => {
  test('performed', () => {
    expect(settled('performed')).toMatchObject({
      phase: 'performed',
      evidence: { kind: 'receipt', recordId: '9001' },
      settledAt: T + 1_000,
      reason: null,
      requestLeft: true,
    });
  });

  test('not applied, and when the destination wants to see us again', () => {
    const state = applied(claimed(), settleEvent(1, { ...OUTCOMES['not-applied'], retryAfterMs: 30_000 }));

    expect(state).toMatchObject({
      phase: 'not-applied',
      reason: 'rate-limited',
      notBefore: T + 31_000,
      requestLeft: true,
      firstClaimAt: T,
      mayHaveLanded: false,
    });
  });

  test('not applied, and no byte left: as if this identity had never been claimed', () => {
    const state = applied(
      claimed(),
      settleEvent(1, { outcome: 'not-applied', reason: 'connect-refused', requestLeft: false }),
    );

    expect(state).toMatchObject({ requestLeft: false, firstClaimAt: null, mayHaveLanded: false });
  });

  test('unknown: it may have landed', () => {
    expect(settled('unknown')).toMatchObject({ phase: 'unknown', mayHaveLanded: true, requestLeft: true });
  });

  test('refused', () => {
    expect(settled('refused')).toMatchObject({
      phase: 'refused',
      reason: 'permissions',
      mayHaveLanded: false,
    });
  });

  test('a possible overwrite is a warning that stays', () => {
    const state = applied(claimed(), settleEvent(1, { outcome: 'unknown', reason: 'possible-overwrite' }));

    expect(state.warnings).toEqual(['possible-overwrite']);
  });

  test.each(['performed', 'not-applied', 'unknown', 'refused'] as const)('%s twice is once', (name) => {
    const state = settled(name);

    expect(transition(state, settleEvent(1, OUTCOMES[name]))).toBe(state);
  });
});

describe('a result after a newer claim', () => {
  test('a late success is kept beside the claim and warns of a duplicate', () => {
    const state = applied(secondClaim(), settleEvent(1, LATE));

    expect(state).toMatchObject({
      phase: 'claimed',
      attempt: 2,
      claim: { id: 'claim-2' },
      evidence: null,
      lateEvidence: { recordId: '8000' },
      warnings: ['possible-duplicate'],
    });
  });

  test.each(['not-applied', 'unknown', 'refused'] as const)(
    'a late %s is history, and nothing else',
    (name) => {
      const before = secondClaim();
      const { version, history, ...rest } = applied(before, settleEvent(1, OUTCOMES[name]));

      expect(before).toMatchObject(rest);
      expect(version).toBe(before.version + 1);
      expect(history.at(-1)).toMatchObject({ event: `late-${name}`, attempt: 1 });
    },
  );

  test.each(['performed', 'not-applied', 'unknown', 'refused'] as const)(
    'a late %s twice is once',
    (name) => {
      const once = applied(secondClaim(), settleEvent(1, name === 'performed' ? LATE : OUTCOMES[name]));

      expect(transition(once, settleEvent(1, name === 'performed' ? LATE : OUTCOMES[name]))).toBe(once);
    },
  );

  test.each(['not-applied', 'refused'] as const)('the newer one ends %s: the late success stands', (name) => {
    const lateFirst = applied(secondClaim(), settleEvent(1, LATE), settleEvent(2, OUTCOMES[name]));
    const lateLast = applied(secondClaim(), settleEvent(2, OUTCOMES[name]), settleEvent(1, LATE));

    for (const state of [lateFirst, lateLast]) {
      expect(state).toMatchObject({
        phase: 'performed',
        evidence: { recordId: '8000' },
        warnings: [],
        grant: null,
      });
    }
  });

  test.each(['performed', 'unknown'] as const)('the newer one ends %s: the warning stays', (name) => {
    const lateFirst = applied(secondClaim(), settleEvent(1, LATE), settleEvent(2, OUTCOMES[name]));
    const lateLast = applied(secondClaim(), settleEvent(2, OUTCOMES[name]), settleEvent(1, LATE));

    for (const state of [lateFirst, lateLast]) {
      expect(state).toMatchObject({ phase: name, lateEvidence: { recordId: '8000' } });
      expect(state.warnings).toEqual(['possible-duplicate']);
    }
  });

  test('both name one record: there is no duplicate', () => {
    const state = applied(
      secondClaim(),
      settleEvent(2, OUTCOMES.performed),
      settleEvent(1, OUTCOMES.performed),
    );

    expect(state.warnings).toEqual([]);
  });
});

describe('a late success after a person acted', () => {
  test.each(['stopping', 'stopped', 'stopped-unclear'] as const)('%s becomes stopped-but-done', (phase) => {
    const state = applied(inPhase(phase), settleEvent(1, LATE));

    expect(state).toMatchObject({ phase: 'stopped-but-done', evidence: { recordId: '8000' } });
  });

  test('stopped-but-done with another record stays, and warns', () => {
    const state = applied(inPhase('stopped-but-done'), settleEvent(1, LATE));

    expect(state).toMatchObject({ phase: 'stopped-but-done', evidence: { recordId: '9001' } });
    expect(state.warnings).toEqual(['possible-duplicate']);
  });

  test('taken over: the person keeps the claim and is warned', () => {
    const state = applied(inPhase('taken-over'), settleEvent(1, LATE));

    expect(state).toMatchObject({ phase: 'taken-over', warnings: ['possible-duplicate'] });
  });

  test('confirmed by attestation: another record is a possible duplicate', () => {
    const first = claimed();
    const confirmed = applied(
      first,
      reconcileEvent(first, { kind: 'done', evidence: { ...RECORD, kind: 'attested', recordId: null } }),
    );

    expect(applied(confirmed, settleEvent(1, LATE)).warnings).toEqual(['possible-duplicate']);
  });
});

test('an unknown that a granted attempt has not followed yet takes the grant away when its worker speaks', () => {
  const first = claimed();
  const granted = applied(first, reconcileEvent(first, grantChange(2)));

  expect(applied(granted, settleEvent(1, OUTCOMES.performed))).toMatchObject({
    phase: 'performed',
    grant: null,
  });
  expect(applied(granted, settleEvent(1, OUTCOMES.unknown))).toMatchObject({ phase: 'unknown', grant: null });
});
