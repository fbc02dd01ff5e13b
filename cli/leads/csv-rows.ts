import { CsvError, type Info, parse } from 'csv-parse/sync';
import { InvalidLeadRequest, parseLeadRequest } from '../../functions/domain/lead-request.ts';
import { UnreadableLeads } from '../errors.ts';
import { malformed, type Refusal, type Row, type Rows } from './rows.ts';

interface CsvRecord {
  readonly record: string[];
  readonly info: Info;
  readonly raw: string;
}

/**
 * Comma-separated values whose first row names the fields. Cells may be quoted and may hold line breaks.
 *
 * @throws UnreadableLeads naming the line
 */
export function csvRows(text: string): Rows {
  const [header, ...records] = parseCsv(text.replaceAll('\r\n', '\n'));
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

function checkHeader(names: readonly string[], line: number): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new UnreadableLeads(`line ${line}: the header names a field twice.`);
  for (const name of names) {
    const problem = problemOf(name);
    if (problem !== undefined) throw new UnreadableLeads(`line ${line}: ${problem}`);
  }
  if (!names.includes('leadRequestId')) {
    throw new UnreadableLeads(`line ${line}: leadRequestId: is missing in the header.`);
  }
}

/** What a lead request says of an optional field that is left empty: nothing, where there is such a field. */
function problemOf(name: string): string | undefined {
  try {
    parseLeadRequest({ [name]: '', leadRequestId: 'header', email: 'header@example.com' });
    return undefined;
  } catch (error) {
    if (error instanceof InvalidLeadRequest) return error.message;
    throw error;
  }
}
