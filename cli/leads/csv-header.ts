import { UnreadableLeads } from '../errors.ts';
import { FIELD_LIST, LEAD_FIELDS, NO_FIELD } from './fields.ts';

const OTHER_SEPARATORS: readonly (readonly [string, string])[] = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'vertical bars'],
];

/** A column's name as people choose it. What else stands in a first row may be a person's data, and is not repeated. */
const NAME = /^\p{L}[\p{L}\p{N} _./()#-]{0,39}$/u;
const LONG_NUMBER = /\d{4}/;

/**
 * Spreadsheets of many countries write semicolons into what they call CSV. Read by commas such a file is one column.
 *
 * @throws UnreadableLeads
 */
export function checkSeparator(text: string): void {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((content) => content.trim() !== '');
  const header = lines[first] ?? '';
  for (const [separator, name] of OTHER_SEPARATORS) {
    const said = new RegExp(`^"?sep=\\${separator}`, 'i').test(header);
    if (said || isMoreLike(header, separator)) {
      throw new UnreadableLeads(
        `line ${first + 1}: the columns are separated by ${name}, and must be separated by commas.`,
      );
    }
  }
}

/** Split by it, the header names more fields; or it names none either way, and has more columns. */
function isMoreLike(header: string, separator: string): boolean {
  const columns = namesIn(header, separator);
  const byComma = namesIn(header, ',');
  const more = fieldsIn(columns) - fieldsIn(byComma);
  return more > 0 || (fieldsIn(byComma) === 0 && columns.length > byComma.length);
}

function namesIn(header: string, separator: string): string[] {
  return header.split(separator).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
}

function fieldsIn(names: readonly string[]): number {
  return names.filter((name) => LEAD_FIELDS.includes(name)).length;
}

/**
 * Every column must name a field, and no field may be named twice.
 *
 * @throws UnreadableLeads naming the line, and every column that is wrong
 */
export function checkHeader(names: readonly string[], line: number): void {
  const problem = problemOf(names);
  if (problem !== undefined) throw new UnreadableLeads(`line ${line}: ${problem}.`);
}

function problemOf(names: readonly string[]): string | undefined {
  if (fieldsIn(names) === 0) {
    return `expected a header that names the columns; the fields are ${FIELD_LIST}`;
  }
  const unnamed = names.indexOf('');
  if (unnamed !== -1) return `column ${unnamed + 1} has no name in the header`;
  const unknown = names.flatMap((name, i) => (LEAD_FIELDS.includes(name) ? [] : [shownName(name, i)]));
  if (unknown.length > 0) {
    const what = unknown.length === 1 ? NO_FIELD : 'are not fields of a lead request';
    return `${unknown.join(', ')}: ${what}; the fields are ${FIELD_LIST}`;
  }
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return `the header names ${twice} twice`;
  return names.includes('leadRequestId') ? undefined : 'leadRequestId: is missing in the header';
}

function shownName(name: string, i: number): string {
  return NAME.test(name) && !LONG_NUMBER.test(name) ? name : `column ${i + 1}`;
}
