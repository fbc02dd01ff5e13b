import Table from 'cli-table3';
import type { Disposition } from '../../functions/domain/action-state.ts';
import type { Evidence } from '../../functions/domain/evidence.ts';
import type { ActionRecord, RecoveryRecord } from '../../functions/domain/recovery-record.ts';
import { whoConfirmed } from '../../functions/domain/what-is-known.ts';
import { readableTime, wordsFor } from '../../functions/domain/words.ts';
import { fittedWidths, wrapped } from './fit.ts';
import { type Paint, painter, type Style } from './paint.ts';

const HEAD = ['action', 'destination evidence', 'finding', 'disposition', 'attempts'];
const NOTHING = '-';
/** Narrower than this it does not get; where the terminal is, its lines break. */
const NARROWEST = 70;
/** The line and the two spaces that every column brings along. */
const FRAME = 3;

const HOW: Readonly<Record<Exclude<Evidence['kind'], 'attested'>, string>> = {
  receipt: 'receipt of',
  record: 'read back',
};

const STYLES: Readonly<Record<Disposition, Style>> = {
  keep: 'green',
  resume: 'cyan',
  wait: 'cyan',
  park: 'yellow',
  ask: 'yellow',
  stop: 'red',
};

interface Line {
  readonly text: string;
  readonly style?: Style;
}

type Cell = readonly Line[];

export interface TableOptions {
  readonly colour: boolean;
  /** How wide the terminal is; absent where nothing limits the width. */
  readonly columns?: number | undefined;
}

/** The four actions of a handoff: what the destination says of each, and what happens next. */
export function recoveryTable(record: RecoveryRecord, { colour, columns }: TableOptions): string {
  const paint = painter(colour);
  const head = HEAD.map((text): Cell => [{ text, style: 'bold' }]);
  const rows = record.actions.map(row);
  const widths = columnWidths([head, ...rows], columns);
  const shown = (cells: readonly Cell[]) => cells.map((cell, i) => cellText(cell, widths[i] ?? 0, paint));
  const table = new Table({ head: shown(head), style: { head: [], border: [] } });
  for (const cells of rows) table.push(shown(cells));
  return table.toString();
}

function columnWidths(rows: readonly (readonly Cell[])[], columns: number | undefined): number[] {
  const lines = HEAD.map((_, i) => rows.flatMap((cells) => cells[i]?.map(({ text }) => text) ?? []));
  const room = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(columns, NARROWEST);
  return fittedWidths(lines, room - FRAME * HEAD.length - 1);
}

function cellText(cell: Cell, width: number, paint: Paint): string {
  return cell
    .flatMap(({ text, style }) =>
      wrapped(text, width).map((line) => (style === undefined ? line : paint(style, line))),
    )
    .join('\n');
}

function row(action: ActionRecord): Cell[] {
  return [
    [{ text: action.action }],
    evidenceCell(action),
    findingCell(action.finding),
    dispositionCell(action),
    [{ text: String(action.attempt) }],
  ];
}

function evidenceCell(action: ActionRecord): Cell {
  const { evidence } = action;
  if (evidence === null) return [{ text: NOTHING }];
  const { destination, recordId, kind, readAt } = evidence;
  const where = recordId === null ? destination : `${destination} ${recordId}`;
  if (kind === 'attested') {
    return [
      { text: `by the word of ${whoConfirmed(action)}` },
      { text: `${where}: not read back, ${readableTime(readAt)}`, style: 'dim' },
    ];
  }
  return [{ text: where }, { text: `${HOW[kind]} ${readableTime(readAt)}`, style: 'dim' }];
}

function findingCell(finding: string | null): Cell {
  if (finding === null || finding === 'done') return [{ text: finding ?? NOTHING }];
  return [{ text: finding }, ...dimWords(finding)];
}

/** What the finding's words say already is not said again. */
function dispositionCell({ disposition, phase, reason, finding }: ActionRecord): Cell {
  const what: Cell =
    disposition === null
      ? [{ text: phase }, ...dimWords(phase)]
      : [{ text: disposition, style: STYLES[disposition] }, ...dimWords(disposition)];
  if (reason === null) return what;
  const said = finding !== null && wordsFor(finding) === wordsFor(reason);
  return [...what, { text: reason, style: 'dim' }, ...(said ? [] : dimWords(reason))];
}

function dimWords(code: string): Cell {
  const text = wordsFor(code);
  return text === null ? [] : [{ text, style: 'dim' }];
}
