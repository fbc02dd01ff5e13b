import Table from 'cli-table3';
import type { Paint } from './paint.ts';

const NO_LINES = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
  ].map((part) => [part, '']),
);

/** A table of columns without lines, for lists that may be long or end in `grep`. */
export function plainTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint,
): string {
  const table = new Table({
    head: head.map((title) => paint('bold', title)),
    chars: { ...NO_LINES, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const row of rows) table.push([...row]);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
