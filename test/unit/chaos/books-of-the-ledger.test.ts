import { describe, expect, it } from 'vitest';
import { balance } from '../../../local/chaos-books.ts';
import { isSettled } from '../../../local/chaos-books-ledger.ts';
import { asks, at, booksOf, OPEN_HANDOFF, RECORD, withAction } from './balanced-books.ts';

const entry = (time: string, event: string, attempt: number) => ({
  at: Date.parse(at(time)),
  event,
  attempt,
  detail: null,
});

const kindsOf = (books: Parameters<typeof balance>[0]) => balance(books).map(({ kind }) => kind);

it('one lead with one of each balances', () => {
  expect(balance(booksOf())).toEqual([]);
});

describe('the ledger’s own word does not balance', () => {
  it('when a lead was never accepted', () => {
    expect(
      kindsOf(booksOf({ booked: { accepted: false, record: null }, inspection: { tasks: [], emails: [] } })),
    ).toEqual(['lost']);
  });

  it('when the ledger does not know an accepted lead', () => {
    expect(balance(booksOf({ booked: { record: null }, inspection: { tasks: [], emails: [] } }))).toEqual([
      { leadRequestId: 'l1', kind: 'lost', detail: 'it was accepted, and the ledger does not know it' },
    ]);
  });

  it('when nothing goes on and nobody is asked', () => {
    const record = withAction('send-introduction', { phase: 'unknown', evidence: null });
    expect(kindsOf(booksOf({ record: { ...record, handoff: OPEN_HANDOFF } }))).toEqual(['unsettled']);
  });

  it('when one branch waits and the other hangs', () => {
    const record = withAction('send-introduction', { phase: 'unknown', evidence: null });
    const waiting = [asks('create-task', 'refused')];
    expect(kindsOf(booksOf({ record: { ...record, handoff: OPEN_HANDOFF, waiting } }))).toEqual([
      'unsettled',
    ]);
  });

  it.each([
    ['a name', { who: ' ' }],
    ['a reason', { why: '' }],
    ['a time', { since: 0 }],
    ['a due time', { dueAt: null }],
  ])('when somebody is asked without %s', (missing, change) => {
    const record = withAction('send-introduction', { phase: 'unknown', evidence: null });
    const waiting = [asks('send-introduction', 'unreadable', change)];
    expect(balance(booksOf({ record: { ...record, handoff: OPEN_HANDOFF, waiting } }))).toEqual([
      {
        leadRequestId: 'l1',
        kind: 'wait-without-name',
        detail: `send-introduction waits without ${missing}`,
      },
    ]);
  });

  it('but does after the last escalation, which has no due time', () => {
    const record = withAction('send-introduction', { phase: 'unknown', evidence: null });
    const waiting = [asks('send-introduction', 'unreadable', { dueAt: null, asked: 3 })];
    expect(balance(booksOf({ record: { ...record, handoff: OPEN_HANDOFF, waiting } }))).toEqual([]);
  });

  it('when a handoff is closed over an action that is not final', () => {
    const record = withAction('assign-owner', { phase: 'unknown' });
    expect(kindsOf(booksOf({ record }))).toEqual(['closed-without-evidence']);
  });

  it('when a handoff is closed over an action without evidence', () => {
    const record = withAction('assign-owner', { evidence: null });
    expect(kindsOf(booksOf({ record }))).toEqual(['closed-without-evidence']);
  });

  it('when an attempt was claimed twice', () => {
    const history = [entry('00:00.500', 'claimed', 1), entry('00:00.900', 'claimed', 1)];
    expect(kindsOf(booksOf({ record: withAction('create-task', { history }) }))).toEqual(['claimed-twice']);
  });

  it('when a second attempt was claimed without a grant', () => {
    const history = [
      entry('00:00.500', 'claimed', 1),
      entry('00:00.600', 'wait', 1),
      entry('00:00.900', 'claimed', 2),
    ];
    expect(kindsOf(booksOf({ record: withAction('create-task', { history }) }))).toEqual([
      'claimed-without-grant',
    ]);
  });

  it('when one grant was used for two attempts', () => {
    const history = [
      entry('00:00.500', 'claimed', 1),
      entry('00:00.600', 'grant', 1),
      entry('00:00.900', 'claimed', 2),
      entry('00:01.900', 'claimed', 3),
    ];
    expect(balance(booksOf({ record: withAction('create-task', { history }) }))).toEqual([
      {
        leadRequestId: 'l1',
        kind: 'claimed-without-grant',
        detail: 'attempt 3 of create-task was claimed without a grant',
      },
    ]);
  });

  it('when refused fields are not shown as a conflict', () => {
    expect(kindsOf(booksOf({ booked: { refusedHashes: ['other'] } }))).toEqual(['conflict-hidden']);
    const conflicts = [{ intentHash: 'other', firstSeenAt: 1, lead: RECORD.handoff.lead }];
    expect(
      balance(booksOf({ booked: { refusedHashes: ['other'], record: { ...RECORD, conflicts } } })),
    ).toEqual([]);
  });

  it('when a source got a wrong answer', () => {
    expect(kindsOf(booksOf({ booked: { wrongAnswers: ['other fields were accepted'] } }))).toEqual([
      'wrong-answer',
    ]);
  });

  it.each(['FAILED', 'TIMED_OUT', 'ABORTED'])('when an execution is %s', (status) => {
    expect(balance(booksOf({ executions: [{ name: 'website.l1.1', status, lastEvents: [] }] }))).toEqual([
      {
        leadRequestId: 'l1',
        kind: 'execution-failed',
        detail: `the execution website.l1.1 ended as ${status}`,
      },
    ]);
  });
});

describe('a handoff is settled', () => {
  it('when what comes later has not begun because an earlier action waits', () => {
    const record = {
      ...RECORD,
      handoff: OPEN_HANDOFF,
      actions: RECORD.actions.slice(0, 1),
      waiting: [asks('assign-owner', 'owner-changed')],
    };
    expect(isSettled(record)).toBe(true);
  });

  it('but not while the other branch is under way', () => {
    const record = withAction('create-task', { phase: 'claimed', evidence: null });
    const waiting = [asks('send-introduction', 'unreadable')];
    expect(isSettled({ ...record, handoff: OPEN_HANDOFF, waiting })).toBe(false);
  });
});
