import { describe, expect, test } from 'vitest';
import type { Phase } from '../../../functions/domain/action-state.ts';
import {
  type ClaimEvent,
  Rejected,
  type RejectionCode,
  transition,
} from '../../../functions/domain/transition.ts';
import {
  applied,
  claimEvent,
  claimOf,
  decisionOf,
  grantChange,
  grantOf,
  inPhase,
  OPERATION,
  open,
  reconcileEvent,
  settled,
  T,
} from './states.ts';

const HOUR = 3_600_000;

const rejection = (state: ReturnType<typeof open>, event: ClaimEvent): RejectionCode | 'accepted' => {
  const result = transition(state, event);
  return result instanceof Rejected ? result.code : 'accepted';
};

describe('the same attempt again, by another worker', () => {
  test.each<[Phase, RejectionCode | 'accepted']>([
    ['open', 'accepted'],
    ['claimed', 'already-claimed'],
    ['performed', 'already-settled'],
    ['not-applied', 'already-settled'],
    ['unknown', 'already-settled'],
    ['refused', 'already-settled'],
    ['taken-over', 'older-attempt'],
    ['stopping', 'not-claimable'],
    ['stopped', 'not-claimable'],
    ['stopped-but-done', 'not-claimable'],
    ['stopped-unclear', 'not-claimable'],
  ])('in phase %s: %s', (phase, expected) => {
    expect(rejection(inPhase(phase), claimEvent(1, 'other'))).toBe(expected);
  });
});

describe('the next attempt without a grant', () => {
  test.each<[Phase, RejectionCode]>([
    ['open', 'no-grant'],
    ['claimed', 'no-grant'],
    ['performed', 'already-settled'],
    ['not-applied', 'no-grant'],
    ['unknown', 'no-grant'],
    ['refused', 'no-grant'],
    ['taken-over', 'not-claimable'],
    ['stopping', 'not-claimable'],
    ['stopped', 'not-claimable'],
    ['stopped-but-done', 'not-claimable'],
    ['stopped-unclear', 'not-claimable'],
  ])('in phase %s: %s', (phase, expected) => {
    expect(rejection(inPhase(phase), claimEvent(2))).toBe(expected);
  });
});

test('a claim that is met again is the same claim', () => {
  const state = applied(open(), claimEvent(1));

  expect(transition(state, claimEvent(1))).toBe(state);
});

describe('the attempt after an unknown one', () => {
  const unknown = settled('unknown');
  const granted = applied(unknown, reconcileEvent(unknown, grantChange(2)));

  test('with its grant it is claimed, and the grant is used up', () => {
    const state = applied(granted, claimEvent(2));

    expect(state).toMatchObject({ phase: 'claimed', attempt: 2, grant: null, firstClaimAt: T });
  });

  test('a grant is good up to the millisecond in which it expires', () => {
    expect(rejection(granted, claimEvent(2, 'a', { claim: claimOf('a', T + 700_000) }))).toBe('accepted');
    expect(rejection(granted, claimEvent(2, 'a', { claim: claimOf('a', T + 700_001) }))).toBe(
      'grant-expired',
    );
  });

  test('a grant is for one attempt', () => {
    expect(rejection(granted, claimEvent(3))).toBe('no-grant');
    expect(rejection({ ...granted, grant: grantOf(3) }, claimEvent(2))).toBe('no-grant');
  });

  test.each([
    ['revision', { ...OPERATION, revision: 2 }],
    ['identity', { ...OPERATION, identity: 'web/inq-1/create-task/r2' }],
    ['bytes', { ...OPERATION, bodyHash: 'hash-2' }],
  ])('it carries the same %s', (_what, operation) => {
    expect(rejection(granted, claimEvent(2, 'a', { operation }))).toBe('operation-mismatch');
  });

  test('a fresh body has the next revision and no other', () => {
    const fresh = applied(
      unknown,
      reconcileEvent(unknown, { kind: 'grant', grant: grantOf(2), freezeAgain: true, newIdentity: false }),
    );

    expect(rejection(fresh, claimEvent(2, 'a', { operation: OPERATION }))).toBe('operation-mismatch');
    expect(rejection(fresh, claimEvent(2, 'a', { operation: { ...OPERATION, revision: 2 } }))).toBe(
      'accepted',
    );
  });

  test.each(['resume', 'confirm', 'take-over', 'stop'] as const)(
    'a decision to %s is heard first',
    (kind) => {
      const decided = applied(granted, { type: 'decide', decision: decisionOf(kind) });

      expect(rejection(decided, claimEvent(2))).toBe('not-claimable');
    },
  );
});

describe('a receiver that knows a key for 23 trusted hours and lets calls land for a minute', () => {
  const keyWindow = { trustedMs: 23 * HOUR, landingBoundMs: 60_000 };
  const unknown = settled('unknown');
  const withGrant = (more: Parameters<typeof grantOf>[1]) =>
    applied(unknown, reconcileEvent(unknown, grantChange(2, { expiresAt: T + 99 * HOUR, ...more })));
  /** The last moment at which a claim's call (12 s) still lands (60 s) inside the window. */
  const last = T + 23 * HOUR - 72_000;
  const at = (time: number) => claimEvent(2, 'a', { claim: claimOf('a', time), keyWindow });

  test('a repeat may be claimed as long as it lands inside the window', () => {
    expect(rejection(withGrant({}), at(last))).toBe('accepted');
    expect(rejection(withGrant({}), at(last + 1))).toBe('key-window-passed');
  });

  test('the window counts from the first claim, not from the last', () => {
    const second = applied(withGrant({ basis: 'unclear' }), at(last));

    expect(second.firstClaimAt).toBe(T);
  });

  test('a person who decided on proven absence may send what the receiver no longer recognises', () => {
    expect(rejection(withGrant({ decisionId: 'd' }), at(last + 1))).toBe('accepted');
  });

  test('a person cannot decide that on anything less', () => {
    expect(rejection(withGrant({ decisionId: 'd', basis: 'unclear' }), at(last + 1))).toBe(
      'key-window-passed',
    );
  });

  test('where no attempt had an effect there is nothing to recognise, and the window starts again', () => {
    const state = applied(withGrant({ basis: 'not-applied' }), at(last + 1));

    expect(state.firstClaimAt).toBe(last + 1);
  });
});
