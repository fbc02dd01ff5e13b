import { expect, it } from 'vitest';
import type { Run } from '../../../cli/aws/runs.ts';
import { handoffText as render, type TextOptions } from '../../../cli/render/handoff-text.ts';
import { timelineOf } from '../../../cli/timeline.ts';
import { type ActionState, openAction } from '../../../functions/domain/action-state.ts';
import { filledRecord, type RecordOptions } from '../../../functions/domain/filled-record.ts';
import type { LedgerRecord } from '../../../functions/domain/handoff.ts';
import { CONTRACTS, NUMBERS, testRoute } from '../../model/settings.ts';

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

interface Options extends Pick<TextOptions, 'colour' | 'answerMs' | 'executionStatus'> {
  readonly now: number;
  readonly runs?: readonly Run[];
}

const OPTIONS: Options = { now: DUE, colour: false, answerMs: 4 * 3_600_000, executionStatus: 'RUNNING' };

/** As `handoff show` prints it. */
function handoffText(ledgerRecord: LedgerRecord, { now, runs = [], ...options }: Options): string {
  const record: RecordOptions = {
    route: testRoute({ name: 'website' }),
    stage: 'prod',
    numbers: NUMBERS,
    now,
    links: { stateMachineArn: 'arn:aws:states:eu-west-1:111122223333:stateMachine:lead-handoff-prod' },
    contractOf: (action) => CONTRACTS[action],
  };
  const lead = 'a…@example.com';
  return render(filledRecord(ledgerRecord, record), timelineOf(ledgerRecord, runs), {
    record,
    lead,
    ...options,
  });
}

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
    resubmissions: [
      { run: 2, execution: 'person-1', by: 'Uma', reason: 'the CRM was down', at: ACCEPTED + 90_500 },
    ],
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
    '  owner             not read yet; the route chose 71.',
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

it('says of a handoff that waits because of its person that it has not been started, and no more', () => {
  const waiting = RECORD.waiting.map((item) => ({ ...item, action: 'handoff' as const, why: 'same-person' }));
  const text = handoffText({ ...RECORD, waiting }, { ...OPTIONS, executionStatus: 'DOES_NOT_EXIST' });

  expect(text).not.toContain('attention');
  expect(text).toContain(
    '  execution         none yet: it is started once somebody lets it go on (website.form-7-1042.2)\n',
  );
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

  expect(lines.flatMap((line) => line.split('attempt 1  ')[1] ?? [])).toEqual([
    'decided-resume by robin',
    `ask: ${detail} (the sender is no longer the owner)`,
    'unknown: a-code-of-tomorrow',
  ]);
});

it('puts warnings into words, and tells other fields and the timeline in order', () => {
  const runs: Run[] = [
    {
      run: 1,
      execution: 'website.form-7-1042.1',
      status: 'ABORTED',
      startedAt: ACCEPTED + 500,
      endedAt: ACCEPTED + 90_000,
    },
    {
      run: 2,
      execution: 'website.form-7-1042.2',
      status: 'RUNNING',
      startedAt: ACCEPTED + 91_000,
      endedAt: null,
    },
  ];

  const text = handoffText(RECORD, { ...OPTIONS, runs });

  expect(text).toContain(
    'Warnings\n  assign-owner: two attempts may both have had an effect; look for a second record at the destination (possible-duplicate).\n  assign-owner: somebody else',
  );
  expect(text).toContain(
    `Other fields under the same id\n  At 2026-05-04 09:31:00Z the same id came with other fields (bbbbbbbbbbbb${'c'.repeat(52)}).`,
  );
  expect(text.slice(text.indexOf('Timeline')).split('\n')).toEqual([
    'Timeline',
    '  2026-05-04 09:30:00Z  handoff                       accepted',
    '  2026-05-04 09:30:00Z  handoff                       run started: website.form-7-1042.1 (run 1)',
    '  2026-05-04 09:30:01Z  assign-owner       attempt 1  claimed by a worker',
    '  2026-05-04 09:30:02Z  assign-owner       attempt 1  unknown: timeout (no answer came in time)',
    `  2026-05-04 09:31:00Z  handoff                       other fields: bbbbbbbbbbbb${'c'.repeat(52)}`,
    '  2026-05-04 09:31:30Z  handoff                       run ended: website.form-7-1042.1 (ABORTED)',
    '  2026-05-04 09:31:30Z  handoff                       resubmitted: run 2 by Uma: "the CRM was down"',
    '  2026-05-04 09:31:31Z  handoff                       run started: website.form-7-1042.2 (run 2)',
  ]);
});

it('tells who decided what, and of the last decision why', () => {
  const decision = {
    id: 'decision-1',
    kind: 'resume',
    by: 'Robin',
    reason: 'Resend works again',
    at: ACCEPTED + 9_000,
    findingSeen: 'absent',
  } as const;
  const history = [
    { at: ACCEPTED + 5_000, event: 'decided-confirm', attempt: 1, detail: 'Kim' },
    { at: ACCEPTED + 9_000, event: 'decided-resume', attempt: 1, detail: 'Robin' },
  ];
  const actions = [{ ...owner, history, lastDecision: { decision, result: 'turned-down' } as const }];

  const text = handoffText({ ...RECORD, actions }, OPTIONS);

  expect(text).toContain(
    'Decided before\n  assign-owner: resume by Robin at 2026-05-04 09:30:09Z; not carried out: a fresh read did not bear it.\n',
  );
  expect(text).toContain('attempt 1  decided-confirm by Kim\n');
  expect(text).toContain('attempt 1  decided-resume by Robin: "Resend works again"\n');
});

it('offers on a terminal the same choices and links as the record in an email', () => {
  const text = handoffText(RECORD, OPTIONS);

  expect(text).toContain(
    '    confirm: Takes your word that the owner was set; it is not tried again. Add the owner\'s id as "evidence", and it is compared with the contact\'s.\n      {"leadRequestId":"form-7-1042","action":"assign-owner","decision":"confirm","by":"","reason":"","finding":"unclear:unreadable"}\n',
  );
  expect(text).toContain(
    '  Execution website.form-7-1042.2: https://eu-west-1.console.aws.amazon.com/states/home',
  );
});

it('shows neither the task token nor the lead', () => {
  const text = handoffText(RECORD, { ...OPTIONS, colour: true });

  expect(text).not.toContain('the-task-token');
  expect(text).not.toContain('ann.lee');
  expect(text).not.toContain('Ann');
});

it('says of a handoff that was joined to which one, and shows no work', () => {
  const handoff = { ...RECORD.handoff, joinedTo: 'form-7-1041', closedAt: ACCEPTED + 1_000 };
  const text = handoffText({ ...RECORD, handoff, actions: [], waiting: [], conflicts: [] }, OPTIONS);

  expect(text).toContain(
    '  joined to         form-7-1041, of the same person: nothing was done for this one, and nothing will be (npx handoff show form-7-1041 --route website --stage prod)',
  );
  for (const word of ['not tried yet', 'upsert-contact', '  owner ']) expect(text).not.toContain(word);
});
