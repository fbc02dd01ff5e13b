/** Where a line may break: after spaces, and after the hyphens and colons of codes. */
const BREAK = /(?<=\s|[a-z][-:]|@)/;

/** A column becomes narrower than this only where all of its pieces are. */
const LEAST = 12;

/**
 * Widths for columns that together have `room`: what is too much is taken from the widest, as long as its words stay whole.
 *
 * @param columns the lines of each column
 */
export function fittedWidths(columns: readonly (readonly string[])[], room: number): number[] {
  const widths = columns.map((lines) => Math.max(...lines.map((line) => line.length)));
  const least = columns.map((lines) =>
    Math.min(
      LEAST,
      Math.max(...lines.flatMap((line) => line.split(BREAK).map((part) => part.trim().length))),
    ),
  );
  for (let excess = widths.reduce((sum, width) => sum + width, 0) - room; excess > 0; excess--) {
    const spare = widths.map((width, i) => (width > (least[i] ?? 0) ? width : 0));
    const widest = Math.max(...spare);
    if (widest === 0) break;
    widths[spare.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** Breaks a line; a piece that is longer than a line is cut. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of text.split(BREAK)) {
    if (line !== '' && (line + piece).trimEnd().length > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += piece;
    while (line.trimEnd().length > width) {
      lines.push(line.slice(0, width));
      line = line.slice(width);
    }
  }
  return line === '' ? lines : [...lines, line.trimEnd()];
}
