import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { recoveryTable } from '../../../cli/render/recovery-table.ts';
import type { ActionRecord } from '../../../functions/domain/recovery-record.ts';
import { askedRecord } from './records.ts';

const RECORD = askedRecord();

function cellsOf(table: string): string[][] {
  return table
    .split('\n')
    .filter((line) => line.startsWith('│'))
    .map((line) =>
      line
        .split('│')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

it('shows per action what the destination says, what was found and what happens next', () => {
  expect(cellsOf(recoveryTable(RECORD, { colour: false }))).toEqual([
    ['action', 'destination evidence', 'finding', 'disposition', 'attempts'],
    ['upsert-contact', 'hubspot 1001', 'done', 'keep', '1'],
    ['', 'receipt of 2026-05-04 09:30:01Z', '', '', ''],
    ['assign-owner', 'hubspot 1001', 'superseded:owner-changed', 'ask', '2'],
    ['', 'read back 2026-05-04 09:30:12Z', 'somebody else changed the owner', 'a person has to decide', ''],
    ['', '', '', 'owner-changed', ''],
    ['create-task', '-', '-', 'claimed', '1'],
    ['', '', '', 'a worker has it', ''],
    ['send-introduction', '-', '-', 'open', '0'],
    ['', '', '', 'not tried yet', ''],
  ]);
});

it('says whose word it is where the destination has not shown it', () => {
  const [, ...others] = RECORD.actions;
  const attested = {
    ...RECORD.actions[0],
    evidence: { ...RECORD.actions[0]?.evidence, kind: 'attested' },
    lastDecision: { decision: 'confirm', by: 'Robin Okafor' },
  } as ActionRecord;
  const table = recoveryTable({ ...RECORD, actions: [attested, ...others] }, { colour: false });

  expect(cellsOf(table).map((row) => row[1])).toEqual(
    expect.arrayContaining([
      'by the word of Robin Okafor',
      'hubspot 1001: not read back, 2026-05-04 09:30:01Z',
    ]),
  );
});

it('shows a code that it does not know as it is', () => {
  const [first, second, ...others] = RECORD.actions;
  const tomorrow = { ...second, finding: 'superseded:tomorrow', reason: 'tomorrow' } as ActionRecord;
  const record = { ...RECORD, actions: [first as ActionRecord, tomorrow, ...others] };

  const cells = cellsOf(recoveryTable(record, { colour: false })).map((row) => row[2]);

  expect(cells).toContain('superseded:tomorrow');
});

it.each([70, 80, 100, 132])('fits a terminal of %d columns, and loses nothing', (columns) => {
  const wide = recoveryTable(RECORD, { colour: false });
  const table = recoveryTable(RECORD, { colour: false, columns });

  for (const line of table.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
  expect(lettersByColumn(table)).toEqual(lettersByColumn(wide));
});

it('keeps the words of actions and codes whole in the narrowest terminal', () => {
  const table = recoveryTable(RECORD, { colour: false, columns: 70 });

  for (const word of [
    'introduction',
    'superseded:',
    'destination',
    'disposition',
    'attempts',
    '2026-05-04',
  ]) {
    expect(table).toContain(` ${word} `);
  }
});

it('cuts a record id that is wider than its column', () => {
  const [first, ...others] = RECORD.actions as [ActionRecord, ...ActionRecord[]];
  const evidence = {
    ...first.evidence,
    recordId: '49a3999c0ce14ea6ab685f1c7e7fe3a0',
  } as ActionRecord['evidence'];
  const record = { ...RECORD, actions: [{ ...first, evidence }, ...others] };

  const table = recoveryTable(record, { colour: false, columns: 70 });

  for (const line of table.split('\n')) expect(line.length).toBeLessThanOrEqual(70);
  expect(lettersByColumn(table)[1]).toContain('49a3999c0ce14ea6ab685f1c7e7fe3a0');
});

it('does not become narrower than 70, and is as wide as it needs where there is no terminal', () => {
  const narrowest = recoveryTable(RECORD, { colour: false, columns: 70 });
  expect(recoveryTable(RECORD, { colour: false, columns: 20 })).toBe(narrowest);
  expect(recoveryTable(RECORD, { colour: false }).split('\n')[0]?.length).toBeGreaterThan(100);
});

function lettersByColumn(table: string): string[] {
  const rows = cellsOf(table);
  return [0, 1, 2, 3, 4].map((i) =>
    rows
      .map((row) => row[i])
      .join('')
      .replaceAll(' ', ''),
  );
}

it('colours what it says, and changes nothing else', () => {
  const coloured = recoveryTable(RECORD, { colour: true });

  expect(coloured).toContain('\u001b[32mkeep\u001b[39m');
  expect(coloured).toContain('\u001b[33mask\u001b[39m');
  expect(stripVTControlCharacters(coloured)).toBe(recoveryTable(RECORD, { colour: false }));
});
