import { expect, it } from 'vitest';
import type { WaitingItem } from '../../../cli/commands/waiting.ts';
import { overdueSince } from '../../../cli/overdue.ts';
import { waitingTable } from '../../../cli/render/waiting-table.ts';
import { readableSpan } from '../../../cli/render/words.ts';

const ITEM: WaitingItem = {
  route: 'website',
  leadRequestId: 'form-7-1042',
  action: 'send-introduction',
  kind: 'ask',
  who: 'robin@example.com',
  why: 'sender-no-longer-owner',
  since: '2026-05-04T09:30:13.000Z',
  dueAt: '2026-05-04T13:30:13.000Z',
  overdue: false,
  overdueSince: null,
  asked: 0,
  execution: 'website.form-7-1042.1',
  executionStatus: 'RUNNING',
};
const PLACE = { stage: 'prod' } as const;
const OVERDUE = { overdue: true, overdueSince: '2026-05-04T13:30:13.000Z' };

const NEVER_STARTED = { executionStatus: 'DOES_NOT_EXIST', dueAt: null } as const;

function lastCell(changes: Partial<WaitingItem>): string | undefined {
  const [, row] = waitingTable([{ ...ITEM, ...changes }], { colour: false, place: PLACE }).split('\n');
  return row?.split('(the sender is no longer the owner)')[1]?.trim();
}

it.each([
  [{}, '2026-05-04 13:30:13Z'],
  [OVERDUE, 'overdue since 2026-05-04 13:30:13Z'],
  [{ ...OVERDUE, dueAt: null, asked: 3 }, 'overdue since 2026-05-04 13:30:13Z, no further escalation'],
  [{ kind: 'park', dueAt: null }, 'no due time'],
  [{ executionStatus: 'ABORTED' }, '2026-05-04 13:30:13Z; its execution ended (ABORTED)'],
  [{ executionStatus: 'DOES_NOT_EXIST' }, '2026-05-04 13:30:13Z; its execution does not exist'],
  [{ executionStatus: 'PENDING_REDRIVE' }, '2026-05-04 13:30:13Z'],
  [{ executionStatus: null }, '2026-05-04 13:30:13Z'],
] as const)('says of %j until when it waits, and what will not come', (changes, cell) => {
  expect(lastCell(changes)).toBe(cell);
});

function rowsOf(items: readonly WaitingItem[], columns?: number): string[] {
  return waitingTable(items, { colour: false, place: PLACE, columns }).split('\n').slice(1);
}

it('says under a handoff whose execution is gone how it goes on', () => {
  expect(
    rowsOf([{ ...ITEM, action: 'handoff', why: 'execution-failed', executionStatus: 'FAILED' }]),
  ).toEqual([
    '2026-05-04 09:30:13Z  website/form-7-1042  handoff  ask   robin@example.com  execution-failed (its execution failed)  2026-05-04 13:30:13Z; its execution ended (FAILED)',
    '  redrive it in the console, or:',
    '  npx handoff resubmit form-7-1042 --route website --by "" --reason "" --stage prod',
  ]);
});

it('says where a dead letter is looked at', () => {
  const [row, next] = rowsOf([{ ...ITEM, ...NEVER_STARTED, action: 'dead-letter', why: 'dead-letter' }]);

  expect(row).toMatch(/no due time$/);
  expect(next).toBe('  npx handoff investigate form-7-1042 --route website --stage prod');
});

it('offers both choices where the same person sent another request, and says of nothing that never started that it ended', () => {
  const [row, ...next] = rowsOf([{ ...ITEM, ...NEVER_STARTED, action: 'handoff', why: 'same-person' }]);

  expect(row).toMatch(/no due time$/);
  expect(next).toEqual([
    '  let it go on: npx handoff resubmit form-7-1042 --route website --by "" --reason "" --stage prod',
    '  leave it: npx handoff decide form-7-1042 upsert-contact stop --route website --by "" --reason "" --stage prod',
  ]);
});

it.each([120, 150])('breaks its cells, and no command, where the terminal has %d columns', (columns) => {
  const items = [
    { ...ITEM, ...OVERDUE },
    { ...ITEM, ...NEVER_STARTED, action: 'handoff', why: 'same-person' },
  ];
  const rows = rowsOf(items as WaitingItem[], columns);
  const commands = rows.filter((line) => line.includes('npx'));

  expect(commands).toHaveLength(2);
  expect(rows.filter((line) => line.includes('website/form-7-1042  '))).toHaveLength(2);
  for (const row of rows.filter((line) => !line.includes('npx'))) {
    expect(row.length).toBeLessThanOrEqual(columns);
  }
});

it('becomes a block per wait where the terminal is too narrow for a table', () => {
  const items = [ITEM, { ...ITEM, leadRequestId: 'form-7-1043' }];
  const wide = waitingTable(items, { colour: false, place: PLACE });

  expect(waitingTable(items, { colour: false, place: PLACE, columns: 400 })).toBe(wide);
  expect(waitingTable(items, { colour: false, place: PLACE, columns: 80 })).toBe(
    ['form-7-1042', 'form-7-1043']
      .map((id) =>
        [
          `website/${id}`,
          '  since      2026-05-04 09:30:13Z',
          '  action     send-introduction',
          '  kind       ask',
          '  waits for  robin@example.com',
          '  why        sender-no-longer-owner (the sender is no longer the owner)',
          '  until      2026-05-04 13:30:13Z',
        ].join('\n'),
      )
      .join('\n\n'),
  );
});

it.each([
  // Asked at 0, four units to answer: kind, due time, now, overdue since.
  ['ask', 4, 4, null],
  ['ask', 4, 5, 4],
  ['ask', 8, 5, null],
  ['ask', null, 20, 4],
  ['ask', null, 3, 3],
  ['park', null, 20, null],
  ['park', 4, 5, 4],
] as const)('%s due at %s is at %s overdue since %s', (kind, dueAt, now, expected) => {
  expect(overdueSince({ kind, since: 0, dueAt }, 4, now)).toBe(expected);
});

it.each([
  [0, '0 s'],
  [42_999, '42 s'],
  [60_000, '1 min'],
  [3_599_000, '59 min 59 s'],
  [4 * 3_600_000 + 59_000, '4 h'],
  [188_000_000, '2 d 4 h'],
])('%d ms are %s', (ms, text) => {
  expect(readableSpan(ms)).toBe(text);
});
