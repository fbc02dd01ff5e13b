import { describe, expect, test } from 'vitest';
import { Rejected, transition } from '../../../functions/domain/transition.ts';
import {
  applied,
  claimEvent,
  claimed,
  claimOf,
  decisionOf,
  grantChange,
  grantOf,
  inPhase,
  open,
  RECORD,
  reconcileEvent,
  settled,
  T,
} from './states.ts';

const FINAL = ['performed', 'stopped', 'stopped-but-done', 'stopped-unclear'] as const;
const UNFINISHED = [
  'open',
  'claimed',
  'not-applied',
  'unknown',
  'refused',
  'taken-over',
  'stopping',
] as const;

test('a conclusion from an older version is void', () => {
  const state = settled('unknown');

  expect(transition(state, reconcileEvent(state, { kind: 'none' }, { seenVersion: 1 }))).toEqual(
    new Rejected('changed-since-read'),
  );
});

test('a conclusion that is met again is the same', () => {
  const state = settled('unknown');
  const event = reconcileEvent(state, grantChange(2));
  const once = applied(state, event);

  expect(transition(once, event)).toBe(once);
});

describe('what is final changes only towards done', () => {
  test.each(FINAL)('%s takes no grant, no take-over, no release, no stop', (phase) => {
    const state = inPhase(phase);
    for (const change of [
      grantChange(state.attempt + 1),
      { kind: 'take-over', claim: claimOf('p') } as const,
      { kind: 'release' } as const,
      { kind: 'stopping', reason: 'x' } as const,
      { kind: 'stopped', phase: 'stopped', reason: 'x', evidence: null } as const,
    ]) {
      expect(transition(state, reconcileEvent(state, change))).toEqual(new Rejected('already-final'));
    }
  });

  test.each([
    ['stopped', 'stopped-but-done'],
    ['stopped-unclear', 'stopped-but-done'],
    ['stopped-but-done', 'stopped-but-done'],
    ['performed', 'performed'],
  ] as const)('%s with evidence is %s', (phase, expected) => {
    const state = inPhase(phase);

    expect(applied(state, reconcileEvent(state, { kind: 'done', evidence: RECORD })).phase).toBe(expected);
  });
});

describe('evidence', () => {
  test.each(UNFINISHED.filter((phase) => phase !== 'stopping'))('makes %s performed', (phase) => {
    const state = inPhase(phase);

    expect(applied(state, reconcileEvent(state, { kind: 'done', evidence: RECORD }))).toMatchObject({
      phase: 'performed',
      evidence: RECORD,
      grant: null,
      reason: null,
    });
  });

  test('makes an intent to stop stopped-but-done, which keeps its reason', () => {
    const state = inPhase('stopping');

    expect(applied(state, reconcileEvent(state, { kind: 'done', evidence: RECORD }))).toMatchObject({
      phase: 'stopped-but-done',
      reason: 'stopped-by-person',
    });
  });
});

describe('a grant', () => {
  test('is for the attempt after the last one', () => {
    const state = settled('unknown');

    expect(transition(state, reconcileEvent(state, grantChange(1)))).toEqual(new Rejected('no-grant'));
    expect(transition(state, reconcileEvent(state, grantChange(3)))).toEqual(new Rejected('no-grant'));
    expect(transition(open(), reconcileEvent(open(), grantChange(1)))).toEqual(new Rejected('no-grant'));
  });

  test.each(['taken-over', 'stopping'] as const)('is not given while the action is %s', (phase) => {
    const state = inPhase(phase);

    expect(transition(state, reconcileEvent(state, grantChange(state.attempt + 1)))).toEqual(
      new Rejected('not-claimable'),
    );
  });

  test('rests on a read that began after the worker was gone', () => {
    const state = claimed();
    const readAt = (readStartedAt: number) =>
      transition(state, reconcileEvent(state, grantChange(2), { readStartedAt }));

    expect(readAt(T + 15_000)).toEqual(new Rejected('worker-may-run'));
    expect(readAt(T + 15_001)).toMatchObject({ grant: { attempt: 2 } });
  });

  test('rests on a read that began after the worker reported', () => {
    const state = settled('unknown');
    const readAt = (readStartedAt: number) =>
      transition(state, reconcileEvent(state, grantChange(2), { readStartedAt }));

    expect(readAt(T + 999)).toEqual(new Rejected('worker-may-run'));
    expect(readAt(T + 1_000)).toMatchObject({ grant: { attempt: 2 } });
  });

  test('is replaced by a fresh one for the same attempt', () => {
    const state = settled('unknown');
    const first = applied(state, reconcileEvent(state, grantChange(2)));

    expect(
      applied(first, reconcileEvent(first, grantChange(2, { expiresAt: T + 900_000 }))).grant?.expiresAt,
    ).toBe(T + 900_000);
  });

  test.each([
    ['absent', false],
    ['unclear', true],
  ] as const)('on %s leaves the earlier attempt in doubt: %s', (basis, inDoubt) => {
    const state = settled('unknown');

    expect(applied(state, reconcileEvent(state, grantChange(2, { basis }))).mayHaveLanded).toBe(inDoubt);
  });

  test('a worker that never reported may have sent its request', () => {
    const state = claimed();

    expect(applied(state, reconcileEvent(state, grantChange(2, { basis: 'unclear' })))).toMatchObject({
      requestLeft: true,
      mayHaveLanded: true,
    });
  });

  test('with a new identity starts afresh: number, key window, doubt', () => {
    const state = settled('unknown');
    const change = { kind: 'grant', grant: grantOf(2), freezeAgain: true, newIdentity: true } as const;

    expect(applied(state, reconcileEvent(state, change))).toMatchObject({
      replacement: 2,
      operation: { revision: 1 },
      nextRevision: 2,
      firstClaimAt: null,
      requestLeft: false,
      mayHaveLanded: false,
      attempt: 1,
    });
  });
});

describe('a person takes over', () => {
  const takeOver = { kind: 'take-over', claim: claimOf('person', T + 100_000) } as const;

  test('takes the next attempt, with the same claim that a worker would need', () => {
    const state = settled('unknown');
    const granted = applied(state, reconcileEvent(state, grantChange(2)));

    expect(applied(granted, reconcileEvent(granted, takeOver))).toMatchObject({
      phase: 'taken-over',
      attempt: 2,
      claim: { id: 'person' },
      grant: null,
    });
  });

  test('not while a worker may run', () => {
    const state = claimed();

    expect(transition(state, reconcileEvent(state, takeOver, { readStartedAt: T + 15_000 }))).toEqual(
      new Rejected('worker-may-run'),
    );
  });

  test('on unclear keeps the doubt, and that a request may have left, through the release', () => {
    const state = claimed();
    const taken = applied(state, reconcileEvent(state, takeOver, { finding: 'unclear:unreadable' }));
    const released = applied(taken, reconcileEvent(taken, { kind: 'release' }));

    expect(released).toMatchObject({
      phase: 'not-applied',
      reason: 'released',
      mayHaveLanded: true,
      requestLeft: true,
      attempt: 2,
    });
  });
});

describe('the back-off', () => {
  const waiting = (() => {
    const state = settled('not-applied');
    return applied(state, reconcileEvent(state, { kind: 'none' }, { backOffUntil: T + 500_000 }));
  })();

  test('is remembered for its attempt', () => {
    expect(waiting.backOff).toEqual({ attempt: 1, until: T + 500_000 });
    expect(applied(waiting, reconcileEvent(waiting, { kind: 'none' })).backOff).toEqual(waiting.backOff);
  });

  test('is used up by the attempt that it lets go', () => {
    const event = reconcileEvent(waiting, grantChange(2), { disposition: 'resume' });

    expect(applied(waiting, event).backOff).toBeNull();
  });
});

test('unreadable reads are counted in a row', () => {
  const read = (state: ReturnType<typeof open>, unreadable: boolean) =>
    applied(state, reconcileEvent(state, { kind: 'none' }, { unreadable }));
  const twice = read(read(settled('unknown'), true), true);

  expect(twice.unreadableReads).toBe(2);
  expect(read(twice, false).unreadableReads).toBe(0);
});

describe('a decision', () => {
  test('waits for reconcile, which uses it up', () => {
    const state = settled('refused');
    const decided = applied(state, { type: 'decide', decision: decisionOf('resume') });
    const used = applied(decided, reconcileEvent(decided, grantChange(2), { decisionConsumed: true }));

    expect(decided.decision).toMatchObject({ kind: 'resume', by: 'robin' });
    expect(used.decision).toBeNull();
  });

  test('cannot be made about what is final', () => {
    for (const phase of FINAL) {
      expect(transition(inPhase(phase), { type: 'decide', decision: decisionOf('stop') })).toEqual(
        new Rejected('already-final'),
      );
    }
  });

  test('written again is the same one, also after it was used', () => {
    const state = settled('refused');
    const event = { type: 'decide', decision: decisionOf('resume') } as const;
    const decided = applied(state, event);
    const used = applied(decided, reconcileEvent(decided, { kind: 'none' }, { decisionConsumed: true }));

    expect(transition(decided, event)).toBe(decided);
    expect(transition(used, event)).toBe(used);
  });

  test('lets the action go on for good only as a resume that was followed', () => {
    const state = applied(settled('refused'), { type: 'decide', decision: decisionOf('resume') });
    const consumed = { decisionConsumed: true } as const;

    expect(
      applied(state, reconcileEvent(state, grantChange(2), { ...consumed, disposition: 'resume' })).letGo,
    ).toBe(true);
    expect(
      applied(state, reconcileEvent(state, { kind: 'none' }, { ...consumed, disposition: 'ask' })).letGo,
    ).toBe(false);
  });
});

test('the audit trail keeps its first entry and the newest 59', () => {
  let state = applied(open(), claimEvent(1));
  for (let read = 0; read < 80; read++) {
    state = applied(
      state,
      reconcileEvent(state, { kind: 'none' }, { at: T + read, readStartedAt: T + read }),
    );
  }

  expect(state.history).toHaveLength(60);
  expect(state.history[0]).toMatchObject({ event: 'claimed', at: T });
  expect(state.history[1]).toMatchObject({ at: T + 21 });
  expect(state.history.at(-1)).toMatchObject({ at: T + 79 });
  expect(state.version).toBe(81);
});
