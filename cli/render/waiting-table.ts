import { stripVTControlCharacters } from 'node:util';
import { type CommandPlace, commandLine, resubmitLine } from '../../functions/domain/command-line.ts';
import { DEAD_LETTER } from '../../functions/domain/dead-letter.ts';
import { canRedrive } from '../../functions/domain/filled-record.ts';
import { SAME_PERSON } from '../../functions/domain/same-person.ts';
import { readableTime, withWords } from '../../functions/domain/words.ts';
import { DOES_NOT_EXIST, hasEnded } from '../aws/execution-status.ts';
import type { WaitingItem } from '../commands/waiting.ts';
import { type Paint, painter } from './paint.ts';
import { plainTable } from './plain-table.ts';

const HEAD = ['since', 'lead request', 'action', 'kind', 'waits for', 'why', 'until'];

export interface ListOptions {
  readonly colour: boolean;
  /** How wide the terminal is; absent where nothing limits the width. */
  readonly columns?: number | undefined;
  /** Where the commands have to be run that it names. */
  readonly place: CommandPlace;
}

/** Waiting work as a table, or as one block each where the table is too wide; what is overdue or dead is marked. */
export function waitingTable(items: readonly WaitingItem[], { colour, columns, place }: ListOptions): string {
  const paint = painter(colour);
  const rows = items.map((item) => cells(item, place, paint));
  const table = plainTable(HEAD, rows, paint);
  const width = Math.max(...table.split('\n').map((line) => stripVTControlCharacters(line).length));
  if (columns === undefined || width <= columns) return table;
  return rows.map((row) => block(row, paint)).join('\n\n');
}

function block([since, leadRequest, ...rest]: readonly string[], paint: Paint): string {
  const lines = [since, ...rest].map(
    (cell, i) => `  ${(HEAD[i === 0 ? 0 : i + 1] ?? '').padEnd(9)}  ${cell}`,
  );
  return [paint('bold', leadRequest ?? ''), ...lines].join('\n');
}

function cells(item: WaitingItem, place: CommandPlace, paint: Paint): string[] {
  const { route, leadRequestId, action, kind, who, why, since } = item;
  return [
    readableTime(since),
    `${route}/${leadRequestId}`,
    action,
    kind,
    who,
    withWords(why),
    [dueText(item, paint), endedText(item, paint), wayOut(item, place)]
      .filter((text) => text !== '')
      .join('; '),
  ];
}

function dueText({ dueAt, overdueSince }: WaitingItem, paint: Paint): string {
  if (overdueSince !== null) {
    const no = dueAt === null ? ', no further escalation' : '';
    return paint('red', `overdue since ${readableTime(overdueSince)}${no}`);
  }
  return dueAt === null ? 'no due time' : readableTime(dueAt);
}

/** A dead letter has no execution, and what waits because of its person has none yet. */
function endedText({ action, why, executionStatus }: WaitingItem, paint: Paint): string {
  if (!hasEnded(executionStatus) || action === DEAD_LETTER || why === SAME_PERSON) return '';
  return paint(
    'red',
    executionStatus === DOES_NOT_EXIST
      ? 'its execution does not exist'
      : `its execution ended (${executionStatus})`,
  );
}

/** A handoff whose execution is gone needs no decision, but somebody who starts it again. */
function wayOut({ action, why, route, leadRequestId }: WaitingItem, place: CommandPlace): string {
  if (action === DEAD_LETTER) return commandLine(['investigate', leadRequestId, '--route', route], place);
  if (action !== 'handoff') return '';
  const redrive = canRedrive(why) ? 'redrive it in the console, or: ' : '';
  return `${redrive}${resubmitLine(leadRequestId, route, place)}`;
}
