import { UnreadableLeads } from '../errors.ts';
import { type ColumnMap, fieldOfColumn } from './column-map.ts';
import { FIELD_LIST, NO_FIELD } from './fields.ts';

const OTHER_SEPARATORS: readonly (readonly [string, string])[] = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'vertical bars'],
];

/** A column's name as people choose it. What else stands in a first row may be a person's data, and is not repeated. */
const NAME = /^\p{L}[\p{L}\p{N} _./()#-]{0,39}$/u;
const LONG_NUMBER = /\d{4}/;

const HOW_TO_MAP = '--map COLUMN=FIELD says what a column is, --map COLUMN= leaves it out';

/**
 * Spreadsheets of many countries write semicolons into what they call CSV. Read by commas such a file is one column.
 *
 * @param text the beginning of the file, its first line that is not empty at least
 * @throws UnreadableLeads
 */
export function checkSeparator(text: string, map: ColumnMap): void {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((content) => content.trim() !== '');
  const header = lines[first] ?? '';
  for (const [separator, name] of OTHER_SEPARATORS) {
    const said = new RegExp(`^"?sep=\\${separator}`, 'i').test(header);
    if (said || isMoreLike(header, separator, map)) {
      const found = said ? '' : foundColumns(namesIn(header, separator));
      throw new UnreadableLeads(
        `line ${first + 1}: the columns are separated by ${name}, and must be separated by commas${found}: save the file again with the comma as its separator.`,
      );
    }
  }
}

/** Split by it, the header names more fields; or it names none either way, and has more columns. */
function isMoreLike(header: string, separator: string, map: ColumnMap): boolean {
  const columns = namesIn(header, separator);
  const byComma = namesIn(header, ',');
  const more = fieldsIn(columns, map) - fieldsIn(byComma, map);
  return more > 0 || (fieldsIn(byComma, map) === 0 && columns.length > byComma.length);
}

function namesIn(header: string, separator: string): string[] {
  return header.split(separator).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
}

function fieldsIn(names: readonly string[], map: ColumnMap): number {
  return names.filter((name) => typeof fieldOfColumn(name, map) === 'string').length;
}

/**
 * The field of every column, or null where it is left out. Every column must name a field or be mapped, and no field may be named
 * twice.
 *
 * @throws UnreadableLeads naming the line, and every column that is wrong
 */
export function fieldsOfHeader(names: readonly string[], line: number, map: ColumnMap): (string | null)[] {
  const problem = problemOf(names, map);
  if (problem !== undefined) throw new UnreadableLeads(`line ${line}: ${problem}.`);
  return names.map((name) => fieldOfColumn(name, map) ?? null);
}

function problemOf(names: readonly string[], map: ColumnMap): string | undefined {
  const absent = [...map.fieldOf.keys()].filter((column) => !names.includes(column));
  if (absent.length > 0) {
    return `there is no column ${absent.join(', ')}, which --map names as it must stand in the header`;
  }
  if (fieldsIn(names, map) === 0) {
    return `expected a header that names the columns${foundColumns(names)}; the fields are ${FIELD_LIST}. ${HOW_TO_MAP}`;
  }
  const unnamed = map.leavesOutOthers ? -1 : names.indexOf('');
  if (unnamed !== -1) return `column ${unnamed + 1} has no name in the header`;
  const unknown = names.flatMap((name, i) =>
    fieldOfColumn(name, map) === undefined ? [shownName(name, i)] : [],
  );
  if (unknown.length > 0) {
    const what = unknown.length === 1 ? NO_FIELD : 'are not fields of a lead request';
    return `${unknown.join(', ')}: ${what}; the fields are ${FIELD_LIST}. ${HOW_TO_MAP}`;
  }
  const fields = names.flatMap((name) => fieldOfColumn(name, map) ?? []);
  const twice = fields.find((field, i) => fields.indexOf(field) !== i);
  if (twice !== undefined) return `the header names ${twice} twice`;
  return fields.includes('leadRequestId')
    ? undefined
    : `leadRequestId: is missing in the header${foundColumns(names)}. Ids are never made up: --map COLUMN=leadRequestId says which column has them`;
}

/** The columns that a first row names; nothing where one of its cells can be no name, because the row is a person's then. */
function foundColumns(names: readonly string[]): string {
  const whole = names.map((name) => name.replace(/^"?(.*?)"?$/, '$1'));
  return whole.every(isName) ? ` (found ${whole.join(', ')})` : '';
}

function isName(name: string): boolean {
  return NAME.test(name) && !LONG_NUMBER.test(name);
}

function shownName(name: string, i: number): string {
  return isName(name) ? name : `column ${i + 1}`;
}
