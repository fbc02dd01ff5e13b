import { UnreadableLeads } from '../errors.ts';

/** The longest row: a lead request has at most 64 KiB, and six times that where every character is escaped. */
export const LONGEST_ROW = 512 * 1024;

/**
 * Bytes as text in UTF-8 whose lines end in `\n`, piece by piece; without a byte order mark.
 *
 * @throws UnreadableLeads
 */
export async function* textOf(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new UnreadableLeads(`${name} is not text in UTF-8.`);
    }
  };
  // A line end may be cut in two.
  let carried = '';
  for await (const chunk of bytes) {
    const text = carried + decoded(chunk);
    carried = text.endsWith('\r') ? '\r' : '';
    yield text.slice(0, text.length - carried.length).replaceAll('\r\n', '\n');
  }
  yield carried + decoded();
}

/** Text as a whole. */
export async function wholeText(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/**
 * The lines of a text, one by one.
 *
 * @throws UnreadableLeads naming a line that is too long to be a row
 */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let line = 1;
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    line += lines.length;
    if (rest.length > LONGEST_ROW) {
      throw new UnreadableLeads(`line ${line}: is longer than a lead request can be.`);
    }
    yield* lines;
  }
  yield rest;
}
