import { describe, expect, test } from 'vitest';
import type { DeadLetter, DeadLetterReason } from '../../../functions/domain/dead-letter.ts';
import {
  EndedMeanwhile,
  NotUnderInvestigation,
  shownDeadLetters,
} from '../../../functions/domain/dead-letter-record.ts';
import {
  cameAndWasReceived,
  deadLetterOpened,
  otherFieldsOpened,
  reasonSentence,
} from '../../../functions/domain/intake-notice.ts';
import { testRoute } from '../../model/settings.ts';
import { HOUR } from './intake-bench.ts';

const NOON = Date.parse('2026-01-05T12:00:00Z');
const KEY = { route: 'web', leadRequestId: 'inq-1' };
const CONTEXT = { route: testRoute(), stage: 'test' } as const;

/** A dead letter about which nobody has answered: the last escalation was its last one. */
const UNANSWERED: DeadLetter = {
  messageId: 'message-2',
  reason: { code: 'unknown-route', field: 'route' },
  receivedAt: NOON - HOUR,
  receiveCount: 7,
  body: '{}',
  truncated: false,
  waiting: {
    action: 'dead-letter',
    kind: 'ask',
    token: null,
    execution: 'web.inq-1.1',
    who: 'mia@revops.example.com',
    why: 'dead-letter',
    since: NOON,
    dueAt: null,
    asked: 3,
    messageId: 'message-2',
  },
  resolution: null,
};

const DISMISSED: DeadLetter = {
  ...UNANSWERED,
  messageId: 'message-1',
  reason: { code: 'invalid-lead-request', field: 'email' },
  receiveCount: 6,
  resolution: { kind: 'dismissed', by: 'Tomas', reason: 'a test of the form', at: NOON + HOUR },
};

describe('the reason of a dead letter in words', () => {
  test.each<[DeadLetterReason['code'], string | null, string]>([
    ['not-json', null, 'it is not JSON'],
    ['not-a-lead-message', null, 'it is not {"route": …, "lead": …}'],
    ['not-a-lead-message', 'route', 'it is not {"route": …, "lead": …}, route is missing or wrong'],
    ['unknown-route', 'route', 'it names no route of this stage'],
    ['invalid-lead-request', null, 'its lead request is not valid'],
    ['invalid-lead-request', 'email', 'its lead request is not valid, email is missing or wrong'],
    ['not-accepted', null, 'its lead request is valid, and every try to accept it failed'],
  ])('%s, field %s', (code, field, sentence) => {
    expect(reasonSentence({ code, field })).toBe(sentence);
  });
});

test('other fields under a known id: what became of them, and when that is a fault of the source', () => {
  expect(otherFieldsOpened(KEY, 'f1e2d3', CONTEXT)).toEqual({
    route: 'web',
    leadRequestId: 'inq-1',
    action: 'handoff',
    why: 'other-fields',
    who: 'robin@revops.example.com',
    asked: 0,
    escalated: false,
    dueAt: null,
    text: [
      'The id inq-1 came again on route web, with other fields than the first time (other-fields).',
      '',
      'The first request stands and goes on. The other fields were refused, and are kept as f1e2d3:',
      '  npx handoff show inq-1 --route web --stage test',
      '',
      'Where an action was refused because of its first fields, an approver may put these in their place: the decision "amend" with this hash as its evidence.',
      'Where the source uses one id for two inquiries, mend the source: the second inquiry is not handed off.',
    ].join('\n'),
  });
});

describe('of a dead letter about which nobody answers', () => {
  test('the first event says until when to answer, and who is asked then', () => {
    const waiting = { ...UNANSWERED.waiting, asked: 0, dueAt: NOON + 4 * HOUR };
    const event = deadLetterOpened(KEY, { ...UNANSWERED, waiting }, CONTEXT);

    expect(event).toMatchObject({ escalated: false, dueAt: '2026-01-05T16:00:00.000Z' });
    expect(event.text.split('\n').at(-1)).toBe(
      'Please answer by 2026-01-05 16:00:00Z; then mia@revops.example.com is asked.',
    );
  });

  test('the last event says that nobody else is asked', () => {
    const event = deadLetterOpened(KEY, UNANSWERED, CONTEXT);

    expect(event).toMatchObject({ asked: 3, escalated: true, dueAt: null });
    expect(event.text.split('\n').at(-1)).toBe(
      'Nobody else is asked any more: it waits until somebody decides.',
    );
  });
});

test.each([
  [1, 'came at 2026-01-05 11:00:00Z and was received once, the dead-letter queue included'],
  [2, 'came at 2026-01-05 11:00:00Z and was received 2 times, the dead-letter queue included'],
])('of a message received %i times is said', (receiveCount, said) => {
  expect(cameAndWasReceived({ ...UNANSWERED, receiveCount })).toBe(said);
});

describe('an id that has dead letters only is shown', () => {
  const uma = { name: 'Uma', email: 'uma@revops.example.com' };
  const route = testRoute({ approvers: [...testRoute().approvers, uma] });
  const shown = (...letters: DeadLetter[]) => shownDeadLetters(KEY, letters, { ...CONTEXT, route });

  test('with how each of them stands, and what an approver can do', () => {
    expect(shown(DISMISSED, UNANSWERED).text.split('\n')).toEqual([
      'Under web/inq-1 there is no handoff, but 2 messages of the queue that could not be accepted (dead-letter).',
      '',
      'Message message-1: its lead request is not valid, email is missing or wrong (invalid-lead-request). It came at 2026-01-05 11:00:00Z and was received 6 times, the dead-letter queue included.',
      'Its investigation has ended: it was dismissed, by Tomas at 2026-01-05 13:00:00Z.',
      '',
      'Message message-2: it names no route of this stage (unknown-route). It came at 2026-01-05 11:00:00Z and was received 7 times, the dead-letter queue included.',
      'It waits for mia@revops.example.com since 2026-01-05 12:00:00Z, without a due time.',
      '',
      'What it says is personal data, and only the command line shows it:',
      '  npx handoff investigate inq-1 --route web --body --stage test',
      'An approver (Tomas (tomas@revops.example.com) or Uma (uma@revops.example.com)) hands the corrected request in with',
      '  npx handoff submit FILE --route web --approved-by "your name" --reason "your reason" --stage test',
      'or, where there is nothing to hand off, ends it with',
      '  npx handoff investigate inq-1 --route web --dismiss --approved-by "your name" --reason "your reason" --stage test',
      'or with this as the event of the function lead-handoff-test-start, "by" and "reason" filled in:',
      '  {"route":"web","dismissal":{"leadRequestId":"inq-1","by":"","reason":""}}',
    ]);
  });

  test('without anything to do once the last one has ended', () => {
    expect(shown(DISMISSED).text.split('\n')).toEqual([
      'Under web/inq-1 there is no handoff, but a message of the queue that could not be accepted (dead-letter).',
      '',
      'Message message-1: its lead request is not valid, email is missing or wrong (invalid-lead-request). It came at 2026-01-05 11:00:00Z and was received 6 times, the dead-letter queue included.',
      'Its investigation has ended: it was dismissed, by Tomas at 2026-01-05 13:00:00Z.',
      '',
      'Nothing is being investigated any more, and nobody is asked.',
    ]);
  });

  test('as data: neither what it says nor the reasons that people typed', () => {
    const waiting = { ...UNANSWERED.waiting, dueAt: NOON + 4 * HOUR };
    const due = { ...UNANSWERED, messageId: 'message-3', waiting };
    const { text: _text, ...data } = shown(DISMISSED, UNANSWERED, due);

    expect(data).toEqual({
      ...KEY,
      deadLetters: [
        {
          messageId: 'message-1',
          reason: { code: 'invalid-lead-request', field: 'email' },
          receivedAt: '2026-01-05T11:00:00.000Z',
          receiveCount: 6,
          waiting: null,
          resolution: { kind: 'dismissed', by: 'Tomas', at: '2026-01-05T13:00:00.000Z' },
        },
        {
          messageId: 'message-2',
          reason: { code: 'unknown-route', field: 'route' },
          receivedAt: '2026-01-05T11:00:00.000Z',
          receiveCount: 7,
          waiting: { who: 'mia@revops.example.com', since: '2026-01-05T12:00:00.000Z', dueAt: null },
          resolution: null,
        },
        {
          messageId: 'message-3',
          reason: { code: 'unknown-route', field: 'route' },
          receivedAt: '2026-01-05T11:00:00.000Z',
          receiveCount: 7,
          waiting: {
            who: 'mia@revops.example.com',
            since: '2026-01-05T12:00:00.000Z',
            dueAt: '2026-01-05T16:00:00.000Z',
          },
          resolution: null,
        },
      ],
    });
  });
});

describe('an approver who comes too late is told who ended it, how and when', () => {
  const ended = { kind: 'accepted', by: 'Uma', reason: 'it was Kim', at: NOON } as const;

  test('before they came', () => {
    expect(new NotUnderInvestigation(KEY, ended).message).toBe(
      'Nothing under inq-1 on route web is being investigated any more: a corrected request was accepted, by Uma at 2026-01-05 12:00:00Z.',
    );
  });

  test('while they dismissed it', () => {
    expect(new EndedMeanwhile('inq-1', ended, null).message).toBe(
      'The investigation under inq-1 was ended by somebody else meanwhile: a corrected request was accepted, by Uma at 2026-01-05 12:00:00Z.',
    );
  });

  test('while their own request was accepted, and that it was', () => {
    expect(new EndedMeanwhile('inq-1', { ...ended, kind: 'dismissed' }, 'web.inq-1.1').message).toBe(
      'The investigation under inq-1 was ended by somebody else meanwhile: it was dismissed, by Uma at 2026-01-05 12:00:00Z. Your request was accepted all the same, as web.inq-1.1: talk to each other.',
    );
  });
});
