/** A place in a text; both count from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** The text is not JSON; `line` and `column` are where it stops being so. */
export class BrokenJson extends Error {
  override readonly name = 'BrokenJson';
  readonly line: number;
  readonly column: number;

  constructor({ line, column }: Place) {
    super(`line ${line}, column ${column}: this is not JSON.`);
    this.line = line;
    this.column = column;
  }
}

const SPACE = String.raw`[\t\n\r ]*`;
const STRING = String.raw`"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"`;
const OTHER = String.raw`(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])`;
const TOKEN = new RegExp(`${SPACE}(?:([{}[\\],:])|(${STRING})|${OTHER})`, 'y');

type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'more' | 'end';

/**
 * The line of every element of a JSON array, or of the one value that the text is.
 *
 * `JSON.parse` repeats a part of the text in its messages and does not always say where it stopped, so that this looks itself.
 *
 * @throws BrokenJson
 */
export function elementLines(text: string): number[] {
  const lines: number[] = [];
  const open: string[] = [];
  let expected: Expected = 'value';
  let isArray = false;
  let position = 0;
  const placeOf = placeFinder(text);
  while (true) {
    TOKEN.lastIndex = position;
    const match = TOKEN.exec(text);
    if (!match) break;
    const [whole, mark, string] = match;
    const startsAt = position + whole.search(/[^\t\n\r ]/);
    const isValue = mark === undefined || mark === '{' || mark === '[';
    const closes = mark === '}' || mark === ']';
    if (isValue && (expected === 'value' || expected === 'first value')) {
      if (open.length === (isArray ? 1 : 0) && !(open.length === 0 && mark === '[')) {
        lines.push(placeOf(startsAt).line);
      }
      if (open.length === 0) isArray = mark === '[';
      if (mark !== undefined) open.push(mark);
      expected = mark === undefined ? after(open) : mark === '{' ? 'first key' : 'first value';
    } else if (string !== undefined && (expected === 'key' || expected === 'first key')) {
      expected = 'colon';
    } else if (mark === ':' && expected === 'colon') {
      expected = 'value';
    } else if (mark === ',' && expected === 'more') {
      expected = open.at(-1) === '{' ? 'key' : 'value';
    } else if (closes && mayClose(expected, mark, open.at(-1))) {
      open.pop();
      expected = after(open);
    } else {
      throw new BrokenJson(placeOf(startsAt));
    }
    position += whole.length;
  }
  const rest = text.slice(position).search(/[^\t\n\r ]/);
  if (rest !== -1) throw new BrokenJson(placeOf(position + rest));
  if (expected !== 'end') throw new BrokenJson(placeOf(text.trimEnd().length));
  return lines;
}

function after(open: readonly string[]): Expected {
  return open.length === 0 ? 'end' : 'more';
}

function mayClose(expected: Expected, mark: string | undefined, opened: string | undefined): boolean {
  if (mark === '}') return opened === '{' && (expected === 'more' || expected === 'first key');
  return opened === '[' && (expected === 'more' || expected === 'first value');
}

/** The places of ever later positions. */
function placeFinder(text: string): (position: number) => Place {
  let line = 1;
  let lineStart = 0;
  let counted = 0;
  return (position) => {
    for (; counted < position; counted++) {
      if (text[counted] !== '\n') continue;
      line++;
      lineStart = counted + 1;
    }
    return { line, column: position - lineStart + 1 };
  };
}
