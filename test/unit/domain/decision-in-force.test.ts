import { describe, expect, test } from 'vitest';
import type { ActionState } from '../../../functions/domain/action-state.ts';
import { type Conclusion, conclude } from '../../../functions/domain/conclusion.ts';
import type { Decision, DecisionKind } from '../../../functions/domain/decision.ts';
import type { GuideFacts } from '../../../functions/domain/decision-guide.ts';
import { decisionInForce } from '../../../functions/domain/decision-in-force.ts';
import type { Finding } from '../../../functions/domain/finding.ts';
import { MAIL_CONTRACT } from '../../model/settings.ts';
import { ABSENT, facts, superseded, UNREADABLE } from './guide-facts.ts';
import { applied, claimEvent, decisionOf, grantOf, open, settled, T } from './states.ts';

const MAIL = { contract: MAIL_CONTRACT };

function concluded(
  state: ActionState,
  finding: Finding = ABSENT,
  given: Partial<GuideFacts> = {},
): Conclusion {
  const ids = { event: `read-of-${state.version}`, claim: 'none' };
  return conclude(facts(state, finding, given), given.now ?? T + 1_800_000, ids);
}

function decided(state: ActionState, kind: DecisionKind, more: Partial<Decision> = {}): ActionState {
  return applied(state, { type: 'decide', decision: decisionOf(kind, more) });
}

function written(state: ActionState, { event }: Conclusion): ActionState {
  return event ? applied(state, event) : state;
}

/** What a person decided about a refused task was granted, and nobody has claimed it. */
function granted(kind: DecisionKind = 'resume', more: Partial<Decision> = {}): ActionState {
  const state = decided(settled('refused'), kind, more);
  return written(state, concluded(state));
}

describe('a decision is in force', () => {
  test('until somebody has heard it', () => {
    expect(decisionInForce(decided(settled('refused'), 'stop'))?.kind).toBe('stop');
    expect(decisionInForce(settled('refused'))).toBeNull();
  });

  test('as long as nobody has claimed the attempt that it allowed', () => {
    const state = granted();

    expect(decisionInForce(state)).toEqual(decisionOf('resume'));
    expect(decisionInForce(applied(state, claimEvent(2)))).toBeNull();
  });

  test('and not because of a grant that is another’s, or once it was turned down', () => {
    const state = granted();
    const lastDecision = { decision: decisionOf('resume'), result: 'turned-down' } as const;

    expect(decisionInForce({ ...state, grant: grantOf(2) })).toBeNull();
    expect(decisionInForce({ ...state, grant: null })).toBeNull();
    expect(decisionInForce({ ...state, lastDecision })).toBeNull();
    expect(decisionInForce({ ...state, lastDecision: null })).toBeNull();
  });
});

describe('one that is carried out again', () => {
  test('waits for a back-off first, which keeps the grant and the word', () => {
    const state = granted();
    const waits = concluded(state, ABSENT, { random: 1 });
    const after = written(state, waits);

    expect(waits).toMatchObject({
      verdict: { disposition: 'wait', reason: 'back-off' },
      event: { change: { kind: 'none' }, decisionConsumed: false },
    });
    expect(after).toMatchObject({
      grant: { decisionId: 'decision-resume' },
      lastDecision: { result: 'used' },
    });
    const until = waits.event?.backOffUntil ?? 0;
    expect(until).toBeGreaterThan(T + 1_800_000);
    const again = (now: number) => concluded(after, ABSENT, { now }).verdict.disposition;
    expect([again(until - 1), again(until)]).toEqual(['wait', 'resume']);
  });

  test('is granted on the read that shows so now', () => {
    const state = written(granted(), concluded(granted(), ABSENT, { random: 1 }));
    const now = T + 9_000_000;
    const again = concluded(state, ABSENT, { now });

    expect(again).toMatchObject({
      verdict: { disposition: 'resume', reason: 'decided-resume' },
      attempt: 2,
      event: {
        change: { grant: { decisionId: 'decision-resume', readStartedAt: now } },
        decisionConsumed: true,
      },
    });
    expect(again.event?.change).not.toMatchObject({ grant: { evidenceHash: state.grant?.evidenceHash } });
    expect(written(state, again).lastDecision?.result).toBe('used');
  });

  test.each([
    ['owner-unknown', { lastError: 'OwnerUnknown' }],
    ['decision-not-possible', { lastError: 'DependencyStopped' }],
    ['too-many-turns', { turns: 401 }],
  ])('is given up with %s', (reason, given) => {
    const state = granted();
    const answer = concluded(state, ABSENT, given);

    expect(answer.verdict).toEqual({ disposition: 'ask', reason });
    expect(written(state, answer).lastDecision?.result).toBe('turned-down');
  });

  test('is not given up for what goes away: a function that was throttled, a read that failed, a turn more', () => {
    for (const given of [
      { lastError: 'Lambda.TooManyRequestsException' },
      { lastError: 'NoGrant' },
      { turns: 400 },
    ]) {
      expect(concluded(granted(), ABSENT, given).verdict.reason).toBe('back-off');
    }
  });

  test('none of that holds for one that is heard for the first time', () => {
    const state = decided(settled('refused'), 'resume');
    for (const given of [{ lastError: 'OwnerUnknown' }, { lastError: 'DependencyStopped' }, { turns: 401 }]) {
      expect(concluded(state, ABSENT, given).verdict).toMatchObject({ disposition: 'resume' });
    }
  });
});

describe('a correction of fields', () => {
  const hash = 'f'.repeat(64);

  test('is bound to the grant and goes with it', () => {
    const state = decided(settled('refused'), 'amend', { evidence: hash });
    const { event, amendment } = concluded(state);

    expect(event?.change).toMatchObject({
      kind: 'grant',
      freezeAgain: true,
      newIdentity: false,
      fieldsHash: hash,
    });
    expect(amendment).toEqual({ intentHash: hash, decisionId: 'decision-amend', by: 'robin', at: T });
    expect(granted('amend', { evidence: hash })).toMatchObject({ fieldsHash: hash, nextRevision: 2 });
  });

  test('gets a new key where the receiver compares bodies', () => {
    const state = decided(settled('refused', 'send-introduction'), 'amend', { evidence: hash });

    expect(concluded(state, ABSENT, MAIL).event?.change).toMatchObject({
      newIdentity: true,
      fieldsHash: hash,
    });
  });

  test('is not made while the route is paused', () => {
    const state = decided(settled('refused'), 'amend', { evidence: hash });
    const { verdict, amendment } = concluded(state, ABSENT, { routePaused: true });

    expect(verdict).toEqual({ disposition: 'park', reason: 'route-paused' });
    expect(amendment).toBeNull();
  });

  test('without a hash leaves the fields that the action is made of', () => {
    const { event, amendment } = concluded(decided(settled('refused'), 'amend'));

    expect(event?.change).toMatchObject({ kind: 'grant', freezeAgain: true });
    expect(event?.change).not.toHaveProperty('fieldsHash');
    expect(amendment).toBeNull();
    expect(granted('amend').fieldsHash).toBeNull();
    const corrected = { ...settled('refused'), fieldsHash: hash };
    const state = decided(corrected, 'resume');
    expect(written(state, concluded(state)).fieldsHash).toBe(hash);
  });
});

describe('while the route is paused', () => {
  test.each(['resume', 'amend', 'send-as-current-owner'] as const)('%s waits', (kind) => {
    const state = kind === 'resume' ? open('create-task') : settled('unknown', 'send-introduction');
    const given = { routePaused: true, ...(kind === 'resume' ? {} : MAIL) };

    expect(concluded(decided(state, kind), ABSENT, given)).toMatchObject({
      verdict: { disposition: 'park', reason: 'route-paused' },
      event: { decisionConsumed: false },
    });
  });
});

test('keep-owner needs an owner that the read shows', () => {
  const state = decided(settled('unknown', 'assign-owner'), 'keep-owner', {
    findingSeen: 'superseded:owner-changed',
  });
  const noOwner = { ...superseded('owner-changed'), evidence: null } as Finding;

  expect(concluded(state, noOwner).verdict).toEqual({ disposition: 'ask', reason: 'decision-not-possible' });
});

test('a stop that has to wait says by whom it is', () => {
  const state = decided(settled('unknown'), 'stop');

  expect(concluded(state, UNREADABLE).event?.change).toEqual({
    kind: 'stopping',
    reason: 'stopped-by-person',
  });
});

test('a grant says what it rests on', () => {
  const unclear = decided(settled('unknown', 'send-introduction'), 'resume', {
    findingSeen: 'unclear:unreadable',
  });

  expect(concluded(unclear, UNREADABLE, { ...MAIL, turns: 401 }).event?.change).toMatchObject({
    grant: { basis: 'unclear' },
  });
});
