import { describe, expect, test } from 'vitest';
import { type ActionState, openAction } from '../../../functions/domain/action-state.ts';
import type { Conflict, LedgerRecord } from '../../../functions/domain/handoff.ts';
import { recoveryText } from '../../../functions/domain/recovery-text.ts';
import { asked, FRIDAY, ledgerRecord, performed, recordOptions, uncertain } from './recovery-ledger.ts';
import { decisionOf } from './states.ts';

const HOUR = 3_600_000;

const APPROVERS = [
  { name: 'Tomas', email: 'tomas@revops.example.com' },
  { name: 'Ida', email: 'ida@revops.example.com' },
];

/** A part of the text, from its title to the next blank line. */
function part(text: string, title: string): string[] {
  const [, rest = ''] = text.split(`\n\n${title}\n`);
  return (rest.split('\n\n')[0] ?? '').split('\n').filter((line) => line !== '');
}

function withHandoff(record: LedgerRecord, more: Partial<LedgerRecord['handoff']>): LedgerRecord {
  return { ...record, handoff: { ...record.handoff, ...more } };
}

const OWNER = uncertain('assign-owner', 'superseded:owner-changed', 'owner-changed');
const TASK: ActionState = {
  ...uncertain('create-task', 'unclear:unreadable', 'unreadable'),
  phase: 'taken-over',
};

test('nothing is said of a source reference, a trace or a page that the ledger does not have', () => {
  const person = { ...TASK.claim, by: { kind: 'person', name: 'Uma' } } as ActionState['claim'];
  const { traceId: _, ...untraced } = OWNER.claim as NonNullable<ActionState['claim']>;
  const base = ledgerRecord([
    { ...OWNER, claim: untraced },
    { ...TASK, claim: person },
  ]);
  const { sourceReference, ...lead } = base.handoff.lead;
  const text = recoveryText(
    withHandoff(base, { lead }),
    recordOptions({ links: null, route: { crm: { adapter: 'hubspot' }, approvers: APPROVERS } }),
  );

  expect(text.split('\n').slice(0, 4)).toEqual([
    'web/inq-1 is in progress; nobody is asked.',
    '',
    'This is lead request inq-1 of route web.',
    '',
  ]);
  expect(part(text, 'Links')).toEqual(['- Execution web.inq-1.1']);
  expect(part(text, 'For the engineer')).toEqual([
    '- Run 1, accepted at 2026-05-08 16:30:00Z.',
    '- upsert-contact: attempt 1 at 2026-05-08 16:30:01Z, request request-upsert-contact, trace trace-upsert-contact.',
    '- assign-owner: attempt 1 at 2026-05-08 16:30:03Z, request request-assign-owner.',
    '- create-task: attempt 1 at 2026-05-08 16:30:03Z, a person.',
    '- Recovery owner Robin, escalation owner Mia, approvers Tomas (tomas@revops.example.com), Ida (ida@revops.example.com).',
  ]);
});

test('what a person decides is named without what is parked', () => {
  const waiting = [
    asked('assign-owner', 'owner-changed'),
    asked('create-task', 'unreadable'),
    asked('send-introduction', 'breaker-open', { kind: 'park', who: 'resend' }),
  ];

  expect(recoveryText(ledgerRecord([OWNER, TASK], { waiting }), recordOptions()).split('\n')[0]).toBe(
    'web/inq-1 waits for a person to decide assign-owner and create-task.',
  );
});

describe('until when', () => {
  const sentence = (more: Parameters<typeof asked>[2], now: number) =>
    recoveryText(
      ledgerRecord([OWNER], { waiting: [asked('assign-owner', 'owner-changed', more)] }),
      recordOptions({ now }),
    ).split('\n')[3];
  const DUE = FRIDAY + 6 * HOUR;

  test('an answer is not late at the very time at which it is due', () => {
    expect(sentence({}, DUE)).toBe(
      'assign-owner waits for robin@revops.example.com since 2026-05-08 18:30:00Z: somebody else changed the owner (owner-changed). Please answer by 2026-05-08 22:30:00Z; then mia@revops.example.com is asked.',
    );
    expect(sentence({}, DUE + 1)).toBe(
      'assign-owner waits for robin@revops.example.com since 2026-05-08 18:30:00Z: somebody else changed the owner (owner-changed). An answer was due by 2026-05-08 22:30:00Z.',
    );
  });

  test('it waits where nobody else is asked any more', () => {
    expect(sentence({ asked: 3, dueAt: null }, DUE + 1)).toBe(
      'assign-owner waits for robin@revops.example.com since 2026-05-08 18:30:00Z: somebody else changed the owner (owner-changed). Nobody else is asked any more: it waits until somebody decides.',
    );
  });

  test('something is parked that has no time at which it is looked at again', () => {
    expect(sentence({ kind: 'park', dueAt: null }, DUE)).toBe(
      'assign-owner is parked since 2026-05-08 18:30:00Z: somebody else changed the owner (owner-changed).',
    );
  });
});

test('a handoff of a person who has sent another request is held, whatever else waits under it', () => {
  const waiting = [
    asked('create-task', 'route-paused', { kind: 'park' }),
    asked('handoff', 'same-person', { token: null, rival: 'inq-0' }),
  ];
  const text = recoveryText(ledgerRecord([], { waiting }), recordOptions());

  expect(text).toContain(
    'The handoff as a whole waits for robin@revops.example.com since 2026-05-08 18:30:00Z: the same person sent another lead request at about that time (same-person). Please answer by 2026-05-08 22:30:00Z; then mia@revops.example.com is asked. That one is inq-0: npx handoff show inq-0 --route web --stage prod\n',
  );
  expect(text).toContain('  resubmit: Lets it go on. Nothing was done for it yet.\n');
  expect(text).not.toContain('Starts run 2');
});

test('a handoff whose execution does not exist can only be started again', () => {
  const waiting = [asked('handoff', 'execution-missing', { token: null })];
  const text = recoveryText(ledgerRecord([], { waiting }), recordOptions());

  expect(part(text, 'handoff')).toEqual([
    '  resubmit: Starts run 2 and ends run 1. What is done is not done again; for everything else the destination is read first.',
    '    {"leadRequestId":"inq-1","decision":"resubmit","by":"","reason":""}',
    '    npx handoff resubmit inq-1 --route web --by "" --reason "" --stage prod',
  ]);
});

test('a decision names the record that it rests on, and what became of it', () => {
  const decidedBefore = (evidence: string | undefined, result: 'used' | 'turned-down' | 'too-late') => {
    const decision = {
      ...decisionOf('confirm', { by: 'Robin', at: FRIDAY + HOUR }),
      ...(evidence === undefined ? {} : { evidence }),
    };
    const state = { ...TASK, lastDecision: { decision, result } };
    return part(recoveryText(ledgerRecord([state]), recordOptions()), 'Decided before');
  };

  expect(decidedBefore('5005', 'used')).toEqual([
    '- create-task: confirm by Robin at 2026-05-08 17:30:00Z, evidence 5005; carried out.',
  ]);
  expect(decidedBefore(undefined, 'turned-down')).toEqual([
    '- create-task: confirm by Robin at 2026-05-08 17:30:00Z; not carried out: a fresh read did not bear it.',
  ]);
  expect(decidedBefore(undefined, 'too-late')).toEqual([
    '- create-task: confirm by Robin at 2026-05-08 17:30:00Z; not carried out: the action was over before.',
  ]);
});

describe('other fields under the same id', () => {
  const conflict = (n: number): Conflict => ({
    intentHash: `hash-${n}`,
    firstSeenAt: FRIDAY + n * 60_000,
    lead: { leadRequestId: 'inq-1', email: 'jo.lind@customer.example.com' },
  });
  const told = (...numbers: number[]) =>
    part(
      recoveryText(ledgerRecord([], { conflicts: numbers.map(conflict) }), recordOptions()),
      'Other fields under the same id',
    );
  const line = (n: number) =>
    `- At 2026-05-08 16:${30 + n}:00Z the same id came with other fields (hash-${n}).`;

  test('are told in the order in which they came', () => {
    expect(told(3, 1, 2)).toEqual([line(1), line(2), line(3)]);
  });

  test('are told one by one up to ten', () => {
    expect(told(10, 9, 8, 7, 6, 5, 4, 3, 2, 1)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(line));
  });

  test('are the newest ten where more came', () => {
    expect(told(11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)[0]).toBe('- Of 11 the newest 10 are told here.');
    expect(told(12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)).toEqual([
      '- Of 12 the newest 10 are told here.',
      ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(line),
    ]);
  });
});

test('a handoff that is closed says when, and links to all of its pages', () => {
  const sent = performed('send-introduction', 'mail-7', 3_000);
  const closed = recoveryText(
    withHandoff(ledgerRecord([sent]), { closedAt: FRIDAY + HOUR }),
    recordOptions(),
  );

  expect(part(closed, 'Links')).toEqual([
    '- Execution web.inq-1.1: https://eu-west-1.console.aws.amazon.com/states/home?region=eu-west-1#/v2/executions/details/arn:aws:states:eu-west-1:111122223333:execution:lead-handoff-prod:web.inq-1.1',
    '- Contact: https://app.hubspot.com/contacts/4711/record/0-1/1001',
    '- Message: https://resend.com/emails/mail-7',
  ]);
  expect(part(closed, 'For the engineer')[0]).toBe(
    '- Run 1, accepted at 2026-05-08 16:30:00Z, closed at 2026-05-08 17:30:00Z.',
  );
});

test('an action that nobody tried is none for the engineer', () => {
  const text = recoveryText(ledgerRecord([openAction('send-introduction')]), recordOptions());

  expect(part(text, 'For the engineer').filter((line) => line.includes('send-introduction'))).toEqual([]);
});
