import { UnreadableLeads } from '../errors.ts';
import { BrokenJson, elementLines } from './json-lines.ts';
import { malformed, type Refusal, type Row } from './rows.ts';
import { linesOf } from './text.ts';

/**
 * One object, or an array of them.
 *
 * @throws UnreadableLeads naming the line
 */
export function jsonRows(text: string): Row[] {
  try {
    const lines = elementLines(text);
    const value: unknown = JSON.parse(text);
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.map((one, i) => ({ line: lines[i] ?? 1, value: one }));
  } catch (error) {
    if (error instanceof BrokenJson) throw new UnreadableLeads(error.message);
    throw error;
  }
}

/** One object per line; empty lines are skipped. */
export async function* ndjsonRows(text: AsyncIterable<string>): AsyncGenerator<Row | Refusal> {
  let line = 0;
  for await (const content of linesOf(text)) {
    line += 1;
    if (content.trim() !== '') yield rowOf(line, content);
  }
}

function rowOf(line: number, content: string): Row | Refusal {
  try {
    return { line, value: JSON.parse(content) };
  } catch {
    return malformed(line, `expected one JSON object in this line${brokenAt(content)}`);
  }
}

function brokenAt(content: string): string {
  try {
    elementLines(content);
    return '';
  } catch (error) {
    return error instanceof BrokenJson ? `, which is not JSON from column ${error.column} on` : '';
  }
}
