import { describe, expect, it } from 'vitest';
import type { LedgerRecord } from '../../../functions/domain/handoff.ts';
import { balance } from '../../../local/chaos-books.ts';
import { asks, booksOf, execution, OPEN_HANDOFF, withAction } from './balanced-books.ts';

const [RUN_1, RUN_2, RUN_3] = ['website.l1.1', 'website.l1.2', 'website.l1.3'] as const;

/** Open in its second run, and a person is asked about the introduction. */
const inSecondRun = (waiting: LedgerRecord['waiting']): Partial<LedgerRecord> => ({
  ...withAction('send-introduction', { phase: 'unknown', evidence: null }),
  handoff: { ...OPEN_HANDOFF, execution: RUN_2, run: 2 },
  waiting,
});
const askedInRun2 = inSecondRun([asks('send-introduction', 'unreadable', { execution: RUN_2 })]);
const askedAsAWhole = inSecondRun([asks('handoff', 'execution-aborted', { execution: RUN_2, token: null })]);

const found = (
  record: Partial<LedgerRecord>,
  executions: readonly (readonly [string, string])[],
  stopped: readonly string[] = [],
) => {
  const books = { record, executions: executions.map(([name, status]) => execution(name, status)), stopped };
  return balance(booksOf(books)).map(({ kind, detail }) => `${kind}: ${detail}`);
};

describe('executions balance', () => {
  it.each([
    [
      'the run before was stopped by the next one',
      askedInRun2,
      [
        [RUN_1, 'ABORTED'],
        [RUN_2, 'RUNNING'],
      ],
    ],
    [
      'the run before came to its end by itself',
      askedInRun2,
      [
        [RUN_1, 'SUCCEEDED'],
        [RUN_2, 'RUNNING'],
      ],
    ],
    ['the handoff was never let go, and a person is asked', askedAsAWhole, [[RUN_1, 'SUCCEEDED']]],
    [
      'others run',
      askedInRun2,
      [
        ['website.l2.1', 'RUNNING'],
        ['website.l2.9', 'FAILED'],
        [RUN_2, 'RUNNING'],
      ],
    ],
  ] as const)('when %s', (_when, record, executions) => {
    expect(found(record, executions)).toEqual([]);
  });

  it('when somebody stopped the current run and a person is asked', () => {
    expect(found(askedAsAWhole, [[RUN_2, 'ABORTED']], [RUN_2])).toEqual([]);
  });
});

describe('executions do not balance', () => {
  it.each(['FAILED', 'TIMED_OUT'])('when one is %s', (status) => {
    expect(
      found(askedInRun2, [
        [RUN_1, status],
        [RUN_2, 'RUNNING'],
      ]),
    ).toEqual([`execution-failed: the execution ${RUN_1} ended as ${status}`]);
  });

  it('when the current run was stopped by nobody', () => {
    expect(found(askedAsAWhole, [[RUN_2, 'ABORTED']])).toEqual([
      `execution-failed: the execution ${RUN_2} was stopped, and nobody did that`,
    ]);
  });

  it.each(['ABORTED', 'SUCCEEDED'])('when the current run is %s and nobody is asked', (status) => {
    expect(found(askedInRun2, [[RUN_2, status]], [RUN_2])).toEqual([
      `lost: its execution ${RUN_2} is ${status}, and nobody is asked`,
    ]);
  });

  it('when the current run is not there and nobody is asked', () => {
    expect(found(askedInRun2, [[RUN_1, 'ABORTED']])).toEqual([
      `lost: its execution ${RUN_2} is missing, and nobody is asked`,
    ]);
  });

  it('when somebody is asked about an earlier run only', () => {
    const stale = inSecondRun([
      asks('handoff', 'execution-aborted', { token: null }),
      asks('send-introduction', 'unreadable'),
    ]);
    expect(found(stale, [[RUN_2, 'ABORTED']], [RUN_2])).toEqual([
      'asked-needlessly: handoff waits, and website.l1.1 is not the current execution',
      `lost: its execution ${RUN_2} is ABORTED, and nobody is asked`,
    ]);
  });

  it('when somebody is asked about a handoff that goes on', () => {
    expect(found(askedAsAWhole, [[RUN_2, 'RUNNING']])).toEqual([
      `asked-needlessly: it waits as a whole, and ${RUN_2} is running`,
    ]);
  });

  it('when two are running', () => {
    expect(
      found(askedInRun2, [
        [RUN_1, 'RUNNING'],
        [RUN_2, 'RUNNING'],
      ]),
    ).toEqual([
      `two-running: ${RUN_1} and ${RUN_2} are running`,
      `old-run-running: ${RUN_1} is running, and ${RUN_2} is the current one`,
    ]);
  });

  it('when one is running of a run that the ledger does not know', () => {
    expect(
      found(askedInRun2, [
        [RUN_2, 'RUNNING'],
        [RUN_3, 'SUCCEEDED'],
      ]),
    ).toEqual([`old-run-running: the execution ${RUN_3} has no run in the ledger`]);
  });

  it('when one is running and the handoff is closed', () => {
    expect(found({}, [[RUN_1, 'RUNNING']])).toEqual([
      `old-run-running: ${RUN_1} is running, and the handoff is closed`,
    ]);
  });
});
