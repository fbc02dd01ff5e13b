import { describe, expect, it } from 'vitest';
import { balance } from '../../../local/chaos-books.ts';
import { isSettled } from '../../../local/chaos-books-ledger.ts';
import { asks, at, booksOf, entry, OPEN_HANDOFF, RECORD, withAction } from './balanced-books.ts';

const turn = (time: string, event: string, attempt: number) => entry(time, event, null, attempt);

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
    const hangs = withAction('send-introduction', { phase: 'unknown', evidence: null });
    const record = withAction('create-task', { phase: 'unknown', evidence: null }, hangs);
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
    ['a word to its person', { token: null, dueAt: Date.parse(at('00:04.000')) }],
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

  it('when somebody is asked who was not told of it', () => {
    const open = withAction('send-introduction', { phase: 'unknown', evidence: null });
    const record = { ...open, handoff: OPEN_HANDOFF, waiting: [asks('send-introduction', 'unreadable')] };
    const told = { leadRequestId: 'l1', action: 'send-introduction', at: Date.parse(at('00:04.000')) };
    const notTold = [
      { ...told, at: told.at - 1 },
      { ...told, action: 'create-task' },
      { ...told, leadRequestId: 'l2' },
    ];
    expect(balance(booksOf({ record, notices: [told] }))).toEqual([]);
    expect(balance(booksOf({ record, notices: notTold }))).toEqual([
      {
        leadRequestId: 'l1',
        kind: 'untold',
        detail:
          'send-introduction waits for robin@revops.example.com since 2026-03-02T10:00:04.000Z, who was not told',
      },
    ]);
  });

  it('when somebody is asked about what is over', () => {
    const waiting = [asks('create-task', 'refused')];
    expect(balance(booksOf({ record: { waiting } }))).toEqual([
      {
        leadRequestId: 'l1',
        kind: 'asked-needlessly',
        detail: 'create-task waits, and the handoff is closed',
      },
    ]);
    const others = withAction('send-introduction', { phase: 'unknown', evidence: null });
    const both = [...waiting, asks('send-introduction', 'unreadable')];
    expect(balance(booksOf({ record: { ...others, handoff: OPEN_HANDOFF, waiting: both } }))).toEqual([
      { leadRequestId: 'l1', kind: 'asked-needlessly', detail: 'create-task waits, and it is performed' },
    ]);
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
    const history = [turn('00:00.500', 'claimed', 1), turn('00:00.900', 'claimed', 1)];
    expect(kindsOf(booksOf({ record: withAction('create-task', { history }) }))).toEqual(['claimed-twice']);
  });

  it('when a second attempt was claimed without a grant', () => {
    const history = [
      turn('00:00.500', 'claimed', 1),
      turn('00:00.600', 'wait', 1),
      turn('00:00.900', 'claimed', 2),
    ];
    expect(kindsOf(booksOf({ record: withAction('create-task', { history }) }))).toEqual([
      'claimed-without-grant',
    ]);
  });

  it('when one grant was used for two attempts', () => {
    const history = [
      turn('00:00.500', 'claimed', 1),
      turn('00:00.600', 'grant', 1),
      turn('00:00.900', 'claimed', 2),
      turn('00:01.900', 'claimed', 3),
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

  it('when it waits as a whole, because its execution is gone', () => {
    const record = withAction('create-task', { phase: 'claimed', evidence: null });
    const waiting = [asks('handoff', 'execution-aborted', { token: null })];
    expect(isSettled({ ...record, handoff: OPEN_HANDOFF, waiting })).toBe(true);
    const another = [{ ...waiting[0], execution: 'website.l1.0' }] as typeof waiting;
    expect(isSettled({ ...record, handoff: OPEN_HANDOFF, waiting: another })).toBe(false);
  });

  it('but not while the other branch is under way', () => {
    const record = withAction('create-task', { phase: 'claimed', evidence: null });
    const waiting = [asks('send-introduction', 'unreadable')];
    expect(isSettled({ ...record, handoff: OPEN_HANDOFF, waiting })).toBe(false);
  });
});
