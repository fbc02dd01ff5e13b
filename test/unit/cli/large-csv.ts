import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** One row in a hundred is bad: its address is none. */
const BAD_EVERY = 100;

export interface LargeCsv {
  readonly goodIds: readonly string[];
  /** The lines of the bad rows. */
  readonly badLines: readonly number[];
}

/** What stands in a cell of every bad row, and may be repeated nowhere. */
export const BAD_VALUE = 'jo.secret';

/** Writes a CSV as a form tool exports it: with a byte order mark, CRLF, quotes, and messages of two lines in it. */
export async function writeLargeCsv(path: string, rows: number, prefix = 'row'): Promise<LargeCsv> {
  const file = createWriteStream(path);
  const goodIds: string[] = [];
  const badLines: number[] = [];
  file.write('\ufeffleadRequestId,email,firstName,company,message\r\n');
  let line = 2;
  for (let i = 1; i <= rows; i++) {
    const id = `${prefix}-${i}`;
    const bad = i % BAD_EVERY === 0;
    const twoLines = i % 10 === 0;
    const message = twoLines ? `"We need ${i} seats,\r\nand ""soon"""` : `We need ${i} seats`;
    const email = bad ? `${BAD_VALUE}.${i}` : `${id}@example.com`;
    const text = `${id},${email},Zofia,"Mill, ${i}",${message}\r\n`;
    if (bad) badLines.push(line);
    else goodIds.push(id);
    line += twoLines ? 2 : 1;
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await finished(file);
  return { goodIds, badLines };
}
