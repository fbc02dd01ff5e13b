import {
  type CommandPlace,
  decideLine,
  investigateLine,
  resubmitLine,
} from '../../functions/domain/command-line.ts';
import { DEAD_LETTER } from '../../functions/domain/dead-letter.ts';
import { canRedrive } from '../../functions/domain/filled-record.ts';
import { SAME_PERSON } from '../../functions/domain/same-person.ts';
import { readableTime, withWords } from '../../functions/domain/words.ts';
import { DOES_NOT_EXIST, hasEnded } from '../aws/execution-status.ts';
import type { WaitingItem } from '../commands/waiting.ts';
import { fittedWidths, wrapped } from './fit.ts';
import { type Paint, painter } from './paint.ts';

const HEAD = ['since', 'lead request', 'action', 'kind', 'waits for', 'why', 'until'];
const GAP = '  ';
/** The columns whose cells do not break: what is copied and looked for. */
const WHOLE = 4;
/** In a terminal narrower than this nobody reads a table of so many columns. */
const NARROWEST = 120;

export interface ListOptions {
  readonly colour: boolean;
  /** How wide the terminal is; absent where nothing limits the width. */
  readonly columns?: number | undefined;
  /** Where the commands have to be run that it names. */
  readonly place: CommandPlace;
}

interface Row {
  /** One for each column. */
  readonly cells: readonly string[];
  /** What is overdue or dead is marked. */
  readonly marked: boolean;
  /** What a person does about it, a line each. A command keeps its line however long it is, so that it can be pasted. */
  readonly next: readonly string[];
}

/** Waiting work as a table whose cells break where the terminal is narrow, or as one block each where it is too narrow for one. */
export function waitingTable(items: readonly WaitingItem[], { colour, columns, place }: ListOptions): string {
  const paint = painter(colour);
  const rows = items.map((item) => rowOf(item, place));
  const widths = columnWidths([HEAD, ...rows.map(({ cells }) => cells)], columns);
  const width = widths.reduce((sum, each) => sum + each, GAP.length * (HEAD.length - 1));
  if (columns !== undefined && (columns < NARROWEST || columns < width)) {
    return rows.map((row) => block(row, paint)).join('\n\n');
  }
  const head = HEAD.map((title, i) => paint('bold', title) + blanks(title, widths[i])).join(GAP);
  return [head.trimEnd(), ...rows.flatMap((row) => tableLines(row, widths, paint))].join('\n');
}

function columnWidths(lines: readonly (readonly string[])[], columns: number | undefined): number[] {
  const texts = HEAD.map((_, i) => lines.map((cells) => cells[i] ?? ''));
  const whole = texts.slice(0, WHOLE).map((cells) => Math.max(...cells.map(({ length }) => length)));
  const taken = whole.reduce((sum, width) => sum + width, GAP.length * (HEAD.length - 1));
  return [...whole, ...fittedWidths(texts.slice(WHOLE), (columns ?? Number.POSITIVE_INFINITY) - taken)];
}

function tableLines({ cells, marked, next }: Row, widths: readonly number[], paint: Paint): string[] {
  const broken = cells.map((cell, i) => wrapped(cell, widths[i] ?? 0));
  const height = Math.max(...broken.map((lines) => lines.length));
  const lines = Array.from({ length: height }, (_, at) => {
    const texts = broken.map((parts) => parts[at] ?? '');
    const before = texts.slice(0, -1).map((text, i) => text + blanks(text, widths[i]) + GAP);
    const last = texts.at(-1) ?? '';
    return `${before.join('')}${marked && last !== '' ? paint('red', last) : last}`.trimEnd();
  });
  return [...lines, ...next.map((line) => `  ${line}`)];
}

function blanks(text: string, width = 0): string {
  return ' '.repeat(Math.max(0, width - text.length));
}

function block({ cells, marked, next }: Row, paint: Paint): string {
  const [since = '', leadRequest = '', ...rest] = cells;
  const titles = HEAD.filter((title) => title !== 'lead request');
  const lines = [since, ...rest].map((cell, i) => {
    const text = marked && i === rest.length ? paint('red', cell) : cell;
    return `  ${(titles[i] ?? '').padEnd(9)}  ${text}`;
  });
  return [paint('bold', leadRequest), ...lines, ...next.map((line) => `  ${line}`)].join('\n');
}

function rowOf(item: WaitingItem, place: CommandPlace): Row {
  const { route, leadRequestId, action, kind, who, why, rival, since } = item;
  const ended = endedText(item);
  return {
    cells: [
      readableTime(since),
      `${route}/${leadRequestId}`,
      action,
      kind,
      who,
      rival === undefined ? withWords(why) : `${withWords(why)}: ${rival}`,
      [dueText(item), ended].filter((text) => text !== '').join('; '),
    ],
    marked: item.overdueSince !== null || ended !== '',
    next: waysOut(item, place),
  };
}

function dueText({ dueAt, overdueSince }: WaitingItem): string {
  if (overdueSince !== null) {
    return `overdue since ${readableTime(overdueSince)}${dueAt === null ? ', no further escalation' : ''}`;
  }
  return dueAt === null ? 'no due time' : readableTime(dueAt);
}

/** A dead letter has no execution, and what waits because of its person has none yet. */
function endedText({ action, why, executionStatus }: WaitingItem): string {
  if (!hasEnded(executionStatus) || action === DEAD_LETTER || why === SAME_PERSON) return '';
  return executionStatus === DOES_NOT_EXIST
    ? 'its execution does not exist'
    : `its execution ended (${executionStatus})`;
}

/** What waits as a whole needs no decision about an action, but somebody who starts it, or ends it. */
function waysOut({ action, why, route, leadRequestId }: WaitingItem, place: CommandPlace): string[] {
  if (action === DEAD_LETTER) return [investigateLine(leadRequestId, route, place)];
  if (action !== 'handoff') return [];
  const resubmit = resubmitLine(leadRequestId, route, place);
  if (why === SAME_PERSON) {
    const stop = { leadRequestId, action: 'upsert-contact', decision: 'stop' } as const;
    return [`let it go on: ${resubmit}`, `leave it: ${decideLine(stop, route, place)}`];
  }
  return canRedrive(why) ? ['redrive it in the console, or:', resubmit] : [resubmit];
}
