import { expect, test } from 'vitest';
import type { ActionState } from '../../../functions/domain/action-state.ts';
import type { DecisionKind } from '../../../functions/domain/decision.ts';
import {
  applied,
  claimEvent,
  claimed,
  decisionOf,
  grantChange,
  OUTCOMES,
  reconcileEvent,
  settled,
  settleEvent,
} from './states.ts';

const decided = (state: ActionState, kind: DecisionKind) =>
  applied(state, { type: 'decide', decision: decisionOf(kind) });

test.each<[DecisionKind, string]>([
  ['stop', 'too-late'],
  ['resume', 'too-late'],
  ['take-over', 'too-late'],
  ['confirm', 'used'],
])('%s while the worker runs, which then performs: %s', (kind, result) => {
  const performed = applied(decided(claimed(), kind), settleEvent(1, OUTCOMES.performed));

  expect(performed).toMatchObject({ phase: 'performed', decision: null, lastDecision: { result } });
  expect(performed.lastDecision?.decision.kind).toBe(kind);
});

test('a decision on an attempt that reports success late, alone: it came too late', () => {
  const unknown = decided(settled('unknown'), 'resume');
  const performed = applied(unknown, settleEvent(1, OUTCOMES.performed));

  expect(performed).toMatchObject({
    phase: 'performed',
    decision: null,
    lastDecision: { result: 'too-late' },
  });
});

test('one that reports late while a newer attempt runs leaves the decision to reconcile', () => {
  const unknown = settled('unknown');
  const running = applied(unknown, reconcileEvent(unknown, grantChange(2)), claimEvent(2));
  const late = applied(decided(running, 'stop'), settleEvent(1, OUTCOMES.performed));

  expect(late).toMatchObject({
    phase: 'claimed',
    decision: { kind: 'stop' },
    lastDecision: { result: 'pending' },
  });
});
