import { expect, test } from 'vitest';
import {
  FINAL_PHASES,
  openAction,
  type Phase,
  settledOutcome,
} from '../../../functions/domain/action-state.ts';

test('of an action that nobody has touched nothing is known, allowed or decided', () => {
  expect(openAction('create-task')).toEqual({
    action: 'create-task',
    phase: 'open',
    attempt: 0,
    version: 0,
    firstClaimAt: null,
    claim: null,
    settledAt: null,
    reason: null,
    notBefore: null,
    grant: null,
    operation: null,
    nextRevision: 1,
    replacement: 1,
    amendment: null,
    requestLeft: false,
    mayHaveLanded: false,
    evidence: null,
    lateEvidence: null,
    decision: null,
    lastDecision: null,
    earlierDecisions: [],
    letGo: false,
    warnings: [],
    lastRead: null,
    backOff: null,
    unreadableReads: 0,
    history: [],
  });
});

test.each<[Phase, outcome: string | null, final: boolean]>([
  ['open', null, false],
  ['claimed', null, false],
  ['performed', 'performed', true],
  ['not-applied', 'not-applied', false],
  ['unknown', 'unknown', false],
  ['refused', 'refused', false],
  ['taken-over', null, false],
  ['stopping', null, false],
  ['stopped', null, true],
  ['stopped-but-done', null, true],
  ['stopped-unclear', null, true],
])('%s: the outcome of an attempt is %s, and that nothing is left to do is %s', (phase, outcome, final) => {
  expect(settledOutcome(phase)).toBe(outcome);
  expect(FINAL_PHASES.includes(phase)).toBe(final);
});
