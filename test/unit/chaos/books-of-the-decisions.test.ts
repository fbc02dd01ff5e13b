import { describe, expect, it } from 'vitest';
import { HISTORY_CAP } from '../../../functions/domain/action-history.ts';
import type { ActionState, HistoryEntry } from '../../../functions/domain/action-state.ts';
import type { Decision, DecisionResult } from '../../../functions/domain/decision.ts';
import type { LedgerRecord } from '../../../functions/domain/handoff.ts';
import { balance } from '../../../local/chaos-books.ts';
import type { PersonsRequest } from '../../../local/chaos-requests.ts';
import { asked, asks, booksOf, decision, entry, OPEN_HANDOFF, RECORD, withAction } from './balanced-books.ts';

const CLAIMED = entry('00:00.500', 'claimed', 'worker');
const kindsOf = (record: Partial<LedgerRecord>) => balance(booksOf({ record })).map(({ kind }) => kind);

/** The task was performed in the end, and this is how it came to it. */
function task(history: readonly HistoryEntry[], change: Partial<ActionState> = {}): LedgerRecord {
  return withAction('create-task', { history: [CLAIMED, ...history], ...change });
}

function last(made: Decision, result: DecisionResult): Partial<ActionState> {
  return { decision: result === 'pending' ? made : null, lastDecision: { decision: made, result } };
}

describe('decisions balance', () => {
  it.each([
    ['granted again', entry('00:07.000', 'grant', 'absent · decided-resume')],
    ['turned down', entry('00:07.000', 'ask', 'unclear:unreadable · decision-outdated')],
  ])('where a grant that nobody claimed was %s', (_what, then) => {
    const history = [
      entry('00:05.000', 'decided-resume'),
      entry('00:06.000', 'grant', 'absent · decided-resume'),
      entry('00:06.500', 'wait', 'absent · back-off'),
      then,
    ];
    expect(kindsOf(task(history))).toEqual([]);
  });

  it.each([
    [
      'a resume',
      [entry('00:05.000', 'decided-resume'), entry('00:06.000', 'grant', 'absent · decided-resume')],
    ],
    [
      'one that the next read answered',
      [entry('00:05.000', 'decided-resume'), entry('00:06.000', 'done', 'done · evidence-says-done')],
    ],
    [
      'one that was turned down, and another one',
      [
        entry('00:05.000', 'decided-resume'),
        entry('00:06.000', 'ask', 'superseded:task-changed · decision-outdated'),
        entry('00:07.000', 'decided-confirm'),
        entry('00:08.000', 'done', 'absent · confirmed'),
      ],
    ],
    [
      'one that had to wait',
      [
        entry('00:05.000', 'decided-resume'),
        entry('00:06.000', 'wait', 'unclear:too-early · too-early'),
        entry('00:07.000', 'grant', 'absent · decided-resume'),
      ],
    ],
    [
      'a take-over that asks again, and its confirmation',
      [
        entry('00:05.000', 'decided-take-over'),
        entry('00:06.000', 'take-over', 'absent · taken-over'),
        entry('00:07.000', 'ask', 'absent · taken-over'),
        entry('00:08.000', 'decided-confirm'),
        entry('00:09.000', 'done', 'absent · confirmed'),
      ],
    ],
    [
      'a stop in the place of a resume, which ends later',
      [
        entry('00:05.000', 'decided-resume'),
        entry('00:05.500', 'decided-stop'),
        entry('00:06.000', 'stopping', 'unclear:too-early · too-early'),
        entry('00:08.000', 'stopped', 'absent · stopped-by-person'),
      ],
    ],
  ])('with %s', (_what, history) => {
    expect(balance(booksOf({ record: task(history) }))).toEqual([]);
  });
});

describe('decisions do not balance', () => {
  it('when one took the place of another one', () => {
    const history = [entry('00:05.000', 'decided-resume'), entry('00:05.500', 'decided-confirm')];
    const heard = entry('00:06.000', 'done', 'absent · confirmed');
    expect(balance(booksOf({ record: task([...history, heard]) }))).toEqual([
      {
        leadRequestId: 'l1',
        kind: 'decision-overwritten',
        detail: 'create-task: confirm took the place of resume',
      },
    ]);
  });

  it('when a second stop took the place of the first', () => {
    const history = [entry('00:05.000', 'decided-stop'), entry('00:05.500', 'decided-stop')];
    expect(kindsOf(task([...history, entry('00:06.000', 'stopped', 'absent · stopped-by-person')]))).toEqual([
      'decision-overwritten',
    ]);
  });

  it('when an attempt was claimed over one', () => {
    const history = [
      entry('00:04.000', 'grant', 'absent · absent'),
      entry('00:05.000', 'decided-confirm'),
      entry('00:05.100', 'claimed', 'worker', 2),
      entry('00:06.000', 'done', 'absent · confirmed'),
    ];
    expect(kindsOf(task(history))).toEqual(['claimed-over-decision']);
  });

  it('when one was heard twice', () => {
    const history = [
      entry('00:05.000', 'decided-resume'),
      entry('00:06.000', 'grant', 'absent · decided-resume'),
      entry('00:06.500', 'claimed', 'worker', 2),
      entry('00:07.000', 'grant', 'absent · decided-resume', 2),
    ];
    expect(balance(booksOf({ record: task(history) }))).toEqual([
      {
        leadRequestId: 'l1',
        kind: 'heard-without-decision',
        detail: 'create-task: resume was carried out, and none was waiting',
      },
    ]);
  });

  it('when one was turned down that had been carried out by a claim', () => {
    const history = [
      entry('00:05.000', 'decided-resume'),
      entry('00:06.000', 'grant', 'absent · decided-resume'),
      entry('00:06.500', 'claimed', 'worker', 2),
      entry('00:07.000', 'ask', 'absent · decision-outdated', 2),
    ];
    expect(kindsOf(task(history))).toEqual(['heard-without-decision']);
  });

  it.each([
    ['release', 'release', 'released'],
    ['take-over', 'take-over', 'taken-over'],
    ['keep-owner', 'done', 'owner-kept'],
    ['send-as-current-owner', 'grant', 'decided-send-as-current-owner'],
    ['amend', 'grant', 'decided-amend'],
    ['stop', 'stopped', 'stopped-by-person'],
    ['stop', 'stopping', 'too-early'],
  ])('when a %s was carried out that nobody decided (%s)', (kind, event, reason) => {
    const history = [entry('00:05.000', 'decided-confirm'), entry('00:06.000', event, `absent · ${reason}`)];
    expect(balance(booksOf({ record: task(history) }))).toEqual([
      {
        leadRequestId: 'l1',
        kind: 'heard-without-decision',
        detail: `create-task: ${kind} was carried out, and confirm was waiting`,
      },
    ]);
  });

  it('when one is gone without an answer', () => {
    expect(kindsOf(task([entry('00:05.000', 'decided-resume')]))).toEqual(['decision-unheard']);
  });

  it('when the last one waits, and nothing does', () => {
    const record = task([], {
      lastDecision: { decision: decision('resume', '00:05.000'), result: 'pending' },
    });
    expect(kindsOf(record)).toEqual(['decision-unheard']);
  });

  it('when one was never heard of a handoff that is over', () => {
    const record = task([entry('00:05.000', 'decided-stop')], last(decision('stop', '00:05.000'), 'pending'));
    expect(balance(booksOf({ record }))).toEqual([
      {
        leadRequestId: 'l1',
        kind: 'decision-unheard',
        detail: 'create-task: stop of 2026-03-02T10:00:05.000Z was never heard',
      },
    ]);
  });

  it('but a trail that has lost entries proves nothing', () => {
    const idle = Array.from({ length: HISTORY_CAP - 2 }, () => entry('00:06.000', 'wait', 'x · back-off'));
    expect(kindsOf(task([...idle, entry('00:07.000', 'release', 'absent · released')]))).toEqual([]);
  });
});

describe('a decision that waits to be heard', () => {
  const waits = (change: Partial<ActionState>, waiting: LedgerRecord['waiting']): Partial<LedgerRecord> => ({
    ...task([entry('00:05.000', 'decided-resume')], {
      phase: 'unknown',
      evidence: null,
      ...last(decision('resume', '00:05.000'), 'pending'),
      ...change,
    }),
    handoff: OPEN_HANDOFF,
    waiting,
  });
  const ofHandoff = (since: string) =>
    asks('handoff', 'execution-aborted', { token: null, since: Date.parse(`2026-03-02T10:${since}Z`) });
  const stopped = { executions: [{ name: 'website.l1.1', status: 'ABORTED' }], stopped: ['website.l1.1'] };

  it('does not balance while a person is asked', () => {
    expect(kindsOf(waits({}, [asks('create-task', 'refused')]))).toEqual(['decision-unheard']);
  });

  it('balances while the action is parked', () => {
    const lastRead: ActionState['lastRead'] = {
      id: 'read',
      at: 1,
      finding: 'absent',
      disposition: 'park',
      reason: 'route-paused',
      absenceProven: true,
      heard: 'resume-00:05.000',
    };
    const parked = [asks('create-task', 'route-paused', { kind: 'park', who: 'hubspot' })];
    expect(kindsOf(waits({ lastRead }, parked))).toEqual([]);
  });

  it('balances where the handoff stopped after it, and not where it was made after that', () => {
    const balanced = (since: string) =>
      balance(booksOf({ record: waits({}, [ofHandoff(since)]), ...stopped })).map(({ kind }) => kind);
    expect(balanced('00:05.001')).toEqual([]);
    expect(balanced('00:05.000')).toEqual(['decision-unheard']);
  });

  it('balances where the workflow has not come to the action', () => {
    const before = { phase: 'open', attempt: 0, history: [entry('00:05.000', 'decided-resume')] } as const;
    const change = waits(before, [asks('assign-owner', 'owner-changed')]);
    const owner = { phase: 'unknown', evidence: null } as const;
    const record = withAction('assign-owner', owner, { ...RECORD, ...change });
    expect(balance(booksOf({ record, inspection: { tasks: [] } }))).toEqual([]);
  });
});

describe('what people were answered', () => {
  const answered = (recorded: 'now' | 'before', by = 'Robin 1') =>
    ({ outcome: 'answered', answer: { recorded, by } }) as const;
  const REFUSED = { outcome: 'refused', error: 'NobodyIsAsked' } as const;
  const FAILED = { outcome: 'failed', error: 'Runtime.ExitError' } as const;

  const decided = [
    entry('00:05.000', 'decided-resume', 'Robin 1'),
    entry('00:06.000', 'grant', 'absent · decided-resume'),
  ];
  const balanced = (history: readonly HistoryEntry[], ends: readonly PersonsRequest['end'][]) => {
    const requests = ends.map((end) => asked({}, end));
    return balance(booksOf({ booked: { record: task(history), requests } })).map(({ kind }) => kind);
  };

  it.each([
    ['a decision', decided, [answered('now')]],
    ['one that was made twice', decided, [answered('now'), answered('before')]],
    ['one whose first execution gave no answer', decided, [FAILED, answered('before')]],
    ['one whose only execution gave no answer', decided, [null]],
    ['one that was lost with its execution', [], [FAILED]],
    ['a refusal', [], [REFUSED]],
    [
      'a decision that was made again on a new question',
      [...decided, ...decided],
      [answered('now'), answered('now')],
    ],
  ])('balances with %s', (_what, history, ends) => {
    expect(balanced(history, ends)).toEqual([]);
  });

  it.each([
    ['refusal-recorded', decided, [REFUSED]],
    ['decision-recorded-twice', [...decided, ...decided], [answered('now')]],
    ['decision-vanished', [], [answered('now')]],
    ['decision-vanished', [], [answered('before')]],
    ['decision-vanished', decided, [answered('now'), answered('now')]],
  ] as const)('does not balance: %s', (kind, history, ends) => {
    expect(balanced(history, ends)).toEqual([kind]);
  });

  it('does not balance when somebody was told of another’s decision', () => {
    expect(balanced(decided, [answered('now', 'Robin 2')])).toEqual(['wrong-answer']);
  });

  it('does not balance when nonsense was answered', () => {
    const requests = [{ ...asked({ decision: 'show' }, answered('now')), mustBeRefused: true }];
    expect(balance(booksOf({ booked: { record: RECORD, requests } })).map(({ kind }) => kind)).toEqual([
      'wrong-answer',
    ]);
  });
});
