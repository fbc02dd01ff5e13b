import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const RING_LINES = 2_000;

/** What the functions print: the last lines of each in memory, everything in `<data>/logs` if there is such a directory. */
export class FunctionLogs {
  readonly #lines = new Map<string, string[]>();
  readonly #partial = new Map<string, string>();
  readonly #directory: string | undefined;
  readonly #onLine: (functionName: string, line: string) => void;

  constructor(directory?: string, onLine: (functionName: string, line: string) => void = () => {}) {
    this.#directory = directory;
    this.#onLine = onLine;
    if (directory !== undefined) mkdirSync(directory, { recursive: true });
  }

  write(functionName: string, chunk: string): void {
    const text = (this.#partial.get(functionName) ?? '') + chunk;
    const lines = text.split('\n');
    this.#partial.set(functionName, lines.pop() ?? '');
    if (lines.length === 0) return;
    const kept = this.#lines.get(functionName) ?? [];
    kept.push(...lines);
    this.#lines.set(functionName, kept.slice(-RING_LINES));
    if (this.#directory !== undefined) {
      appendFileSync(join(this.#directory, `${functionName}.log`), `${lines.join('\n')}\n`);
    }
    for (const line of lines) this.#onLine(functionName, line);
  }

  /** The last lines of a function, oldest first. */
  lines(functionName: string): string[] {
    return [...(this.#lines.get(functionName) ?? [])];
  }
}
