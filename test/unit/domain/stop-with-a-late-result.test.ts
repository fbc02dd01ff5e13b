import { describe, expect, test } from 'vitest';
import type { ActionState } from '../../../functions/domain/action-state.ts';
import { conclude } from '../../../functions/domain/conclusion.ts';
import type { Finding } from '../../../functions/domain/finding.ts';
import { ABSENT, DONE, facts, UNREADABLE } from './guide-facts.ts';
import {
  applied,
  claimEvent,
  decisionOf,
  grantChange,
  OUTCOMES,
  RECORD,
  reconcileEvent,
  settled,
  settleEvent,
  T,
} from './states.ts';

const LATE = { ...RECORD, kind: 'receipt', recordId: 'late' } as const;
const IDS = { event: 'stop', claim: 'none' };

/** Attempt 2 ended unknown, and attempt 1 reported its success meanwhile. */
function twoAttempts(): ActionState {
  const unknown = settled('unknown');
  const granted = applied(unknown, reconcileEvent(unknown, grantChange(2)));
  return applied(
    granted,
    claimEvent(2),
    { ...settleEvent(1, { outcome: 'performed', evidence: LATE }), at: T + 150_000 },
    settleEvent(2, OUTCOMES.unknown),
  );
}

function stoppedAfter(finding: Finding, start = twoAttempts()): ActionState {
  const decided = applied(start, { type: 'decide', decision: decisionOf('stop') });
  const { event } = conclude(facts(decided, finding), T + 1_800_000, IDS);
  return event ? applied(decided, event) : decided;
}

describe('a person stops an action whose earlier attempt reported success late', () => {
  test('the destination does not show it: it had been done all the same, by what was reported', () => {
    expect(stoppedAfter(ABSENT)).toMatchObject({
      phase: 'stopped-but-done',
      evidence: { recordId: 'late' },
      warnings: ['possible-duplicate'],
    });
  });

  test('the destination cannot be read: the newer attempt may have had its effect as well', () => {
    expect(stoppedAfter(UNREADABLE)).toMatchObject({
      phase: 'stopped-but-done',
      evidence: { recordId: 'late' },
      warnings: ['possible-duplicate'],
    });
  });

  test('the destination shows that one record alone: there is no duplicate', () => {
    const finding: Finding = { ...DONE, evidence: { ...RECORD, recordId: 'late' } } as Finding;

    expect(stoppedAfter(finding)).toMatchObject({ phase: 'stopped-but-done', warnings: [] });
  });

  test('the destination shows another record: there may be two', () => {
    expect(stoppedAfter(DONE)).toMatchObject({
      phase: 'stopped-but-done',
      evidence: { recordId: '9001' },
      warnings: ['possible-duplicate'],
    });
  });
});

test('the intent to stop keeps the warning while it waits', () => {
  const start = twoAttempts();
  const stopping = applied(start, reconcileEvent(start, { kind: 'stopping', reason: 'stopped-by-person' }));

  expect(stopping).toMatchObject({ phase: 'stopping', warnings: ['possible-duplicate'] });
});
