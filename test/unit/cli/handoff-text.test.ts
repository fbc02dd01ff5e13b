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

const OPTIONS = { now: DUE, colour: false, answerMs: 4 * 3_600_000, executionStatus: 'RUNNING' };

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
    amendments: [],
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
  conflicts: [
    {
      intentHash: `${'b'.repeat(12)}${'c'.repeat(52)}`,
      firstSeenAt: ACCEPTED + 60_000,
      lead: { leadRequestId: 'form-7-1042', email: 'ann.lee@example.com' },
    },
  ],
};

it('says where the handoff stands, who it waits for and until when', () => {
  const text = handoffText(RECORD, OPTIONS);

  expect(text.split('\n').slice(0, 8)).toEqual([
    'website/form-7-1042',
    '  status            waiting',
    '  lead              a…@example.com',
    '  source reference  form 7, submission 1042',
    '  owner             not read yet',
    '  execution         website.form-7-1042.2 (run 2)',
    '  accepted          2026-05-04 09:30:00Z',
    '  waits for         robin.okafor@revops.example.com to decide assign-owner: owner-changed (somebody else changed the owner), since 2026-05-04 09:30:03Z (for 3 h 59 min), until 2026-05-04 13:30:00Z',
  ]);
});

it('marks what is overdue', () => {
  const text = handoffText(RECORD, { ...OPTIONS, now: DUE + 1 });

  expect(text).toContain('since 2026-05-04 09:30:03Z (for 3 h 59 min), overdue since 2026-05-04 13:30:00Z');
});

it('keeps the mark after the last escalation, when nothing is due any more', () => {
  const waiting = RECORD.waiting.map((item) => ({ ...item, dueAt: null, asked: 3 }));

  const text = handoffText({ ...RECORD, waiting }, { ...OPTIONS, now: DUE + 7_200_000 });

  expect(text).toContain('(for 5 h 59 min), overdue since 2026-05-04 13:30:03Z, no further escalation');
});

it.each([
  ['ABORTED', 'its execution ended (ABORTED); it will not go on by itself'],
  ['DOES_NOT_EXIST', 'its execution does not exist; it will not go on by itself'],
])('says of an execution that is %s that nothing goes on', (executionStatus, sentence) => {
  expect(handoffText(RECORD, { ...OPTIONS, executionStatus })).toContain(`  attention         ${sentence}\n`);
});

it.each(['RUNNING', 'PENDING_REDRIVE', null])(
  'says nothing of an execution that is %s',
  (executionStatus) => {
    const text = handoffText(RECORD, { ...OPTIONS, colour: true, executionStatus });

    expect(text).not.toContain('attention');
  },
);

it('says how the last attempt ended, where what happens next has another reason', () => {
  const lastRead = {
    id: 'read-1',
    at: ACCEPTED + 2_500,
    finding: 'superseded:owner-changed',
    disposition: 'ask',
    reason: 'owner-changed',
    absenceProven: false,
    heard: null,
  } as const;
  const text = (reason: string) =>
    handoffText({ ...RECORD, actions: [{ ...owner, reason, lastRead }] }, OPTIONS);

  expect(text('connection-reset')).toContain(
    'Last attempts\n  assign-owner: attempt 2 ended unknown, connection-reset (the connection broke before the answer was whole)',
  );
  expect(text('owner-changed')).not.toContain('Last attempts');
});

it('tells what reconcile concluded with what its codes mean, each meaning once', () => {
  const detail = 'superseded:sender-no-longer-owner · sender-no-longer-owner';
  const history = [
    { at: ACCEPTED, event: 'decided-resume', attempt: 1, detail: 'robin' },
    { at: ACCEPTED, event: 'ask', attempt: 1, detail },
    { at: ACCEPTED, event: 'unknown', attempt: 1, detail: 'a-code-of-tomorrow' },
  ];

  const lines = handoffText({ ...RECORD, actions: [{ ...owner, history }] }, OPTIONS).split('\n');

  expect(lines.slice(-3).map((line) => line.split('attempt 1  ')[1])).toEqual([
    'decided-resume by robin',
    `ask: ${detail} (the sender is no longer the owner)`,
    'unknown: a-code-of-tomorrow',
  ]);
});

it('puts warnings into words, and tells conflicts and the timeline in order', () => {
  const text = handoffText(RECORD, OPTIONS);

  expect(text).toContain(
    'Warnings\n  assign-owner: two attempts may both have had an effect; look for a second record at the destination (possible-duplicate).\n  assign-owner: somebody else',
  );
  expect(text).toContain(
    'Conflicts\n  2026-05-04 09:31:00Z  the same id came with other fields (bbbbbbbbbbbb); the first request stands.',
  );
  expect(text).toContain(
    'Timeline\n  2026-05-04 09:30:01Z  assign-owner       attempt 1  claimed by a worker\n  2026-05-04 09:30:02Z  assign-owner       attempt 1  unknown: timeout (no answer came in time)',
  );
});

it('shows neither the task token nor the lead', () => {
  const text = handoffText(RECORD, { ...OPTIONS, colour: true });

  expect(text).not.toContain('the-task-token');
  expect(text).not.toContain('ann.lee');
  expect(text).not.toContain('Ann');
});
