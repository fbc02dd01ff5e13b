import { expect, test } from 'vitest';
import { ACTIONS } from '../../../functions/domain/action.ts';
import { openAction } from '../../../functions/domain/action-state.ts';
import { recoverySummary } from '../../../functions/domain/recovery-summary.ts';
import {
  asked,
  FRIDAY,
  ledgerRecord,
  PERSONAL,
  performed,
  recordOptions,
  uncertain,
} from './recovery-ledger.ts';

test('the summary of an introduction that nobody can read back', () => {
  const state = uncertain('send-introduction', 'unclear:unreadable', 'unreadable');

  const summary = recoverySummary(ledgerRecord([state]), { ...recordOptions(), action: 'send-introduction' });

  expect(summary).toMatchObject({
    lead: 'web/inq-1',
    action: 'send-introduction',
    attempt: 1,
    finding: 'unclear:unreadable',
    readAt: '2026-05-08T18:30:00.000Z',
    reason: 'unreadable',
    inWords: 'the destination could not be read',
    outcomeReason: 'timeout',
    evidence: null,
    ownerId: '71',
    lastAttempt: {
      by: 'worker',
      startedAt: '2026-05-08T16:30:03.000Z',
      requestId: 'request-send-introduction',
      traceId: 'trace-send-introduction',
    },
    notKnown: 'Whether the introduction was sent: Resend could not be read, or did not show it clearly.',
    mustChange:
      'Resend and HubSpot must be readable again; "npx handoff doctor web --stage prod" says what is wrong.',
    links: {
      execution:
        'https://eu-west-1.console.aws.amazon.com/states/home?region=eu-west-1#/v2/executions/details/arn:aws:states:eu-west-1:111122223333:execution:lead-handoff-prod:web.inq-1.1',
      contact: 'https://app.hubspot.com/contacts/4711/record/0-1/1001',
      message: null,
    },
  });
  expect(summary.choices.map(({ input }) => input.decision)).toEqual([
    'resume',
    'confirm',
    'take-over',
    'send-as-current-owner',
    'amend',
    'stop',
  ]);
});

test('the summary of a task that was confirmed late, whose reason has no words', () => {
  const base = uncertain('create-task', 'absent', 'a-code-of-tomorrow');
  const state = { ...base, evidence: performed('create-task', '5005', 2_500).evidence };
  const summary = recoverySummary(ledgerRecord([state]), { ...recordOptions(), action: 'create-task' });

  expect(summary).toMatchObject({
    action: 'create-task',
    reason: 'a-code-of-tomorrow',
    inWords: null,
    mustChange: null,
  });
  // Without the facts, which may be long.
  expect(summary.evidence).toEqual({
    kind: 'receipt',
    destination: 'hubspot',
    recordId: '5005',
    readAt: '2026-05-08T16:30:03.000Z',
  });
  expect(summary.choices[0]).toEqual({
    does: 'Reads HubSpot again and, if it is still not there, the task is created once more. A task that its search does not show would then be there twice.',
    input: {
      leadRequestId: 'inq-1',
      action: 'create-task',
      decision: 'resume',
      by: '',
      reason: '',
      finding: 'absent',
    },
  });
});

test('the summary of an action that nobody has touched', () => {
  const record = ledgerRecord([openAction('send-introduction')], {
    waiting: [asked('send-introduction', 'owner-stopped')],
  });

  expect(recoverySummary(record, { ...recordOptions(), action: 'send-introduction' })).toMatchObject({
    action: 'send-introduction',
    attempt: 0,
    reason: null,
    inWords: null,
    evidence: null,
    lastAttempt: null,
    notKnown: null,
    mustChange: null,
  });
});

test('the longest one stays under six kilobytes, and holds nothing of the lead and nothing that people typed', () => {
  const decision = {
    id: 'decision-1',
    kind: 'take-over',
    by: 'Robin-Typed',
    reason: 'reason-typed',
    at: FRIDAY,
    findingSeen: 'unclear:unreadable',
  } as const;
  const long = 'x'.repeat(64);
  const sizes = ACTIONS.map((action) => {
    const base = uncertain(action, 'unclear:unreadable', 'unreadable', {
      lastDecision: { decision, result: 'turned-down' },
      lateEvidence: performed(action, long, 9_000).evidence,
      evidence: performed(action, long, 9_000).evidence,
    });
    const claim = { ...base.claim, by: { kind: 'person', name: 'Robin-Typed' } } as typeof base.claim;
    const record = ledgerRecord([{ ...base, claim }], {
      waiting: [asked(action, 'unreadable')],
      conflicts: ['b', 'c', 'd', 'e'].map((letter) => ({
        intentHash: letter.repeat(64),
        firstSeenAt: FRIDAY,
        lead: { leadRequestId: long, email: 'other@customer.example.com' },
      })),
    });
    const handoff = { ...record.handoff, leadRequestId: long, execution: `twelve-chars.${long}.99` };

    const text = JSON.stringify(recoverySummary({ ...record, handoff }, { ...recordOptions(), action }));

    expect(text).not.toContain('yped');
    expect(text).not.toContain('other@');
    expect(text).not.toContain('form 9');
    for (const value of Object.values(PERSONAL)) expect(text).not.toContain(value);
    return text.length;
  });

  expect(Math.max(...sizes)).toBeLessThan(6_144);
});
