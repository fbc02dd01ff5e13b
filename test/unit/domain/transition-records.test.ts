import { describe, expect, test } from 'vitest';
import type { Claim } from '../../../functions/domain/action-state.ts';
import type { Outcome } from '../../../functions/domain/outcome.ts';
import { Rejected, transition } from '../../../functions/domain/transition.ts';
import {
  applied,
  claimEvent,
  claimed,
  claimOf,
  decisionOf,
  grantChange,
  OUTCOMES,
  reconcileEvent,
  settled,
  settleEvent,
  T,
} from './states.ts';

const NEVER_LEFT: Outcome = { outcome: 'not-applied', reason: 'connect-refused', requestLeft: false };

describe('the audit trail', () => {
  test('says what a reconcile found, and what it did or decided', () => {
    const unknown = settled('unknown');
    const waited = applied(unknown, reconcileEvent(unknown, { kind: 'none' }));
    const granted = applied(waited, reconcileEvent(waited, grantChange(2), { reason: 'absent' }));

    expect(granted.history.slice(-2)).toEqual([
      { at: T + 100_000, event: 'wait', attempt: 1, detail: 'absent · too-early' },
      { at: T + 100_000, event: 'grant', attempt: 1, detail: 'absent · absent' },
    ]);
  });

  test('says who decided what', () => {
    const decided = applied(settled('unknown'), { type: 'decide', decision: decisionOf('resume') });

    expect(decided.history.at(-1)).toEqual({ at: T, event: 'decided-resume', attempt: 1, detail: 'robin' });
  });
});

test.each(['not-applied', 'unknown', 'refused'] as const)('%s brings no evidence', (name) => {
  expect(settled(name).evidence).toBeNull();
});

describe('whether a request of the identity left', () => {
  const neverLeft = applied(claimed(), settleEvent(1, NEVER_LEFT));

  test('is not made up by a grant', () => {
    expect(applied(neverLeft, reconcileEvent(neverLeft, grantChange(2)))).toMatchObject({
      requestLeft: false,
    });
  });

  test('is not made up by a person who takes over', () => {
    const claim: Claim = { ...claimOf('person'), by: { kind: 'person', name: 'robin' } };

    expect(applied(neverLeft, reconcileEvent(neverLeft, { kind: 'take-over', claim }))).toMatchObject({
      phase: 'taken-over',
      requestLeft: false,
    });
  });
});

test('a grant that rests on less than the one before brings the doubt back', () => {
  const unknown = settled('unknown');
  const absent = applied(unknown, reconcileEvent(unknown, grantChange(2)));
  const unclear = applied(absent, reconcileEvent(absent, grantChange(2, { basis: 'unclear' })));

  expect(absent).toMatchObject({ mayHaveLanded: false });
  expect(unclear).toMatchObject({ mayHaveLanded: true });
});

test('a duplicate that turned out to be none takes no other warning with it', () => {
  const first = applied(claimed(), settleEvent(1, { outcome: 'unknown', reason: 'possible-overwrite' }));
  const warned = applied(
    first,
    reconcileEvent(first, grantChange(2)),
    claimEvent(2),
    settleEvent(1, OUTCOMES.performed),
  );
  const cleared = applied(warned, settleEvent(2, NEVER_LEFT));

  expect(warned.warnings).toEqual(['possible-overwrite', 'possible-duplicate']);
  expect(cleared).toMatchObject({ phase: 'performed', warnings: ['possible-overwrite'] });
});

test.each(['confirm', 'take-over', 'resume'] as const)(
  'a decision that still waits is not replaced by %s',
  (kind) => {
    const waiting = applied(settled('unknown'), {
      type: 'decide',
      decision: decisionOf('resume', { id: 'first' }),
    });

    expect(transition(waiting, { type: 'decide', decision: decisionOf(kind) })).toEqual(
      new Rejected('already-decided'),
    );
  },
);
