import { describe, expect, test } from 'vitest';
import { decide, finishStop, insideKeyWindow } from '../../../functions/domain/decision-guide.ts';
import { CONTRACT, MAIL_CONTRACT, NUMBERS } from '../../model/settings.ts';
import { ABSENT, facts, SETTLED, superseded, UNREADABLE } from './guide-facts.ts';
import { inPhase, open, settled, T } from './states.ts';

const say = (given: Parameters<typeof decide>[0]) => {
  const { disposition, reason } = decide(given);
  return `${disposition} ${reason}`;
};

describe('the key window', () => {
  const claimed = settled('unknown', 'send-introduction');
  const at = { now: T + 1_000, numbers: NUMBERS };

  test('does not exist where the receiver has no keys', () => {
    expect(insideKeyWindow({ ...at, state: claimed, contract: CONTRACT })).toBe(false);
    expect(insideKeyWindow({ ...at, state: claimed, contract: MAIL_CONTRACT })).toBe(true);
  });

  test('has not begun before a request may have left', () => {
    const fresh = { ...claimed, firstClaimAt: null };

    expect(insideKeyWindow({ ...at, state: fresh, contract: MAIL_CONTRACT })).toBe(true);
    // At a time as it is nowadays: a window counted from 0 would be long over.
    const now = Date.UTC(2026, 0, 5);
    expect(insideKeyWindow({ ...at, now, state: fresh, contract: MAIL_CONTRACT })).toBe(true);
  });
});

test('an attempt that nobody knows of is not frozen again, also where its new identity never left', () => {
  const granted = { ...settled('unknown', 'send-introduction'), requestLeft: false };
  const changed = superseded('sender-no-longer-owner');

  expect(say(facts(granted, changed, { contract: MAIL_CONTRACT }))).toBe('ask sender-no-longer-owner');
});

test('an owner that a person changed is asked about from the settle time on', () => {
  const at = (now: number) =>
    say(facts(settled('unknown', 'assign-owner'), superseded('owner-changed'), { now }));

  expect(at(SETTLED - 1)).toBe('wait too-early');
  expect(at(SETTLED)).toBe('ask owner-changed');
});

describe('a stop', () => {
  test('of what was never claimed is certain at once', () => {
    expect(finishStop(facts(open(), UNREADABLE))).toEqual({
      disposition: 'stop',
      reason: 'stopped-by-person',
      endsAs: 'stopped',
    });
  });

  test('keeps the reason that it began with', () => {
    expect(say(facts({ ...inPhase('stopping'), reason: 'contact-stopped' }, ABSENT))).toBe(
      'stop contact-stopped',
    );
  });

  test('and a refusal say what they are where no reason was recorded', () => {
    expect(say(facts({ ...inPhase('stopped'), reason: null }, ABSENT))).toBe('stop stopped');
    expect(say(facts({ ...settled('refused'), reason: null }, ABSENT))).toBe('ask refused');
  });
});
