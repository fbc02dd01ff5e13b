import { describe, expect, test } from 'vitest';
import type { ActionState } from '../../../functions/domain/action-state.ts';
import { conclude } from '../../../functions/domain/conclusion.ts';
import type { DecisionKind } from '../../../functions/domain/decision.ts';
import type { GuideFacts } from '../../../functions/domain/decision-guide.ts';
import type { Finding } from '../../../functions/domain/finding.ts';
import { MAIL_CONTRACT, testRoute } from '../../model/settings.ts';
import { ABSENT, DONE, facts, superseded, TOO_EARLY, UNREADABLE } from './guide-facts.ts';
import { applied, claimed, decisionOf, inPhase, open, RECORD, settled, T } from './states.ts';

const IDS = { event: 'event', claim: 'claim-of-robin' };

function concluded(state: ActionState, finding: Finding, given: Partial<GuideFacts> = {}) {
  return conclude(facts(state, finding, given), T + 1_800_000, IDS);
}

/** A conclusion on a decision that was made on this very finding. */
function decided(state: ActionState, kind: DecisionKind, finding: Finding, given: Partial<GuideFacts> = {}) {
  const findingSeen = 'cause' in finding ? `${finding.finding}:${finding.cause}` : finding.finding;
  const decision = decisionOf(kind, { findingSeen });
  return concluded(applied(state, { type: 'decide', decision }), finding, given);
}

describe('nothing is written', () => {
  test.each(['performed', 'stopped', 'stopped-but-done', 'stopped-unclear'] as const)(
    'on what is %s, and its attempt stays',
    (phase) => {
      const { event, attempt } = concluded({ ...inPhase(phase), attempt: 2 }, ABSENT);

      expect(event).toBeNull();
      expect(attempt).toBe(2);
    },
  );

  test('by an execution that is not current, and its attempt stays', () => {
    const notCurrent = { executionCurrent: false };
    const third = concluded({ ...settled('unknown'), attempt: 3 }, ABSENT, notCurrent);

    expect(third).toMatchObject({ event: null, attempt: 3 });
    // The workflow takes no attempt below the first.
    expect(concluded(open(), ABSENT, notCurrent)).toMatchObject({ event: null, attempt: 1 });
  });
});

describe('the attempt that the workflow is told', () => {
  test('is the last one where nothing may run', () => {
    expect(concluded({ ...settled('unknown'), attempt: 2 }, TOO_EARLY).attempt).toBe(2);
    expect(concluded({ ...settled('refused'), attempt: 3 }, ABSENT).attempt).toBe(3);
  });

  test('is the first one before anything ran, and needs no grant', () => {
    const state = { ...open(), backOff: { attempt: 0, until: 0 } };

    expect(concluded(state, ABSENT)).toMatchObject({
      verdict: { disposition: 'resume' },
      attempt: 1,
      event: { change: { kind: 'none' } },
    });
  });
});

test.each<[string, Finding, boolean]>([
  ['absent', ABSENT, false],
  ['too early', TOO_EARLY, false],
  ['unreadable', UNREADABLE, true],
  ['superseded', superseded('owner-changed'), false],
])('a read that ended %s counts as unreadable: %s', (_name, finding, unreadable) => {
  expect(concluded(settled('unknown'), finding).event).toMatchObject({ unreadable });
});

describe('what a person changed', () => {
  const gone: Finding = {
    finding: 'superseded',
    cause: 'task-changed',
    evidence: null,
    absenceProven: false,
  };

  test('is kept without evidence where there is none', () => {
    expect(concluded(settled('unknown'), gone)).toMatchObject({
      verdict: { disposition: 'keep' },
      event: { change: { kind: 'none' } },
    });
  });

  test('warns of an overwrite only where there may have been one', () => {
    const unknown = settled('unknown', 'assign-owner');

    expect(concluded(unknown, superseded('owner-changed')).event?.change).toEqual({ kind: 'none' });
    expect(concluded(unknown, superseded('contact-archived')).event?.change).toEqual({ kind: 'none' });
    expect(concluded(unknown, superseded('possible-overwrite')).event?.change).toEqual({
      kind: 'warn',
      warning: 'possible-overwrite',
      evidence: RECORD,
    });
    expect(concluded(settled('unknown'), TOO_EARLY).event?.change).toEqual({ kind: 'none' });
  });
});

describe('a decision', () => {
  test('has nothing left to decide once the destination shows the effect, also while the worker may run', () => {
    const early = decided(claimed(), 'resume', DONE, { now: T + 10_000 });

    expect(early).toMatchObject({
      verdict: { disposition: 'keep' },
      event: { change: { kind: 'done' }, decisionConsumed: true },
    });
  });

  test('has nothing left to decide once the guide stops the action', () => {
    const optedOut = { ...settled('refused', 'send-introduction'), reason: 'opted-out' };

    expect(decided(optedOut, 'resume', ABSENT, { contract: MAIL_CONTRACT })).toMatchObject({
      verdict: { disposition: 'stop', reason: 'opted-out' },
      event: { change: { kind: 'stopped', phase: 'stopped' }, decisionConsumed: true },
    });
  });

  test.each(['resume', 'amend'] as const)('to %s waits until the route is open again', (kind) => {
    expect(decided(settled('unknown'), kind, ABSENT, { routePaused: true })).toMatchObject({
      verdict: { disposition: 'park', reason: 'route-paused' },
      event: { change: { kind: 'none' }, decisionConsumed: false },
    });
  });

  test('to take over waits for no route: nothing goes out for it', () => {
    expect(decided(settled('unknown'), 'take-over', ABSENT, { routePaused: true })).toMatchObject({
      verdict: { disposition: 'ask', reason: 'taken-over' },
      event: { change: { kind: 'take-over' }, decisionConsumed: true },
    });
  });

  test('to resume is not possible on what a person superseded, whatever key is still known', () => {
    const unknown = settled('unknown', 'send-introduction');

    expect(
      decided(unknown, 'resume', superseded('contact-archived'), { contract: MAIL_CONTRACT }),
    ).toMatchObject({ verdict: { disposition: 'ask', reason: 'decision-not-possible' } });
  });

  test('to resume an owner that the route keeps is answered by keeping it', () => {
    const route = testRoute({ changedOwner: 'keep' });

    expect(
      decided(settled('unknown', 'assign-owner'), 'resume', superseded('owner-changed'), { route }),
    ).toMatchObject({ verdict: { disposition: 'keep' }, event: { decisionConsumed: true } });
  });
});
