import { describe, expect, test } from 'vitest';
import type { ActionState } from '../../../functions/domain/action-state.ts';
import { type Conclusion, conclude } from '../../../functions/domain/conclusion.ts';
import type { Decision, DecisionKind } from '../../../functions/domain/decision.ts';
import type { GuideFacts } from '../../../functions/domain/decision-guide.ts';
import type { Finding } from '../../../functions/domain/finding.ts';
import { contractOfKind, MAIL_CONTRACT, testRoute } from '../../model/settings.ts';
import { ABSENT, DONE, facts, OPEN, SETTLED, superseded, TOO_EARLY, UNREADABLE } from './guide-facts.ts';
import { applied, decisionOf, inPhase, RECORD, settled, T } from './states.ts';

const HOUR = 3_600_000;
const IDS = { event: 'event', claim: 'claim-of-robin' };

function decided(
  state: ActionState,
  kind: DecisionKind,
  finding: Finding,
  more: Partial<Decision> = {},
  given: Partial<GuideFacts> = {},
  readStartedAt = given.now ?? T + 1_800_000,
): Conclusion {
  const findingSeen = 'cause' in finding ? `${finding.finding}:${finding.cause}` : finding.finding;
  const withDecision = applied(state, {
    type: 'decide',
    decision: decisionOf(kind, { findingSeen, ...more }),
  });
  return conclude(facts(withDecision, finding, given), readStartedAt, IDS);
}

const short = ({ verdict, event }: Conclusion) =>
  `${verdict.disposition} ${verdict.reason} · ${event?.change.kind ?? 'nothing'}${event?.decisionConsumed ? '' : ' · kept'}`;

const mail = { contract: MAIL_CONTRACT };
const over = { contract: MAIL_CONTRACT, now: T + 30 * HOUR };

describe('resume', () => {
  test('on proven absence that the guide would not repeat: one attempt, beyond the limit if need be', () => {
    const exhausted = { ...settled('unknown'), attempt: 4 };
    const { verdict, attempt, event } = decided(exhausted, 'resume', ABSENT);

    expect(verdict).toMatchObject({ disposition: 'resume', reason: 'decided-resume' });
    expect(attempt).toBe(5);
    expect(event).toMatchObject({
      decisionConsumed: true,
      change: {
        kind: 'grant',
        freezeAgain: false,
        newIdentity: false,
        grant: { attempt: 5, basis: 'absent', decisionId: 'decision-resume', expiresAt: T + 2_400_000 },
      },
    });
  });

  test.each<[string, Conclusion, string]>([
    [
      'key window over, absent',
      decided(settled('unknown', 'send-introduction'), 'resume', ABSENT, {}, over),
      'resume decided-resume · grant',
    ],
    [
      'no contract, absent',
      decided(settled('unknown'), 'resume', ABSENT, {}, { contract: contractOfKind('none') }),
      'resume decided-resume · grant',
    ],
    ['refused and put right', decided(settled('refused'), 'resume', ABSENT), 'resume decided-resume · grant'],
    [
      'unreadable under a key that is still known',
      decided(settled('refused', 'send-introduction'), 'resume', UNREADABLE, {}, mail),
      'resume decided-resume · grant',
    ],
    [
      'unreadable without a key',
      decided({ ...settled('unknown'), unreadableReads: 2 }, 'resume', UNREADABLE),
      'ask decision-not-possible · none',
    ],
    [
      'unreadable, key window over',
      decided(
        { ...settled('unknown', 'send-introduction'), unreadableReads: 2 },
        'resume',
        UNREADABLE,
        {},
        over,
      ),
      'ask decision-not-possible · none',
    ],
    [
      'the owner was changed by a person',
      decided(settled('unknown', 'assign-owner'), 'resume', superseded('owner-changed')),
      'ask decision-not-possible · none',
    ],
    ['taken over', decided(inPhase('taken-over'), 'resume', ABSENT), 'ask decision-not-possible · none'],
    [
      'never claimed',
      decided(OPEN, 'resume', ABSENT, {}, { stoppedDependency: 'assign-owner' }),
      'resume decided-resume · none',
    ],
    [
      'refused, and it may still land',
      decided(settled('refused'), 'resume', TOO_EARLY, {}, { now: SETTLED - 1 }),
      'wait too-early · none · kept',
    ],
    [
      'a read that began before the settle time and ended after it',
      decided(settled('refused'), 'resume', TOO_EARLY, {}, { now: SETTLED + 200 }, SETTLED - 200),
      'wait too-early · none · kept',
    ],
    [
      'a paused route',
      decided(settled('refused'), 'resume', ABSENT, {}, { routePaused: true }),
      'park route-paused · none · kept',
    ],
    [
      'an open breaker',
      decided(settled('refused'), 'resume', ABSENT, {}, { breakerOpen: true }),
      'park breaker-open · none · kept',
    ],
    [
      'the destination shows something else than the person saw',
      decided(settled('refused', 'send-introduction'), 'resume', superseded('contact-archived'), {
        findingSeen: 'absent',
      }),
      'ask decision-outdated · none',
    ],
    [
      'the destination shows the better thing',
      decided(settled('refused'), 'resume', ABSENT, { findingSeen: 'unclear:unreadable' }),
      'resume decided-resume · grant',
    ],
    ['it is done', decided(settled('unknown'), 'resume', DONE), 'keep evidence-says-done · done'],
    [
      'a worker may run',
      decided(inPhase('claimed'), 'resume', TOO_EARLY, {}, { now: T + 1_000 }),
      'wait worker-may-run · none · kept',
    ],
    ['the guide goes on by itself', decided(settled('unknown'), 'resume', ABSENT), 'resume absent · grant'],
  ])('%s', (_situation, conclusion, expected) => {
    expect(short(conclusion)).toBe(expected);
  });

  test('at the approval point of a sender who changed: freezes again under the current owner', () => {
    const state = { ...settled('not-applied', 'send-introduction'), requestLeft: false };
    const given = { ...mail, route: testRoute({ approvalPoint: 'send-introduction' }) };
    const { event } = decided(state, 'resume', superseded('sender-no-longer-owner', true), {}, given);

    expect(event?.change).toMatchObject({ kind: 'grant', freezeAgain: true, newIdentity: false });
  });
});

describe('confirm', () => {
  test.each<[string, Conclusion, string]>([
    ['refused', decided(settled('refused'), 'confirm', ABSENT), 'keep confirmed · done'],
    ['taken over', decided(inPhase('taken-over'), 'confirm', UNREADABLE), 'keep confirmed · done'],
    [
      'superseded',
      decided(settled('unknown', 'assign-owner'), 'confirm', superseded('owner-changed')),
      'keep confirmed · done',
    ],
    [
      'while the guide waits',
      decided(settled('unknown'), 'confirm', TOO_EARLY, {}, { now: T + 20_000 }),
      'keep confirmed · done',
    ],
    [
      'while the route is paused',
      decided(settled('not-applied'), 'confirm', ABSENT, {}, { routePaused: true }),
      'keep confirmed · done',
    ],
    [
      'while the guide would go on',
      decided(settled('not-applied'), 'confirm', ABSENT),
      'keep confirmed · done',
    ],
    [
      'while a worker may run',
      decided(inPhase('claimed'), 'confirm', TOO_EARLY, {}, { now: T + 1_000 }),
      'wait worker-may-run · none · kept',
    ],
    [
      'a contact without its id, which every later action needs',
      decided(settled('refused', 'upsert-contact'), 'confirm', ABSENT),
      'ask decision-not-possible · none',
    ],
    [
      'a contact with its id',
      decided(settled('refused', 'upsert-contact'), 'confirm', ABSENT, { evidence: '501' }),
      'keep confirmed · done',
    ],
  ])('%s', (_situation, conclusion, expected) => {
    expect(short(conclusion)).toBe(expected);
  });

  test('is evidence marked as attested', () => {
    const { event } = decided(settled('refused'), 'confirm', ABSENT, { evidence: '9001' });

    expect(event?.change).toEqual({
      kind: 'done',
      evidence: {
        kind: 'attested',
        destination: 'hubspot',
        recordId: '9001',
        readAt: T + 1_800_000,
        facts: { decision: 'decision-confirm', readBack: 'not-read' },
      },
    });
  });
});

describe('what a person saw can be read no more', () => {
  const read = (kind: DecisionKind, unreadableReads: number, given: Partial<GuideFacts> = {}) =>
    decided(
      { ...settled('refused'), unreadableReads },
      kind,
      UNREADABLE,
      { findingSeen: 'absent', riskAccepted: true },
      given,
    );

  test.each(['resume', 'amend', 'take-over'] as const)(
    '%s: it is read again, later each time, three times in all; then the person is asked again',
    (kind) => {
      const numbers = { ...facts(OPEN, ABSENT).numbers, unreadableReads: 20 };
      const reads = [0, 1, 2].map((before) => read(kind, before, { numbers }));

      expect(reads.map(short)).toEqual([
        'wait unreadable · none · kept',
        'wait unreadable · none · kept',
        'ask decision-outdated · none',
      ]);
      expect(reads.map(({ verdict }) => verdict.waitMs)).toEqual([10_000, 20_000, undefined]);
    },
  );

  test('no more often than it is read at all', () => {
    const numbers = { ...facts(OPEN, ABSENT).numbers, unreadableReads: 2 };

    expect([0, 1].map((before) => short(read('resume', before, { numbers })))).toEqual([
      'wait unreadable · none · kept',
      'ask decision-outdated · none',
    ]);
  });

  test('what needs proof is read again where nobody could read it before', () => {
    expect(
      [0, 2].map((unreadableReads) =>
        short(decided({ ...settled('refused'), unreadableReads }, 'resume', UNREADABLE)),
      ),
    ).toEqual(['wait unreadable · none · kept', 'ask decision-not-possible · none']);
  });

  test('what no read would bear is turned down at once', () => {
    expect(short(decided(inPhase('taken-over'), 'amend', UNREADABLE))).toBe(
      'ask decision-not-possible · none',
    );
  });
});

describe('take-over', () => {
  const unreadable = { ...settled('unknown'), unreadableReads: 2 };

  test.each<[string, Conclusion, string]>([
    ['absent', decided(settled('refused'), 'take-over', ABSENT), 'ask taken-over · take-over'],
    [
      'unclear, with the risk accepted',
      decided(unreadable, 'take-over', UNREADABLE, { riskAccepted: true }),
      'ask taken-over · take-over',
    ],
    ['unclear, without', decided(unreadable, 'take-over', UNREADABLE), 'ask decision-not-possible · none'],
    [
      'superseded',
      decided(settled('unknown', 'assign-owner'), 'take-over', superseded('owner-changed'), {
        riskAccepted: true,
      }),
      'ask decision-not-possible · none',
    ],
    ['twice', decided(inPhase('taken-over'), 'take-over', ABSENT), 'ask decision-not-possible · none'],
    [
      'before the settle time',
      decided(settled('refused'), 'take-over', TOO_EARLY, { riskAccepted: true }, { now: SETTLED - 1 }),
      'wait too-early · none · kept',
    ],
    ['it is done', decided(settled('unknown'), 'take-over', DONE), 'keep evidence-says-done · done'],
  ])('%s', (_situation, conclusion, expected) => {
    expect(short(conclusion)).toBe(expected);
  });

  test('is a claim of the person', () => {
    const { event } = decided(settled('refused'), 'take-over', ABSENT);

    expect(event?.change).toMatchObject({
      claim: { id: 'claim-of-robin', by: { kind: 'person', name: 'robin' }, at: T + 1_800_000 },
    });
  });
});

describe('release', () => {
  test.each<[string, Conclusion, string]>([
    [
      'with the statement that it was not done',
      decided(inPhase('taken-over'), 'release', ABSENT, { notDone: true }),
      'wait released · release',
    ],
    ['without it', decided(inPhase('taken-over'), 'release', ABSENT), 'ask decision-not-possible · none'],
    [
      'of what nobody took over',
      decided(settled('refused'), 'release', ABSENT, { notDone: true }),
      'ask decision-not-possible · none',
    ],
  ])('%s', (_situation, conclusion, expected) => {
    expect(short(conclusion)).toBe(expected);
  });
});

describe('keep-owner', () => {
  test.each<[string, Conclusion, string]>([
    [
      'a person changed the owner',
      decided(settled('unknown', 'assign-owner'), 'keep-owner', superseded('owner-changed')),
      'keep owner-kept · done',
    ],
    [
      'ours went over another one',
      decided(settled('unknown', 'assign-owner'), 'keep-owner', superseded('possible-overwrite')),
      'keep owner-kept · done',
    ],
    [
      'the contact is gone',
      decided(settled('unknown', 'assign-owner'), 'keep-owner', {
        finding: 'superseded',
        cause: 'contact-deleted',
        evidence: null,
        absenceProven: false,
      }),
      'ask decision-not-possible · none',
    ],
    [
      'there is no owner to keep',
      decided(settled('refused', 'assign-owner'), 'keep-owner', ABSENT),
      'ask decision-not-possible · none',
    ],
    [
      'another action',
      decided(settled('unknown', 'upsert-contact'), 'keep-owner', superseded('contact-archived')),
      'ask decision-not-possible · none',
    ],
  ])('%s', (_situation, conclusion, expected) => {
    expect(short(conclusion)).toBe(expected);
  });
});

describe('send-as-current-owner', () => {
  const gone = (proven: boolean) => superseded('sender-no-longer-owner', proven);
  const unknown = settled('unknown', 'send-introduction');
  const send = (state: ActionState, finding: Finding) =>
    decided(state, 'send-as-current-owner', finding, {}, mail);

  test.each<[string, Conclusion, string]>([
    ['proven absent', send(unknown, gone(true)), 'resume decided-send-as-current-owner · grant'],
    ['not proven absent', send(unknown, gone(false)), 'ask decision-not-possible · none'],
    ['absent', send(unknown, ABSENT), 'resume decided-send-as-current-owner · grant'],
    [
      'taken over',
      send(inPhase('taken-over', 'send-introduction'), gone(true)),
      'ask decision-not-possible · none',
    ],
    [
      'never claimed',
      decided(
        { ...OPEN, action: 'send-introduction' },
        'send-as-current-owner',
        ABSENT,
        {},
        {
          stoppedDependency: 'assign-owner',
        },
      ),
      'ask decision-not-possible · none',
    ],
    [
      'another action',
      decided(settled('refused'), 'send-as-current-owner', ABSENT),
      'ask decision-not-possible · none',
    ],
  ])('%s', (_situation, conclusion, expected) => {
    expect(short(conclusion)).toBe(expected);
  });

  test('is a new operation: new identity, new bytes', () => {
    expect(send(unknown, gone(true)).event?.change).toMatchObject({ freezeAgain: true, newIdentity: true });
  });
});

describe('amend', () => {
  test.each<[string, Conclusion, string]>([
    ['refused and absent', decided(settled('refused'), 'amend', ABSENT), 'resume decided-amend · grant'],
    [
      'refused, unreadable',
      decided({ ...settled('refused'), unreadableReads: 2 }, 'amend', UNREADABLE),
      'ask decision-not-possible · none',
    ],
    ['taken over', decided(inPhase('taken-over'), 'amend', ABSENT), 'ask decision-not-possible · none'],
    [
      'never claimed',
      decided(OPEN, 'amend', ABSENT, {}, { stoppedDependency: 'assign-owner' }),
      'ask decision-not-possible · none',
    ],
  ])('%s', (_situation, conclusion, expected) => {
    expect(short(conclusion)).toBe(expected);
  });

  test('has new bytes, and a new identity where the receiver compares bytes', () => {
    expect(decided(settled('refused'), 'amend', ABSENT).event?.change).toMatchObject({
      freezeAgain: true,
      newIdentity: false,
    });
    expect(
      decided(settled('refused', 'send-introduction'), 'amend', ABSENT, {}, mail).event?.change,
    ).toMatchObject({ freezeAgain: true, newIdentity: true });
  });
});

describe('stop', () => {
  test.each<[string, Conclusion, string]>([
    ['never claimed', decided(OPEN, 'stop', ABSENT), 'stop stopped-by-person · stopped'],
    [
      'a worker may run',
      decided(inPhase('claimed'), 'stop', TOO_EARLY, {}, { now: T + 1_000 }),
      'wait worker-may-run · none · kept',
    ],
    [
      'it may still land',
      decided(settled('unknown'), 'stop', TOO_EARLY, {}, { now: T + 20_000 }),
      'wait too-early · stopping',
    ],
    ['absent', decided(settled('unknown'), 'stop', ABSENT), 'stop stopped-by-person · stopped'],
    ['done', decided(settled('unknown'), 'stop', DONE), 'stop stopped-by-person · stopped'],
    ['taken over', decided(inPhase('taken-over'), 'stop', ABSENT), 'stop stopped-by-person · stopped'],
    [
      'provably not applied, unreadable',
      decided(settled('not-applied'), 'stop', UNREADABLE),
      'stop stopped-by-person · stopped',
    ],
    ['unreadable', decided(settled('unknown'), 'stop', UNREADABLE), 'wait unreadable · stopping'],
  ])('%s', (_situation, conclusion, expected) => {
    expect(short(conclusion)).toBe(expected);
  });

  test('of what is done ends as stopped-but-done, with the evidence', () => {
    expect(decided(settled('unknown'), 'stop', DONE).event?.change).toEqual({
      kind: 'stopped',
      phase: 'stopped-but-done',
      reason: 'stopped-by-person',
      evidence: RECORD,
    });
  });
});

test('an execution that is not current uses no decision up and writes nothing', () => {
  const conclusion = decided(settled('refused'), 'resume', ABSENT, {}, { executionCurrent: false });

  expect(conclusion).toMatchObject({ verdict: { disposition: 'stop', reason: 'not-current' }, event: null });
});
