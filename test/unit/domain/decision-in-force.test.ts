import { describe, expect, test } from 'vitest';
import type { ActionState } from '../../../functions/domain/action-state.ts';
import { amendmentFor } from '../../../functions/domain/action-state.ts';
import { type Conclusion, conclude } from '../../../functions/domain/conclusion.ts';
import type { Decision, DecisionKind } from '../../../functions/domain/decision.ts';
import type { GuideFacts } from '../../../functions/domain/decision-guide.ts';
import { decisionInForce } from '../../../functions/domain/decision-in-force.ts';
import { judgeDecision } from '../../../functions/domain/decision-rules.ts';
import type { Finding } from '../../../functions/domain/finding.ts';
import { Rejected, transition } from '../../../functions/domain/transition.ts';
import { MAIL_CONTRACT, testRoute } from '../../model/settings.ts';
import { ABSENT, DONE, facts, superseded, UNREADABLE } from './guide-facts.ts';
import {
  applied,
  claimEvent,
  decisionOf,
  grantOf,
  OPERATION,
  OUTCOMES,
  open,
  settled,
  settleEvent,
  T,
} from './states.ts';

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
  const intentHash = 'f'.repeat(64);
  const amendment = { intentHash, decisionId: 'decision-amend', by: 'robin', at: T };
  const amend = (state: ActionState) => decided(state, 'amend', { evidence: intentHash });

  test('is bound to the grant, and to the action once that is claimed', () => {
    const { event } = concluded(amend(settled('refused')));

    expect(event?.change).toMatchObject({
      kind: 'grant',
      freezeAgain: true,
      newIdentity: false,
      grant: { amendment },
    });
    const state = granted('amend', { evidence: intentHash });
    expect(state).toMatchObject({ amendment: null, nextRevision: 2 });
    expect(amendmentFor(state)).toEqual(amendment);
    const claimed = applied(state, claimEvent(2, 'c', { operation: { ...OPERATION, revision: 2 } }));
    expect(claimed).toMatchObject({ amendment, grant: null });
  });

  test('gets a new key where the receiver compares bodies', () => {
    const state = amend(settled('refused', 'send-introduction'));

    expect(concluded(state, ABSENT, MAIL).event?.change).toMatchObject({
      newIdentity: true,
      grant: { amendment },
    });
  });

  test('is one new operation, however often its grant is made before somebody claims it', () => {
    const first = written(
      amend(settled('refused', 'send-introduction')),
      concluded(amend(settled('refused', 'send-introduction')), ABSENT, MAIL),
    );
    const waiting = written(first, concluded(first, ABSENT, { ...MAIL, random: 1 }));
    const again = written(waiting, concluded(waiting, ABSENT, { ...MAIL, now: T + 9_000_000 }));

    expect([first.replacement, again.replacement]).toEqual([2, 2]);
    const another = decided(again, 'send-as-current-owner');
    expect(written(another, concluded(another, ABSENT, MAIL)).replacement).toBe(3);
  });

  test('is not granted while the route is paused', () => {
    const { verdict, event } = concluded(amend(settled('refused')), ABSENT, { routePaused: true });

    expect(verdict).toEqual({ disposition: 'park', reason: 'route-paused' });
    expect(event?.change).toEqual({ kind: 'none' });
  });

  test('is gone with its grant, and what was frozen for it as well', () => {
    const state = granted('amend', { evidence: intentHash });
    const turnedDown = written(state, concluded(state, ABSENT, { lastError: 'OwnerUnknown' }));
    expect(turnedDown).toMatchObject({ grant: null, amendment: null, nextRevision: 3 });

    const other = decided(state, 'resume');
    const resumed = written(other, concluded(other));
    expect(resumed).toMatchObject({ grant: { decisionId: 'decision-resume' }, nextRevision: 3 });
    expect(amendmentFor(resumed)).toBeNull();
  });

  test('stays bound while its grant is waited for, and is frozen anew when it is granted again', () => {
    const state = granted('amend', { evidence: intentHash });
    const waiting = written(state, concluded(state, ABSENT, { random: 1 }));
    expect(waiting).toMatchObject({ grant: { amendment }, nextRevision: 2 });

    const again = written(waiting, concluded(waiting, ABSENT, { now: T + 9_000_000 }));
    expect(again).toMatchObject({ grant: { amendment }, nextRevision: 3 });
  });

  test('without a hash leaves the fields that the action is made of', () => {
    const { event } = concluded(decided(settled('refused'), 'amend'));

    expect(event?.change).toMatchObject({ kind: 'grant', freezeAgain: true });
    expect(event?.change).not.toHaveProperty('grant.amendment');
    const state = decided({ ...settled('refused'), amendment }, 'resume');
    expect(amendmentFor(written(state, concluded(state)))).toEqual(amendment);
  });
});

describe('a decision that the destination has overtaken', () => {
  const result = (state: ActionState, finding: Finding) =>
    written(state, concluded(state, finding)).lastDecision?.result;

  test('is not said to be carried out', () => {
    expect(result(decided(settled('unknown'), 'resume'), DONE)).toBe('too-late');
    expect(result(decided(settled('unknown'), 'take-over'), DONE)).toBe('too-late');
    expect(result(granted(), DONE)).toBe('too-late');
  });

  test('was right where it said so', () => {
    expect(result(decided(settled('unknown'), 'confirm'), DONE)).toBe('used');
    expect(result(decided(settled('unknown'), 'stop'), DONE)).toBe('used');
  });

  test('is carried out where the guide wants the same, and its grant is the decision’s', () => {
    const state = decided(settled('not-applied'), 'resume');
    const answer = concluded(state);

    expect(answer.event?.change).toMatchObject({ kind: 'grant', grant: { decisionId: 'decision-resume' } });
    expect(written(state, answer).lastDecision?.result).toBe('used');
  });

  test('came too late where the guide stops the action', () => {
    const optedOut = { ...settled('refused', 'send-introduction'), reason: 'opted-out' };

    expect(result(decided(optedOut, 'confirm'), ABSENT)).toBe('too-late');
  });

  test('kept the owner where the route keeps it as well', () => {
    const state = decided(settled('unknown', 'assign-owner'), 'keep-owner', {
      findingSeen: 'superseded:owner-changed',
    });
    const answer = concluded(state, superseded('owner-changed'), {
      route: testRoute({ changedOwner: 'keep' }),
    });

    expect(answer.verdict).toMatchObject({ disposition: 'keep' });
    expect(written(state, answer).lastDecision?.result).toBe('used');
  });

  test('also where a worker tells of it late', () => {
    const late = applied(granted(), { ...settleEvent(1, OUTCOMES.performed), claimId: 'claim-1' });

    expect(late).toMatchObject({ phase: 'performed', lastDecision: { result: 'too-late' } });
  });

  test('is not asked about for an obstacle that does not matter any more', () => {
    const answer = concluded(granted(), DONE, { lastError: 'OwnerUnknown' });

    expect(answer.verdict.disposition).toBe('keep');
  });
});

test('one whose place a stop takes before anybody claimed was not carried out', () => {
  const state = decided(granted(), 'stop');

  expect(state.earlierDecisions).toMatchObject([{ decision: { kind: 'resume' }, result: 'pending' }]);
  expect(decided(applied(granted(), claimEvent(2)), 'stop').earlierDecisions).toMatchObject([
    { result: 'used' },
  ]);
});

test('while a person is asked nobody may claim', () => {
  const state = granted();
  const asked = written(state, concluded(state, ABSENT, { turns: 401 }));

  expect(transition(asked, claimEvent(2))).toEqual(new Rejected('no-grant'));
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

test('resume of what never left is possible again for a sender who is no longer the owner, and for nothing else', () => {
  const neverLeft = {
    ...settled('not-applied', 'send-introduction'),
    requestLeft: false,
    mayHaveLanded: true,
  };
  const judged = (code: string) =>
    judgeDecision(
      { ...facts(neverLeft, ABSENT, MAIL), seen: { code, absenceProven: false } },
      { kind: 'resume' },
    );

  expect(judged('superseded:sender-no-longer-owner')).toBe('allowed');
  expect(judged('superseded:owner-changed')).toEqual({ refused: 'person-changed-it' });
  expect(judged('superseded:contact-archived')).toBe('if-proven');
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
