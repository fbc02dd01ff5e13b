import { expect, it } from 'vitest';
import { handoffText } from '../../../cli/render/handoff-text.ts';
import { type ActionState, openAction } from '../../../functions/domain/action-state.ts';
import type { LedgerRecord } from '../../../functions/domain/handoff.ts';

const ACCEPTED = Date.parse('2026-05-04T09:30:00Z');
const DUE = Date.parse('2026-05-04T13:30:00Z');

const owner: ActionState = {
  ...openAction('assign-owner'),
  phase: 'unknown',
  attempt: 2,
  warnings: ['possible-duplicate', 'possible-overwrite'],
  history: [
    { at: ACCEPTED + 2_000, event: 'unknown', attempt: 1, detail: 'timeout' },
    { at: ACCEPTED + 1_000, event: 'claimed', attempt: 1, detail: 'worker-1' },
  ],
};

const RECORD: LedgerRecord = {
  handoff: {
    route: 'website',
    leadRequestId: 'form-7-1042',
    lead: {
      leadRequestId: 'form-7-1042',
      email: 'ann.lee@example.com',
      firstName: 'Ann',
      sourceReference: 'form 7, submission 1042',
    },
    ownerId: '71',
    intentHash: 'a'.repeat(64),
    acceptedAt: ACCEPTED,
    closedAt: null,
    execution: 'website.form-7-1042.2',
    run: 2,
  },
  actions: [owner],
  operations: [],
  waiting: [
    {
      action: 'assign-owner',
      kind: 'ask',
      token: 'the-task-token',
      execution: 'website.form-7-1042.2',
      who: 'robin.okafor@revops.example.com',
      why: 'owner-changed',
      since: ACCEPTED + 3_000,
      dueAt: DUE,
      asked: 0,
    },
  ],
  conflicts: [{ intentHash: `${'b'.repeat(12)}${'c'.repeat(52)}`, firstSeenAt: ACCEPTED + 60_000 }],
};

it('says where the handoff stands, who it waits for and until when', () => {
  const text = handoffText(RECORD, { now: DUE, colour: false });

  expect(text.split('\n').slice(0, 8)).toEqual([
    'website/form-7-1042',
    '  status            waiting',
    '  lead              a…@example.com',
    '  source reference  form 7, submission 1042',
    '  owner             not read yet',
    '  execution         website.form-7-1042.2 (run 2)',
    '  accepted          2026-05-04 09:30:00Z',
    '  waits for         robin.okafor@revops.example.com to decide assign-owner (owner-changed), since 2026-05-04 09:30:03Z, until 2026-05-04 13:30:00Z',
  ]);
});

it('marks what is overdue', () => {
  const text = handoffText(RECORD, { now: DUE + 1, colour: false });

  expect(text).toContain('since 2026-05-04 09:30:03Z, overdue since 2026-05-04 13:30:00Z');
});

it('puts warnings into words, and tells conflicts and the timeline in order', () => {
  const text = handoffText(RECORD, { now: DUE, colour: false });

  expect(text).toContain(
    'Warnings\n  assign-owner: two attempts may both have had an effect; look for a second record at the destination (possible-duplicate).\n  assign-owner: somebody else',
  );
  expect(text).toContain(
    'Conflicts\n  2026-05-04 09:31:00Z  the same id came with other fields (bbbbbbbbbbbb); the first request stands.',
  );
  expect(text).toContain(
    'Timeline\n  2026-05-04 09:30:01Z  assign-owner       attempt 1  claimed: worker-1\n  2026-05-04 09:30:02Z  assign-owner       attempt 1  unknown: timeout',
  );
});

it('shows neither the task token nor the lead', () => {
  const text = handoffText(RECORD, { now: DUE, colour: true });

  expect(text).not.toContain('the-task-token');
  expect(text).not.toContain('ann.lee');
  expect(text).not.toContain('Ann');
});
