import { CsvError, type Info, parse } from 'csv-parse/sync';
import { UnreadableLeads } from '../errors.ts';
import { checkHeader, checkSeparator } from './csv-header.ts';
import { malformed, type Refusal, type Row, type Rows } from './rows.ts';

interface CsvRecord {
  readonly record: string[];
  readonly info: Info;
  readonly raw: string;
}

/**
 * Comma-separated values whose first row names the fields. Cells may be quoted and may hold line breaks. Rows without any value
 * are skipped: spreadsheets leave them behind.
 *
 * @throws UnreadableLeads naming the line
 */
export function csvRows(text: string): Rows {
  checkSeparator(text);
  const [header, ...records] = parseCsv(text.replaceAll('\r\n', '\n')).filter(isFilled);
  if (!header) return { rows: [], refused: [] };
  const names = header.record.map((name) => name.trim());
  checkHeader(names, lineOf(header));
  const rows: Row[] = [];
  const refused: Refusal[] = [];
  for (const entry of records) {
    const line = lineOf(entry);
    if (entry.record.length === names.length) {
      rows.push({ line, value: Object.fromEntries(names.map((name, i) => [name, entry.record[i]])) });
    } else {
      refused.push(
        malformed(line, `expected ${names.length} cells as in the header, found ${entry.record.length}`),
      );
    }
  }
  return { rows, refused };
}

function isFilled({ record }: CsvRecord): boolean {
  return record.some((cell) => cell.trim() !== '');
}

function parseCsv(text: string): CsvRecord[] {
  try {
    return parse(text, {
      info: true,
      raw: true,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as CsvRecord[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === 'number' ? error.lines : 1;
    throw new UnreadableLeads(
      error.code === 'CSV_QUOTE_NOT_CLOSED'
        ? `line ${line}: the file ends inside a quoted cell.`
        : `line ${line}: a quote stands where CSV wants none.`,
    );
  }
}

/** The parser counts the lines up to a record's end; a quoted cell may have several. */
function lineOf({ info, raw }: CsvRecord): number {
  return info.lines - raw.trim().split('\n').length + 1;
}
