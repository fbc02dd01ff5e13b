import { pipeline, Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { UnreadableLeads } from '../errors.ts';
import type { ColumnMap } from './column-map.ts';
import { checkSeparator, fieldsOfHeader } from './csv-header.ts';
import { malformed, type Refusal, type Row } from './rows.ts';
import { LONGEST_ROW } from './text.ts';

interface CsvRecord {
  readonly record: string[];
  readonly info: Info;
  readonly raw: string;
}

/**
 * Comma-separated values whose first row names the fields. Cells may be quoted and may hold line breaks. Rows without any value
 * are skipped: spreadsheets leave them behind. No more than a few rows are held at a time.
 *
 * @throws UnreadableLeads naming the line
 */
export async function* csvRows(text: AsyncIterable<string>, map: ColumnMap): AsyncGenerator<Row | Refusal> {
  let fields: (string | null)[] | undefined;
  for await (const entry of recordsOf(withSeparatorChecked(text, map))) {
    if (!isFilled(entry)) continue;
    const line = lineOf(entry);
    if (fields === undefined) {
      const names = entry.record.map((name) => name.trim());
      fields = fieldsOfHeader(names, line, map);
    } else {
      yield rowOf(line, entry.record, fields);
    }
  }
}

function rowOf(line: number, cells: readonly string[], fields: readonly (string | null)[]): Row | Refusal {
  if (cells.length !== fields.length) {
    return malformed(line, `expected ${fields.length} cells as in the header, found ${cells.length}`);
  }
  const value: Record<string, string | undefined> = {};
  for (const [i, field] of fields.entries()) if (field !== null) value[field] = cells[i];
  return { line, value };
}

function isFilled({ record }: CsvRecord): boolean {
  return record.some((cell) => cell.trim() !== '');
}

/** Looks at the first line that is not empty, and lets everything pass. */
async function* withSeparatorChecked(text: AsyncIterable<string>, map: ColumnMap): AsyncGenerator<string> {
  let beginning: string | null = '';
  for await (const piece of text) {
    if (beginning === null) {
      yield piece;
      continue;
    }
    beginning += piece;
    if (!/\S.*\n/.test(beginning) && beginning.length < LONGEST_ROW) continue;
    checkSeparator(beginning, map);
    yield beginning;
    beginning = null;
  }
  if (beginning === null) return;
  checkSeparator(beginning, map);
  yield beginning;
}

async function* recordsOf(text: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  const parser = parse({
    info: true,
    raw: true,
    record_delimiter: '\n',
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_ROW,
  });
  // What fails ends the parser with its error, which the loop below throws.
  pipeline(Readable.from(text), parser, () => {});
  let linesRead = 0;
  try {
    for await (const record of parser as AsyncIterable<CsvRecord>) {
      linesRead = record.info.lines;
      yield record;
    }
  } catch (error) {
    throw error instanceof CsvError ? new UnreadableLeads(problemOf(error, linesRead)) : error;
  }
}

/** A row that does not end is one that began after the last good one. */
function problemOf({ code, lines }: CsvError, linesRead: number): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return `line ${linesRead + 1}: the file ends inside a quoted cell.`;
    case 'CSV_MAX_RECORD_SIZE':
      return `line ${linesRead + 1}: is longer than a lead request can be; is a quoted cell not closed?`;
    default:
      return `line ${typeof lines === 'number' ? lines : linesRead + 1}: a quote stands where CSV wants none.`;
  }
}

/** The parser counts the lines up to a record's end; a quoted cell may have several. */
function lineOf({ info, raw }: CsvRecord): number {
  return info.lines - raw.trim().split('\n').length + 1;
}
