import { closeSync, lstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { WrongUsage } from '../errors.ts';
import type { Mistake } from '../leads/mistakes.ts';
import type { Refusal } from '../leads/rows.ts';

/**
 * Where every row that was not taken is written down, one JSON object per line and mistake: the line, the field (null for the row as
 * a whole), the reason and the name of the error. No value of a row.
 */
export class ErrorFile {
  readonly path: string;
  #file: number | null;
  #lines = 0;

  private constructor(path: string, file: number) {
    this.path = path;
    this.#file = file;
  }

  /**
   * The file that was named; else `<leads>.errors.ndjson`, where that can be written, and none for standard input.
   *
   * @throws WrongUsage where the named one cannot be written, or is the file of the lead requests
   */
  static open(leads: string | null, named: string | undefined): ErrorFile | null {
    const path = named ?? (leads === null ? undefined : `${leads}.errors.ndjson`);
    if (path === undefined) return null;
    if (leads !== null && resolve(path) === resolve(leads)) {
      throw new WrongUsage('--errors must name another file than that of the lead requests.');
    }
    try {
      return new ErrorFile(path, openSync(path, 'w'));
    } catch (error) {
      if (named === undefined) return null;
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      throw new WrongUsage(`--errors: ${path} cannot be written (${code}).`);
    }
  }

  get isEmpty(): boolean {
    return this.#lines === 0;
  }

  write(refusal: Refusal): void {
    const { line, error } = refusal;
    for (const { field, reason } of refusal.mistakes ?? [mistakeIn(refusal)]) {
      this.#lines += 1;
      if (this.#file !== null) writeSync(this.#file, `${JSON.stringify({ line, field, reason, error })}\n`);
    }
  }

  /** A file without any line is taken away. */
  close(): void {
    if (this.#file === null) return;
    closeSync(this.#file);
    this.#file = null;
    if (this.isEmpty && lstatSync(this.path).isFile()) rmSync(this.path);
  }
}

/** The start function says in front which field a refusal is about, and may say which id it was: that is a value as well. */
function mistakeIn({ message, leadRequestId }: Refusal): Mistake {
  const [, field = null, reason = ''] = /^(?:(leadRequestId|route): )?(.*?)\.?$/s.exec(message) ?? [];
  const id = leadRequestId === undefined ? null : new RegExp(`(?<![\\w-])${leadRequestId}(?![\\w-])`);
  return { field, reason: id === null ? reason : reason.replace(id, 'this id') };
}
