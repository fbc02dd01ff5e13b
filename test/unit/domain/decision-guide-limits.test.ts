import { describe, expect, test } from 'vitest';
import { decide, type GuideFacts } from '../../../functions/domain/decision-guide.ts';
import { NUMBERS, testRoute } from '../../model/settings.ts';
import { ABSENT, DONE, facts, TOO_EARLY, UNREADABLE } from './guide-facts.ts';
import { grantOf, inPhase, open, settled, T } from './states.ts';

const notApplied = settled('not-applied');
const exhausted = { ...notApplied, attempt: 4 };
const approval = { route: testRoute({ approvalPoint: 'create-task' }) };
const early = { now: T + 1_000 };

const say = (given: GuideFacts) => `${decide(given).disposition} ${decide(given).reason}`;

describe('the limits that every resume passes, in their order', () => {
  test('1: a paused route and an open breaker park', () => {
    const all = { ...approval, ...early, routePaused: true };

    expect(say(facts(exhausted, ABSENT, { ...all, breakerOpen: true }))).toBe('park route-paused');
    expect(say(facts(exhausted, ABSENT, { ...all, routePaused: false, breakerOpen: true }))).toBe(
      'park breaker-open',
    );
    expect(say(facts(open(), ABSENT, { routePaused: true }))).toBe('park route-paused');
  });

  test('2: after the last attempt a person is asked', () => {
    expect(say(facts(exhausted, ABSENT, { ...approval, ...early }))).toBe('ask attempts-exhausted');
    expect(say(facts({ ...notApplied, attempt: 3 }, ABSENT))).toBe('resume not-applied');
  });

  test('2: the route may set its own number of attempts', () => {
    const route = testRoute({ limits: { attemptsPerAction: 1 } });

    expect(say(facts(notApplied, ABSENT, { route }))).toBe('ask attempts-exhausted');
    expect(say(facts({ ...open(), backOff: { attempt: 0, until: 0 } }, ABSENT, { route }))).toBe(
      'resume never-claimed',
    );
  });

  test('3: the approval point asks before a repeat of its action, and only of that', () => {
    expect(say(facts(notApplied, ABSENT, { ...approval, ...early }))).toBe('ask approval-point');
    expect(say(facts({ ...open(), backOff: { attempt: 0, until: 0 } }, ABSENT, approval))).toBe(
      'resume never-claimed',
    );
    expect(say(facts(settled('not-applied', 'upsert-contact'), ABSENT, approval))).toBe('resume not-applied');
  });

  test('4: then the back-off', () => {
    expect(say(facts(notApplied, ABSENT, early))).toBe('wait back-off');
  });

  test('what waits, asks, keeps or stops passes no limit', () => {
    const closed = { routePaused: true, breakerOpen: true };

    expect(say(facts(settled('unknown'), TOO_EARLY, closed))).toBe('wait too-early');
    expect(say(facts(settled('refused'), ABSENT, closed))).toBe('ask permissions');
    expect(say(facts(settled('unknown'), DONE, closed))).toBe('keep evidence-says-done');
    expect(say(facts(inPhase('stopping'), ABSENT, closed))).toBe('stop stopped-by-person');
  });

  test('what a person decided stays decided until its attempt is claimed', () => {
    const granted = {
      ...exhausted,
      grant: grantOf(5, { decisionId: 'd' }),
      backOff: { attempt: 4, until: 0 },
    };

    expect(say(facts(granted, ABSENT, approval))).toBe('resume not-applied');
    expect(say(facts({ ...granted, grant: grantOf(5) }, ABSENT, approval))).toBe('ask attempts-exhausted');
  });
});

describe('the back-off', () => {
  const until = (given: GuideFacts) => decide(given).backOffUntil;

  test('counts from the end of the attempt, which was at T + 1 s', () => {
    expect(until(facts(notApplied, ABSENT, { ...early, random: 0.5 }))).toBe(T + 6_000);
    expect(until(facts({ ...notApplied, attempt: 3 }, ABSENT, { ...early, random: 0.5 }))).toBe(T + 21_000);
  });

  test('never falls under its floor and never rises over its cap', () => {
    expect(until(facts(notApplied, ABSENT, { ...early, random: 0 }))).toBe(T + 3_000);
    const many = { ...notApplied, attempt: 19 };
    const route = testRoute({ limits: { attemptsPerAction: 20 } });
    expect(until(facts(many, ABSENT, { ...early, random: 0.999_999, route }))).toBe(T + 900_999);
  });

  test('waits as long as the destination asked', () => {
    const asked = { ...notApplied, notBefore: T + 120_000 };

    expect(until(facts(asked, ABSENT, early))).toBe(T + 120_000);
    expect(say(facts(asked, ABSENT, { now: T + 119_999 }))).toBe('wait back-off');
    expect(say(facts(asked, ABSENT, { now: T + 120_000 }))).toBe('resume not-applied');
  });

  test('is drawn once per attempt', () => {
    const drawn = { ...notApplied, backOff: { attempt: 1, until: T + 9_000 } };

    expect(until(facts(drawn, ABSENT, { ...early, random: 0.9 }))).toBe(T + 9_000);
    expect(say(facts(drawn, ABSENT, { now: T + 9_000 }))).toBe('resume not-applied');
  });

  test('counts from now, and by turns, for an attempt that was let go and never claimed', () => {
    const letGo = { ...notApplied, grant: grantOf(2) };

    expect(until(facts(letGo, ABSENT, { random: 0.5, turns: 3 }))).toBe(T + 1_800_000 + 80_000 / 2);
    expect(until(facts(open(), ABSENT, { random: 0.5, turns: 0 }))).toBe(T + 1_800_000 + 5_000);
  });

  test('no wait is longer than the cap or shorter than the floor', () => {
    const asked = { ...notApplied, notBefore: T + 10 * 86_400_000 };

    expect(decide(facts(asked, ABSENT)).waitMs).toBe(900_000);
    expect(decide(facts(settled('unknown'), TOO_EARLY, { now: T + 84_999 })).waitMs).toBe(2_000);
  });
});

describe('more than 400 turns of one branch', () => {
  const turns = 401;

  test('ask, whatever else would have happened', () => {
    expect(say(facts(open(), ABSENT, { turns }))).toBe('ask too-many-turns');
    expect(say(facts(settled('unknown'), UNREADABLE, { turns }))).toBe('ask too-many-turns');
    expect(say(facts(notApplied, ABSENT, { turns, routePaused: true }))).toBe('ask too-many-turns');
  });

  test('but what is done is kept, and what is stopped stops', () => {
    expect(say(facts(settled('unknown'), DONE, { turns }))).toBe('keep evidence-says-done');
    expect(say(facts(open(), ABSENT, { turns, executionCurrent: false }))).toBe('stop not-current');
  });

  test('400 are not too many', () => {
    expect(say(facts(notApplied, ABSENT, { turns: 400 }))).toBe('resume not-applied');
  });
});

test('the numbers of these tests are those of the bench', () => {
  expect(NUMBERS).toMatchObject({
    attempts: 4,
    backOffBaseMs: 10_000,
    backOffCapMs: 900_000,
    backOffFloorMs: 2_000,
  });
});
