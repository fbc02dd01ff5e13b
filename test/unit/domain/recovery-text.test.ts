import { describe, expect, test } from 'vitest';
import { type ActionState, openAction } from '../../../functions/domain/action-state.ts';
import type { LedgerRecord } from '../../../functions/domain/handoff.ts';
import { recoveryText } from '../../../functions/domain/recovery-text.ts';
import {
  asked,
  FRIDAY,
  ledgerRecord,
  PERSONAL,
  performed,
  recordOptions,
  uncertain,
} from './recovery-ledger.ts';
import { decisionOf } from './states.ts';

const HOUR = 3_600_000;
const UNREADABLE = uncertain('send-introduction', 'unclear:unreadable', 'unreadable');
const INTRODUCTION = ledgerRecord([UNREADABLE], { waiting: [asked('send-introduction', 'unreadable')] });

/** The lines of one part of the text. */
function part(text: string, title: string): string[] {
  const lines = text.split('\n');
  const from = lines.indexOf(title);
  if (from === -1) return [];
  const TITLES = ['What ', 'Decided before', 'Other fields', 'Links', 'For the engineer'];
  const to = lines.findIndex((line, i) => i > from && TITLES.some((other) => line.startsWith(other)));
  return lines.slice(from + 1, to === -1 ? undefined : to).filter((line) => line !== '');
}

function textOf(record: LedgerRecord, options = recordOptions()): string {
  return recoveryText(record, options);
}

test('an introduction of which nobody knows whether it went out, as the recovery owner reads it', () => {
  expect(textOf(INTRODUCTION)).toBe(`web/inq-1 waits for a person to decide send-introduction.

This is lead request inq-1 of route web, which its source calls "form 9".
send-introduction waits for robin@revops.example.com since 2026-05-08 18:30:00Z: the destination could not be read (unreadable). Please answer by 2026-05-08 22:30:00Z; then mia@revops.example.com is asked.

What is known
- upsert-contact: done, 1 attempt. HubSpot confirmed it as record 1001 at 2026-05-08 16:30:01Z.
- assign-owner: done, 1 attempt. HubSpot confirmed it as record 1001 at 2026-05-08 16:30:02Z.
- create-task: done, 1 attempt. HubSpot confirmed it as record 5005 at 2026-05-08 16:30:03Z.
- send-introduction: attempt 1 ended without saying what it did: no answer came in time (timeout). Last look at Resend, 2026-05-08 18:30:00Z: the destination could not be read (unclear:unreadable). Next: a person has to decide (ask).
- Owner: 71 at 2026-05-08 16:30:02Z, as this handoff set it. Before this handoff it was last changed at 2026-05-07 16:30:00Z.

What is not known
- send-introduction: Whether the introduction was sent: Resend could not be read, or did not show it clearly.

What must change first
- send-introduction: Resend and HubSpot must be readable again; "npx handoff doctor web --stage prod" says what is wrong.

What you can do
Choose one. Start an execution of the state machine lead-handoff-prod-recovery-web (https://eu-west-1.console.aws.amazon.com/states/home?region=eu-west-1#/statemachines/view/arn:aws:states:eu-west-1:111122223333:stateMachine:lead-handoff-prod-recovery-web) with the line of your choice in braces as its input, or run the command under it.
Fill in "by" (your name) and "reason" (one line, nothing about the lead's person); an empty one is refused.

send-introduction
  resume: Sends the same request again under the same key. Resend recognises a repeat until 2026-05-09 15:28:51Z, and does nothing twice.
    {"leadRequestId":"inq-1","action":"send-introduction","decision":"resume","by":"","reason":"","finding":"unclear:unreadable"}
    npx handoff decide inq-1 send-introduction resume --route web --by "" --reason "" --finding unclear:unreadable --stage prod
  confirm: Takes your word that the introduction was sent; it is not tried again. Where the record is at Resend, add its id as "evidence": it is looked up, and must be this lead's.
    {"leadRequestId":"inq-1","action":"send-introduction","decision":"confirm","by":"","reason":"","finding":"unclear:unreadable"}
    npx handoff decide inq-1 send-introduction confirm --route web --by "" --reason "" --finding unclear:unreadable --stage prod
  take-over: Keeps everything else away from it while you write to the lead. Come back afterwards and choose confirm, or release. Whether the introduction was sent is not known: with "riskAccepted" you accept that it may happen twice.
    {"leadRequestId":"inq-1","action":"send-introduction","decision":"take-over","by":"","reason":"","finding":"unclear:unreadable","riskAccepted":true}
    npx handoff decide inq-1 send-introduction take-over --route web --by "" --reason "" --finding unclear:unreadable --accept-risk --stage prod
  send-as-current-owner: Reads Resend again. Only if that proves that the introduction was not sent, a new introduction is written in the name of the owner that the CRM shows then, and sent; otherwise you are asked again.
    {"leadRequestId":"inq-1","action":"send-introduction","decision":"send-as-current-owner","by":"","reason":"","finding":"unclear:unreadable"}
    npx handoff decide inq-1 send-introduction send-as-current-owner --route web --by "" --reason "" --finding unclear:unreadable --stage prod
  amend: Reads Resend again. Only if that proves that the introduction was not sent, the request is written anew from the lead's fields and the route's settings as they are deployed now, and the introduction is sent once more; otherwise you are asked again. Only an approver may, with the name or the address in "by": Tomas (tomas@revops.example.com).
    {"leadRequestId":"inq-1","action":"send-introduction","decision":"amend","by":"","reason":"","finding":"unclear:unreadable"}
    npx handoff decide inq-1 send-introduction amend --route web --by "" --reason "" --finding unclear:unreadable --stage prod
  stop: No introduction is sent any more. The task goes on. Should it turn out that the introduction was sent, the record will say so.
    {"leadRequestId":"inq-1","action":"send-introduction","decision":"stop","by":"","reason":"","finding":"unclear:unreadable"}
    npx handoff decide inq-1 send-introduction stop --route web --by "" --reason "" --finding unclear:unreadable --stage prod

Links
- Execution web.inq-1.1: https://eu-west-1.console.aws.amazon.com/states/home?region=eu-west-1#/v2/executions/details/arn:aws:states:eu-west-1:111122223333:execution:lead-handoff-prod:web.inq-1.1
- Contact: https://app.hubspot.com/contacts/4711/record/0-1/1001

For the engineer
- Run 1, accepted at 2026-05-08 16:30:00Z.
- upsert-contact: attempt 1 at 2026-05-08 16:30:01Z, request request-upsert-contact, trace trace-upsert-contact.
- assign-owner: attempt 1 at 2026-05-08 16:30:02Z, request request-assign-owner, trace trace-assign-owner.
- create-task: attempt 1 at 2026-05-08 16:30:02Z, request request-create-task, trace trace-create-task.
- send-introduction: attempt 1 at 2026-05-08 16:30:03Z, request request-send-introduction, trace trace-send-introduction.
- Recovery owner Robin, escalation owner Mia, approvers Tomas (tomas@revops.example.com).`);
});

test('it holds neither the task token nor anything of the lead', () => {
  const text = textOf(INTRODUCTION);

  expect(text).not.toContain('the-task-token');
  for (const value of Object.values(PERSONAL)) expect(text).not.toContain(value);
});

describe('who is asked, and until when', () => {
  const sentence = (more: Parameters<typeof asked>[2], now = FRIDAY + 3 * HOUR) => {
    const record = { ...INTRODUCTION, waiting: [asked('send-introduction', 'unreadable', more)] };
    return textOf(record, recordOptions({ now })).split('\n')[3]?.split('(unreadable). ')[1];
  };

  test('after an escalation', () => {
    expect(sentence({ asked: 1, who: 'mia@revops.example.com' })).toBe(
      'Please answer by 2026-05-08 22:30:00Z; then mia@revops.example.com is asked.',
    );
  });

  test('after the last one', () => {
    expect(sentence({ asked: 3, dueAt: null })).toBe(
      'Nobody else is asked any more: it waits until somebody decides.',
    );
  });

  test('too late', () => {
    expect(sentence({}, FRIDAY + 7 * HOUR)).toBe('An answer was due by 2026-05-08 22:30:00Z.');
  });
});

describe('what is not known', () => {
  const unknown = (action: Parameters<typeof uncertain>[0], finding: string, more = {}) =>
    part(textOf(ledgerRecord([uncertain(action, finding, 'some-reason', more)])), 'What is not known');
  const read = (finding: string, absenceProven: boolean) => ({
    lastRead: {
      id: 'read-1',
      at: FRIDAY + HOUR,
      finding,
      disposition: 'ask',
      reason: 'some-reason',
      absenceProven,
      heard: null,
    },
  });

  test.each([
    [
      'upsert-contact',
      'unclear:too-early',
      {},
      'Whether the contact was written: when HubSpot was read, the request could still take effect.',
    ],
    [
      'send-introduction',
      'unclear:too-early',
      { phase: 'refused' },
      'Whether the introduction was sent: Resend refused the last attempt, but before 2026-05-08 16:31:28Z that proves nothing, because what was sent could still take effect.',
    ],
    [
      'assign-owner',
      'superseded:owner-changed',
      {},
      'Whether the owner that somebody else set is meant to stay.',
    ],
    [
      'assign-owner',
      'superseded:possible-overwrite',
      {},
      'Whether the owner that was written over was meant to stay.',
    ],
    [
      'create-task',
      'absent',
      {},
      'Whether there is a task that the search of HubSpot does not show: it leaves archived ones out.',
    ],
    [
      'send-introduction',
      'superseded:sender-no-longer-owner',
      {},
      'Whether the introduction was sent in the name of the former owner.',
    ],
    [
      'send-introduction',
      'superseded:contact-archived',
      {},
      'Whether the contact is meant to come back, and whether the introduction was sent before it went.',
    ],
    [
      'send-introduction',
      'superseded:contact-deleted',
      read('superseded:contact-deleted', true),
      'Whether the contact is meant to come back.',
    ],
    [
      'send-introduction',
      'absent',
      { phase: 'taken-over' },
      'Whether the person who took it over has done it.',
    ],
    [
      'create-task',
      'unclear:unreadable',
      { lastRead: null, phase: 'taken-over' },
      'Whether the person who took it over has done it.',
    ],
  ] as const)('%s, %s', (action, finding, more, sentence) => {
    expect(unknown(action, finding, more)).toEqual([`- ${action}: ${sentence}`]);
  });

  test.each([
    ['upsert-contact', 'absent', {}],
    ['send-introduction', 'absent', {}],
    [
      'send-introduction',
      'superseded:sender-no-longer-owner',
      read('superseded:sender-no-longer-owner', true),
    ],
  ] as const)('nothing, where the destination proves it: %s, %s', (action, finding, more) => {
    expect(unknown(action, finding, more)).toEqual([]);
  });

  test('which is true, where a success was reported late', () => {
    const lateEvidence = performed('send-introduction', 'mail-7', 5_000).evidence;
    const late = uncertain('send-introduction', 'absent', 'late-evidence', { lateEvidence });
    const text = textOf(ledgerRecord([late]));

    expect(part(text, 'What is not known')).toEqual([
      '- send-introduction: Which is true: an attempt reported success late, and Resend does not show it.',
    ]);
    expect(text).toContain('Reported late: Resend confirmed it as record mail-7 at 2026-05-08 16:30:05Z.');
    expect(text).toContain('"decision":"confirm","by":"","reason":"","evidence":"mail-7"');
    expect(text).toContain('- Message: https://resend.com/emails/mail-7');
  });
});

describe('what must change first', () => {
  const refused = (action: Parameters<typeof uncertain>[0], reason: string) =>
    part(
      textOf(ledgerRecord([uncertain(action, 'absent', reason, { phase: 'refused', reason })])),
      'What must change first',
    );

  test.each([
    ['upsert-contact', 'credentials', 'Put a valid token into the secret prod/web/hubspot/write.'],
    ['send-introduction', 'sender-not-verified', "Verify the sender's domain at Resend."],
    [
      'send-introduction',
      'invalid-from-address',
      'Correct the From address of the introduction in the route file, and deploy. Then choose amend: resume would send the same message again.',
    ],
    [
      'upsert-contact',
      'invalid-phone',
      'HubSpot does not accept what was sent. Where a field of the lead is wrong, hand the lead in again under the same id with that field corrected; amend can then be chosen here.',
    ],
    [
      'send-introduction',
      'validation-error',
      'Resend does not accept what was sent. Where a field of the lead is wrong, hand the lead in again under the same id with that field corrected; amend can then be chosen here. The email address is the one field that cannot be corrected any more, because the contact was made under it: where it is wrong, stop what is left, and hand the lead in as a new lead request, under an id of its own.',
    ],
    ['create-task', 'contact-archived', 'Restore the contact in HubSpot, or stop the action.'],
    ['create-task', 'status-451', 'HubSpot refused it; what it asks for must be mended before it can go on.'],
  ] as const)('%s refused: %s', (action, reason, sentence) => {
    expect(refused(action, reason)).toEqual([`- ${action}: ${sentence}`]);
  });

  test('what the last attempt met, where all of them are used up', () => {
    const state = uncertain('create-task', 'absent', 'attempts-exhausted', {
      phase: 'not-applied',
      reason: 'connect-refused',
    });

    expect(part(textOf(ledgerRecord([state])), 'What must change first')).toEqual([
      '- create-task: HubSpot must be reachable again.',
    ]);
  });

  test('nothing, where only a decision is missing', () => {
    const state = uncertain('assign-owner', 'superseded:owner-changed', 'owner-changed');

    expect(part(textOf(ledgerRecord([state])), 'What must change first')).toEqual([]);
  });
});

test('an owner that somebody changed: who it is now is not guessed, and what is refused is said', () => {
  const changed = uncertain('assign-owner', 'superseded:owner-changed', 'owner-changed');
  const text = textOf(ledgerRecord([changed, openAction('create-task'), openAction('send-introduction')]));

  expect(text).toContain('- Owner: not read yet; the route chose 71. Before this handoff it was nobody.');
  expect(text).toContain('- create-task: not tried yet.');
  expect(
    part(text, 'What you can do')
      .filter((line) => !line.includes('{') && !line.includes('npx handoff'))
      .slice(2),
  ).toEqual([
    'assign-owner',
    '  confirm: Takes your word that the owner was set; it is not tried again. Add the owner\'s id as "evidence", and it is compared with the contact\'s.',
    '  keep-owner: Leaves the owner that the CRM shows now, and counts the assignment as done. The task and the introduction go on under that owner.',
    '  stop: No owner is set any more. The task goes on; the introduction asks separately, because it needs an owner. Should it turn out that the owner was set, the record will say so.',
    '  Not resume: a person changed what it was about, and that stands.',
    '  Not take-over: the destination shows something else than this needs.',
    '  Not amend: a person changed what it was about, and that stands.',
  ]);
});

describe('an owner that was written over', () => {
  const over = (facts: Record<string, string | null>) => {
    const evidence = {
      kind: 'record',
      destination: 'hubspot',
      recordId: '1001',
      readAt: FRIDAY + HOUR,
      facts,
    };
    const state = uncertain('assign-owner', 'superseded:possible-overwrite', 'possible-overwrite', {
      warnings: ['possible-overwrite'],
      evidence: evidence as ActionState['evidence'],
    });
    return part(textOf(ledgerRecord([state])), 'What is known').at(-1);
  };

  test.each([
    [
      { ownerId: '71', overwrittenOwnerId: '82' },
      'owner 82, whom somebody else had set, may have been written over with 71',
    ],
    [
      { ownerId: '71', overwrittenOwnerId: null },
      'the owner that somebody else had cleared may have been written over with 71',
    ],
    [{ ownerId: '71' }, "somebody else's owner may have been written over"],
  ])('is named where a read has shown it: %j', (facts, who) => {
    expect(over(facts)).toBe(
      `- assign-owner: ${who}; look at the owner's history in the CRM (possible-overwrite).`,
    );
  });
});

test('an owner that was written over can be given back, and nothing is said to stand that does not', () => {
  const evidence = {
    kind: 'record',
    destination: 'hubspot',
    recordId: '1001',
    readAt: FRIDAY + HOUR,
    facts: { ownerId: '71', overwrittenOwnerId: '82' },
  } as const;
  const state = uncertain('assign-owner', 'superseded:possible-overwrite', 'possible-overwrite', {
    evidence,
  });
  const text = textOf(ledgerRecord([state]));

  expect(text).toContain(
    '  keep-owner: To give the contact back, set owner 82 in the CRM first, and choose this afterwards: it is read again. Leaves the owner that the CRM shows now,',
  );
  expect(text).toContain(
    '  Not resume: the owner that this handoff set is there already, in the place of a person’s.',
  );
  expect(text).not.toContain('and that stands');
});

describe('what only a person has said', () => {
  const confirm = (action: 'upsert-contact' | 'send-introduction', recordId: string | null) => {
    const destination = action === 'send-introduction' ? 'resend' : 'hubspot';
    const decision = decisionOf('confirm', { by: 'Robin', at: FRIDAY + HOUR });
    return textOf(
      ledgerRecord([
        {
          ...performed(action, '', 1_000),
          evidence: { kind: 'attested', destination, recordId, readAt: FRIDAY + HOUR, facts: {} },
          lastDecision: { decision, result: 'used' },
        },
      ]),
    );
  };

  test('is told by the name of that person, and has no link to a page that nobody has seen', () => {
    const text = confirm('send-introduction', 'mail-7');

    expect(text).toContain(
      '- send-introduction: done, 1 attempt. By the word of Robin at 2026-05-08 17:30:00Z; Resend has not shown record mail-7.',
    );
    expect(text).not.toContain('Message:');
    expect(confirm('upsert-contact', '1001')).not.toContain('Contact:');
  });

  test('also where no record was named', () => {
    expect(confirm('send-introduction', null)).toContain(
      'By the word of Robin at 2026-05-08 17:30:00Z; Resend has not shown it.',
    );
  });
});

test('an introduction whose sender changed names the time from which on the owner is not certain', () => {
  const state = uncertain('send-introduction', 'superseded:sender-no-longer-owner', 'sender-no-longer-owner');

  expect(textOf(ledgerRecord([state]))).toContain(
    "- Owner: 71 at 2026-05-08 16:30:02Z, as this handoff set it. At 2026-05-08 18:30:00Z somebody else had changed it: the contact's page shows to whom.",
  );
});

test.each([
  [true, 'It also shows that the introduction was not sent.'],
  [false, null],
])(
  'whose sender changed, absence proven %s: what the same look proves stands beside it',
  (absenceProven, sentence) => {
    const state = uncertain(
      'send-introduction',
      'superseded:sender-no-longer-owner',
      'sender-no-longer-owner',
    );
    const lastRead = state.lastRead && { ...state.lastRead, absenceProven };
    const text = textOf(ledgerRecord([{ ...state, lastRead }]));

    expect(text.includes('It also shows that the introduction was not sent.')).toBe(sentence !== null);
  },
);

test('a handoff that was joined to another one names that one, and lists no work', () => {
  const record = ledgerRecord([
    openAction('upsert-contact'),
    openAction('assign-owner'),
    openAction('create-task'),
    openAction('send-introduction'),
  ]);
  const joined = { ...record.handoff, joinedTo: 'inq-0', closedAt: FRIDAY + 1_000 };
  const text = textOf({ ...record, handoff: joined, operations: [] });

  expect(text.split('\n').slice(0, 8)).toEqual([
    'web/inq-1 is closed: lead request inq-0 of the same person stands for it, and nothing was done for this one.',
    '',
    'This is lead request inq-1 of route web, which its source calls "form 9".',
    'What became of that one: npx handoff show inq-0 --route web --stage prod',
    '',
    'What you can do',
    'Nothing: nothing will be done for this one.',
    '',
  ]);
  expect(text).not.toContain('not tried yet');
});

describe('a handoff whose execution is gone', () => {
  const gone = (why: string) =>
    textOf(
      ledgerRecord([openAction('send-introduction')], { waiting: [asked('handoff', why, { token: null })] }),
    );

  test('of a person who has sent another request goes on for the first time, or is closed with nothing done', () => {
    expect(part(gone('same-person'), 'What you can do').slice(-7)).toEqual([
      'handoff',
      '  resubmit: Lets it go on. Nothing was done for it yet.',
      '    {"leadRequestId":"inq-1","decision":"resubmit","by":"","reason":""}',
      '    npx handoff resubmit inq-1 --route web --by "" --reason "" --stage prod',
      '  stop: Nothing is done for it, and it is closed.',
      '    {"leadRequestId":"inq-1","action":"upsert-contact","decision":"stop","by":"","reason":""}',
      '    npx handoff decide inq-1 upsert-contact stop --route web --by "" --reason "" --stage prod',
    ]);
  });

  test('is started again, or redriven where Step Functions can', () => {
    const text = gone('execution-failed');

    expect(text.split('\n')[0]).toBe('web/inq-1 has come to a stop and waits for a person.');
    expect(text).toContain(
      'The handoff as a whole waits for robin@revops.example.com since 2026-05-08 18:30:00Z: its execution failed (execution-failed).',
    );
    expect(part(text, 'What is not known')).toEqual([
      '- Why the execution web.inq-1.1 ended: its page in the console shows the state in which it did.',
    ]);
    expect(part(text, 'What you can do').slice(2)).toEqual([
      'handoff',
      '  resubmit: Starts run 2 and ends run 1. What is done is not done again; for everything else the destination is read first.',
      '    {"leadRequestId":"inq-1","decision":"resubmit","by":"","reason":""}',
      '    npx handoff resubmit inq-1 --route web --by "" --reason "" --stage prod',
      '  Or open the execution in the console and choose Redrive: it goes on in the state in which it ended, by the same rules.',
    ]);
  });

  test('what an action may have done is not known either', () => {
    const state = uncertain('send-introduction', 'unclear:too-early', 'too-early', { lastRead: null });
    const text = textOf(ledgerRecord([state], { waiting: [asked('handoff', 'execution-aborted')] }));

    expect(part(text, 'What is not known')[0]).toBe(
      '- send-introduction: Whether the introduction was sent: Resend was not read since.',
    );
    expect(text).toContain('npx handoff resubmit inq-1 --route web');
    expect(text).not.toContain('npx handoff decide');
  });

  test.each(['execution-missing', 'execution-succeeded-open'])('%s: only started again', (why) => {
    const text = gone(why);

    expect(text).toContain('"decision":"resubmit"');
    expect(text).not.toContain('Redrive');
    expect(part(text, 'What is not known')).toEqual([]);
  });

  test('what an earlier run left behind starts nothing', () => {
    const waiting = [asked('handoff', 'execution-failed', { execution: 'web.inq-1.0' })];

    expect(textOf(ledgerRecord([openAction('send-introduction')], { waiting }))).not.toContain('"resubmit"');
  });
});

test('what is parked goes on by itself, and may be decided all the same', () => {
  const parked = uncertain('send-introduction', 'absent', 'route-paused');
  const state = { ...parked, lastRead: { ...parked.lastRead, disposition: 'park' } } as typeof parked;
  const waiting = [asked('send-introduction', 'route-paused', { kind: 'park', who: 'resend' })];

  const text = textOf(ledgerRecord([state], { waiting }));

  expect(text.split('\n').slice(0, 4)).toEqual([
    'web/inq-1 is parked, and goes on by itself.',
    '',
    'This is lead request inq-1 of route web, which its source calls "form 9".',
    'send-introduction is parked since 2026-05-08 18:30:00Z: the route is paused (route-paused), and is looked at again at 2026-05-08 22:30:00Z.',
  ]);
  expect(text).toContain('send-introduction (goes on by itself; you need not choose)');
  expect(text).toContain('the introduction is sent once more. It waits until the route is open again.');
});

test('nobody is asked: there is nothing to decide, and nothing to paste', () => {
  const running = ledgerRecord([openAction('send-introduction')]);
  const closed = { ...running, handoff: { ...running.handoff, closedAt: FRIDAY + HOUR } };

  for (const [record, first] of [
    [running, 'web/inq-1 is in progress; nobody is asked.'],
    [closed, 'web/inq-1 is closed.'],
  ] as const) {
    const text = textOf(record);
    expect(text.split('\n')[0]).toBe(first);
    expect(part(text, 'What you can do')).toEqual(['Nothing: no decision is asked for now.']);
    expect(text).not.toContain('{');
  }
});

describe('decisions and corrected fields', () => {
  const decision = {
    id: 'decision-1',
    kind: 'resume',
    by: 'Robin',
    reason: 'she said her name is Jo',
    at: FRIDAY + 3 * HOUR,
    findingSeen: 'unclear:unreadable',
  } as const;

  test('a decision on its way leaves only a stop, and shows who decided, but not in which words', () => {
    const state = { ...UNREADABLE, decision, lastDecision: { decision, result: 'pending' } as const };

    const text = textOf(ledgerRecord([state], { waiting: INTRODUCTION.waiting }));

    expect(text).toContain('send-introduction (Robin has decided resume, and it is being carried out)');
    expect(text.match(/"decision":"[a-z-]+"/g)).toEqual(['"decision":"stop"']);
    expect(text).not.toContain('she said');
    expect(part(text, 'Decided before')).toEqual([
      '- send-introduction: resume by Robin at 2026-05-08 19:30:00Z; not carried out yet.',
    ]);
  });

  test('who asked for a run is told, and not in which words', () => {
    const base = ledgerRecord([UNREADABLE], { waiting: INTRODUCTION.waiting });
    const resubmissions = [
      { run: 2, execution: 'person-1', by: 'Uma', reason: 'the CRM was down', at: FRIDAY + HOUR },
    ];

    const text = textOf({ ...base, handoff: { ...base.handoff, resubmissions } });

    expect(part(text, 'Decided before')).toEqual(['- Run 2 was asked for by Uma at 2026-05-08 17:30:00Z.']);
    expect(text).not.toContain('the CRM was down');
  });

  test('the fields that an approver replaced were never other fields, and can be chosen again', () => {
    const base = ledgerRecord([UNREADABLE], { waiting: INTRODUCTION.waiting });
    const { intentHash, lead } = base.handoff;
    const amendments = [{ intentHash: 'f'.repeat(64), decisionId: 'd', by: 'Tomas', at: FRIDAY + HOUR }];
    const conflicts = [{ intentHash, lead, firstSeenAt: FRIDAY }];

    const text = textOf({ ...base, conflicts, handoff: { ...base.handoff, amendments } });

    expect(text).not.toContain(`the same id came with other fields (${intentHash})`);
    expect(text).toContain(`"evidence":"${intentHash}"`);
  });

  test('corrected fields can be chosen by their hash, and are told by hash and time alone', () => {
    const lead = { leadRequestId: 'inq-1', email: 'jo.lind@customer.example.com', firstName: 'Other' };
    const conflict = (letter: string, after: number) => ({
      intentHash: letter.repeat(64),
      firstSeenAt: FRIDAY + after,
      lead,
    });
    const base = ledgerRecord([UNREADABLE], {
      waiting: INTRODUCTION.waiting,
      conflicts: ['b', 'c', 'd', 'e', 'f'].map((letter, i) => conflict(letter, i * HOUR)),
    });
    const amendments = [{ intentHash: 'f'.repeat(64), decisionId: 'd', by: 'Tomas', at: FRIDAY + 5 * HOUR }];

    const text = textOf({ ...base, handoff: { ...base.handoff, amendments } });

    // The newest three that do not hold already.
    expect(text.match(/"evidence":"[b-f]/g)).toEqual(['"evidence":"e', '"evidence":"d', '"evidence":"c']);
    expect(text).toContain(
      "the corrected fields eeeeeeeeeeee take the place of the lead's (for this and every later action), and the introduction is sent once more",
    );
    expect(part(text, 'Other fields under the same id')).toEqual([
      ...['b', 'c', 'd', 'e', 'f'].map(
        (letter, i) =>
          `- At 2026-05-08 ${16 + i}:30:00Z the same id came with other fields (${letter.repeat(64)}).`,
      ),
      `- At 2026-05-08 21:30:00Z Tomas put the fields ${'f'.repeat(64)} in the place of the first ones.`,
    ]);
    expect(text).not.toContain('Other"');
    expect(text).not.toContain('jo.lind@');
  });

  test('at the approval point only an approver may resume', () => {
    const options = recordOptions({ route: { approvalPoint: 'send-introduction' } });

    expect(textOf(INTRODUCTION, options)).toContain(
      'and does nothing twice. Only an approver may, with the name or the address in "by": Tomas (tomas@revops.example.com).',
    );
  });
});

test.each([
  [
    'local',
    'Stage local runs on one machine: AWS, HubSpot and Resend do not know of it.',
    '--endpoint http://127.0.0.1:4566',
  ],
  ['test', 'Stage test uses a sandbox: HubSpot and Resend do not know of it.', '--stage test'],
] as const)('stage %s says where its links lead nowhere', (stage, sentence, flag) => {
  const text = textOf(INTRODUCTION, recordOptions({ stage }));

  expect(part(text, 'Links').at(-1)).toBe(`- ${sentence}`);
  expect(text).toContain(`--finding unclear:unreadable ${flag}\n`);
});

test('without the state machine there are no console links, and its name is told by its end', () => {
  const text = textOf(INTRODUCTION, recordOptions({ links: null }));

  expect(text).not.toContain('console');
  expect(text).toContain('Start an execution of the state machine whose name ends in "recovery-web" with');
});
