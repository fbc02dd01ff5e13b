import { UnreadableLeads } from '../errors.ts';
import { BrokenJson, elementLines } from './json-lines.ts';
import { malformed, type Refusal, type Row, type Rows } from './rows.ts';

/**
 * One object, or an array of them.
 *
 * @throws UnreadableLeads naming the line
 */
export function jsonRows(text: string): Rows {
  try {
    const lines = elementLines(text);
    const value: unknown = JSON.parse(text);
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return { rows: values.map((one, i) => ({ line: lines[i] ?? 1, value: one })), refused: [] };
  } catch (error) {
    if (error instanceof BrokenJson) throw new UnreadableLeads(error.message);
    throw error;
  }
}

/** One object per line; empty lines are skipped. */
export function ndjsonRows(text: string): Rows {
  const rows: Row[] = [];
  const refused: Refusal[] = [];
  for (const [i, content] of text.split('\n').entries()) {
    if (content.trim() === '') continue;
    try {
      rows.push({ line: i + 1, value: JSON.parse(content) });
    } catch {
      refused.push(malformed(i + 1, `expected one JSON object in this line${brokenAt(content)}`));
    }
  }
  return { rows, refused };
}

function brokenAt(content: string): string {
  try {
    elementLines(content);
    return '';
  } catch (error) {
    return error instanceof BrokenJson ? `, which is not JSON from column ${error.column} on` : '';
  }
}
