import { describe, expect, test } from 'vitest';
import { type ActionState, openAction } from '../../../functions/domain/action-state.ts';
import type { Evidence } from '../../../functions/domain/evidence.ts';
import { filledRecord } from '../../../functions/domain/filled-record.ts';
import type { OwnerRecord } from '../../../functions/domain/recovery-record.ts';
import { known, ownerSentence, warningSentences } from '../../../functions/domain/what-is-known.ts';
import { FRIDAY, ledgerRecord, performed, recordOptions, uncertain } from './recovery-ledger.ts';
import { decisionOf } from './states.ts';

const HOUR = 3_600_000;

/** What is known of a task. */
function ofTask(more: Partial<ActionState>, base = uncertain('create-task', 'absent', 'residual-risk')) {
  const record = ledgerRecord([{ ...base, lastRead: null, ...more }]);
  return known(filledRecord(record, recordOptions()))[2]?.replace('create-task: ', '');
}

const read = (more: Partial<NonNullable<ActionState['lastRead']>> = {}): ActionState['lastRead'] => ({
  id: 'read-1',
  at: FRIDAY + 2 * HOUR,
  finding: 'absent',
  disposition: 'ask',
  reason: 'residual-risk',
  absenceProven: true,
  heard: null,
  ...more,
});

describe('what was tried', () => {
  test.each<[ActionState['phase'], string]>([
    ['claimed', 'attempt 2 was begun at 2026-05-08 16:30:03Z and has not reported.'],
    ['performed', 'done, 2 attempts.'],
    ['unknown', 'attempt 2 ended without saying what it did: no answer came in time (timeout).'],
    ['not-applied', 'attempt 2 had no effect: no answer came in time (timeout).'],
    ['refused', 'attempt 2 was refused: no answer came in time (timeout).'],
    ['taken-over', 'taken over by a person at 2026-05-08 16:30:03Z.'],
    ['stopping', 'it is being stopped (stopping): no answer came in time (timeout).'],
  ])('%s', (phase, sentence) => {
    expect(ofTask({ phase, attempt: 2 })).toBe(sentence);
  });

  test('an attempt of which no reason was recorded', () => {
    expect(ofTask({ phase: 'unknown', reason: null })).toBe('attempt 1 ended without saying what it did.');
    expect(ofTask({ phase: 'performed', reason: null })).toBe('done, 1 attempt.');
  });

  test('nothing', () => {
    expect(ofTask({}, openAction('create-task'))).toBe('not tried yet.');
  });
});

describe('what the destination says', () => {
  const evidence = (kind: Evidence['kind'], recordId: string | null): Evidence => ({
    kind,
    destination: 'hubspot',
    recordId,
    readAt: FRIDAY + HOUR,
    facts: {},
  });

  test.each<[Evidence['kind'], string | null, string]>([
    ['receipt', '5005', 'HubSpot confirmed it as record 5005 at 2026-05-08 17:30:00Z.'],
    ['receipt', null, 'HubSpot confirmed it at 2026-05-08 17:30:00Z.'],
    ['record', '5005', 'HubSpot record 5005 was read back at 2026-05-08 17:30:00Z.'],
    [
      'attested',
      '5005',
      'By the word of a person at 2026-05-08 17:30:00Z; HubSpot has not shown record 5005.',
    ],
    ['attested', null, 'By the word of a person at 2026-05-08 17:30:00Z; HubSpot has not shown it.'],
  ])('%s of record %s', (kind, recordId, sentence) => {
    const shown = { phase: 'performed', evidence: evidence(kind, recordId) } as const;

    expect(ofTask(shown)).toBe(`done, 1 attempt. ${sentence}`);
    expect(ofTask({ phase: 'unknown', reason: null, lateEvidence: evidence(kind, recordId) })).toBe(
      `attempt 1 ended without saying what it did. Reported late: ${sentence}`,
    );
  });

  test('a word is that of whoever confirmed, and of nobody who decided something else', () => {
    const said = (kind: 'confirm' | 'resume') =>
      ofTask({
        phase: 'performed',
        evidence: evidence('attested', null),
        lastDecision: { decision: decisionOf(kind, { by: 'Robin' }), result: 'used' },
      });

    expect(said('confirm')).toContain('By the word of Robin at');
    expect(said('resume')).toContain('By the word of a person at');
  });
});

describe('what the last look found, and what comes next', () => {
  test('with its reason', () => {
    expect(ofTask({ lastRead: read() })).toBe(
      'attempt 1 ended without saying what it did: no answer came in time (timeout). Last look at HubSpot, 2026-05-08 18:30:00Z: the destination does not have it (absent). Next: a person has to decide (ask), because a repeat might have its effect twice (residual-risk).',
    );
  });

  test('without a reason that was told before', () => {
    const next = 'Next: a person has to decide (ask).';

    expect(ofTask({ lastRead: read({ reason: 'timeout' }) })?.endsWith(` ${next}`)).toBe(true);
    expect(
      ofTask({ lastRead: read({ finding: 'superseded:task-changed', reason: 'task-changed' }) })?.endsWith(
        ` ${next}`,
      ),
    ).toBe(true);
  });

  test('that ours is not there is told where somebody changed what it was about', () => {
    const finding = 'superseded:contact-deleted';
    const proof = 'It also shows that the task was not created.';

    expect(ofTask({ lastRead: read({ finding }) })).toContain(
      `the contact was deleted (superseded:contact-deleted). ${proof} Next:`,
    );
    expect(ofTask({ lastRead: read({ finding, absenceProven: false }) })).not.toContain(proof);
    expect(ofTask({ lastRead: read() })).not.toContain(proof);
  });

  test('is not told of what was never tried, and nothing comes next for what is done', () => {
    const parked = read({ disposition: 'park', reason: 'route-paused' });

    expect(ofTask({ lastRead: parked }, openAction('create-task'))).toBe(
      'not tried yet. Next: it waits until work may go out again (park), because the route is paused (route-paused).',
    );
    expect(ofTask({ phase: 'performed', lastRead: read({ finding: 'done', disposition: 'keep' }) })).toBe(
      'done, 1 attempt.',
    );
  });

  test('of what was stopped', () => {
    expect(ofTask({ phase: 'stopped', reason: 'stopped-by-person' })).toBe(
      'it was stopped (stopped): a person stopped it (stopped-by-person). Next: it has ended (stop).',
    );
    expect(ofTask({ phase: 'stopped', reason: null })).toBe(
      'it was stopped (stopped). Next: it has ended (stop).',
    );
  });
});

describe('what to be wary of', () => {
  const warned = (action: ActionState) => {
    const record = ledgerRecord([action]);
    return warningSentences(filledRecord(record, recordOptions()));
  };
  const owner = performed('assign-owner', '1001', 2_000);

  test('two effects', () => {
    expect(warned({ ...owner, warnings: ['possible-duplicate'] })).toEqual([
      'assign-owner: two attempts may both have had an effect; look for a second record at the destination (possible-duplicate).',
    ]);
  });

  test.each([
    [{ overwrittenOwnerId: '82' }, 'owner 82, whom somebody else had set, may have been written over'],
    [
      { overwrittenOwnerId: '82', ownerId: null },
      'owner 82, whom somebody else had set, may have been written over',
    ],
    [
      { overwrittenOwnerId: null, ownerId: '71' },
      'the owner that somebody else had cleared may have been written over with 71',
    ],
    [null, "somebody else's owner may have been written over"],
  ])('an owner that was written over: %j', (facts, who) => {
    const evidence = facts && owner.evidence && { ...owner.evidence, facts };

    expect(warned({ ...owner, evidence, warnings: ['possible-overwrite'] })).toEqual([
      `assign-owner: ${who}; look at the owner's history in the CRM (possible-overwrite).`,
    ]);
  });

  test('stands at the end of what is known', () => {
    const record = ledgerRecord([{ ...owner, warnings: ['possible-duplicate'] }]);

    expect(known(filledRecord(record, recordOptions()))).toEqual([
      'upsert-contact: done, 1 attempt. HubSpot confirmed it as record 1001 at 2026-05-08 16:30:01Z.',
      'assign-owner: done, 1 attempt. HubSpot confirmed it as record 1001 at 2026-05-08 16:30:02Z.',
      'create-task: done, 1 attempt. HubSpot confirmed it as record 5005 at 2026-05-08 16:30:03Z.',
      'send-introduction: not tried yet.',
      'Owner: not read yet; the route chose 71. Before this handoff it was nobody.',
      'assign-owner: two attempts may both have had an effect; look for a second record at the destination (possible-duplicate).',
    ]);
  });
});

test('nothing is said of the owner of a contact for which nothing was done', () => {
  const record = ledgerRecord([], {});
  const joined = { ...record, handoff: { ...record.handoff, joinedTo: 'inq-0', closedAt: FRIDAY } };

  expect(known(filledRecord({ ...joined, actions: [] }, recordOptions()))).toEqual([]);
});

describe('the owner', () => {
  const OWNER: OwnerRecord = {
    ownerId: '71',
    readAt: '2026-05-08T16:30:02.000Z',
    how: null,
    changedSince: null,
    chosenOwnerId: '71',
    before: null,
  };

  test.each<[string, Partial<OwnerRecord>, string]>([
    ['was read', {}, '71 at 2026-05-08 16:30:02Z.'],
    ['is the one that was set', { how: 'set' }, '71 at 2026-05-08 16:30:02Z, as this handoff set it.'],
    ['is the one that was left', { how: 'kept' }, '71 at 2026-05-08 16:30:02Z, set by somebody else.'],
    [
      'was changed before and since',
      {
        changedSince: '2026-05-08T18:30:00.000Z',
        before: { ownerId: '82', changedAt: '2026-05-07T16:30:00.000Z' },
      },
      "71 at 2026-05-08 16:30:02Z. At 2026-05-08 18:30:00Z somebody else had changed it: the contact's page shows to whom. Before this handoff it was last changed at 2026-05-07 16:30:00Z.",
    ],
    ['was never changed', { before: { ownerId: null, changedAt: null } }, '71 at 2026-05-08 16:30:02Z.'],
  ])('%s', (_, more, sentence) => {
    expect(ownerSentence({ ...OWNER, ...more })).toBe(sentence);
  });

  test.each<[OwnerRecord['before'], string]>([
    [null, 'not read yet; the route chose 71.'],
    [{ ownerId: '82', changedAt: null }, 'not read yet; the route chose 71. Before this handoff it was 82.'],
    [
      { ownerId: null, changedAt: null },
      'not read yet; the route chose 71. Before this handoff it was nobody.',
    ],
  ])('was not read yet, and was %j before', (before, sentence) => {
    expect(ownerSentence({ ...OWNER, ownerId: null, readAt: null, before })).toBe(sentence);
  });
});
