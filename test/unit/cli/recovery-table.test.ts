import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { recoveryTable } from '../../../cli/render/recovery-table.ts';
import { askedRecord } from './records.ts';

const RECORD = askedRecord();

it('shows per action what the destination says, what was found and what happens next', () => {
  const cells = recoveryTable(RECORD, { colour: false })
    .split('\n')
    .filter((line) => line.startsWith('│'))
    .map((line) =>
      line
        .split('│')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

  expect(cells).toEqual([
    ['action', 'destination evidence', 'finding', 'disposition', 'attempts'],
    ['upsert-contact', 'hubspot 1001', 'done', 'keep', '1'],
    ['', 'receipt of 2026-05-04 09:30:01Z', '', '', ''],
    ['assign-owner', 'hubspot 1001', 'superseded:owner-changed', 'ask', '2'],
    ['', 'read back 2026-05-04 09:30:12Z', '', 'owner-changed', ''],
    ['create-task', '-', '-', 'claimed', '1'],
    ['send-introduction', '-', '-', 'open', '0'],
  ]);
});

it('colours what it says, and changes nothing else', () => {
  const coloured = recoveryTable(RECORD, { colour: true });

  expect(coloured).toContain('\u001b[32mkeep\u001b[39m');
  expect(coloured).toContain('\u001b[33mask\u001b[39m');
  expect(stripVTControlCharacters(coloured)).toBe(recoveryTable(RECORD, { colour: false }));
});
