import { closeSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { Fingerprints } from '../leads/fingerprints.ts';

/** Where the lead requests went that a file remembers. */
export interface Target {
  readonly stage: string;
  readonly endpoint: string | null;
  readonly route: string;
}

const DIGITS = 32;
const ENTRY = /^[0-9a-f]{32}$/;

/**
 * `<leads>.progress`: the lead requests of a file that were accepted, so that a run after an interrupted one need not hand them in
 * again. Each is the beginning of the hash of all of its fields, written down after the start function has said that it has it; a
 * row that was changed since is another one. Lines that were not written to their end do not count.
 */
export class AcceptedBefore {
  readonly #path: string;
  readonly #header: string;
  readonly #before: Fingerprints;
  #file: number | null = null;

  private constructor(path: string, header: string, before: Fingerprints) {
    this.#path = path;
    this.#header = header;
    this.#before = before;
  }

  /** What an earlier run has left for this target; empty where there is nothing that can be read. */
  static read(leads: string, target: Target): AcceptedBefore {
    const path = `${leads}.progress`;
    const header = `${JSON.stringify({ leadHandoffProgress: 1, ...target })}\n`;
    const before = new Fingerprints();
    const text = textOf(path);
    if (text.startsWith(header)) {
      const lines = text.slice(header.length).split('\n');
      for (const line of lines.slice(0, -1)) if (ENTRY.test(line)) before.add(line);
    }
    return new AcceptedBefore(path, header, before);
  }

  /** How many an earlier run has left. */
  get size(): number {
    return this.#before.size;
  }

  /** Whether an earlier run has left it. */
  has(intentHash: string): boolean {
    return this.#before.has(intentHash);
  }

  /** Goes on with the file of the earlier run, or begins a new one. Where it cannot be written, nothing is. */
  begin(): void {
    try {
      if (this.size > 0) truncateSync(this.#path, endOfLastLine(textOf(this.#path)));
      this.#file = openSync(this.#path, this.size > 0 ? 'a' : 'w');
      if (this.size === 0) writeSync(this.#file, this.#header);
    } catch {
      this.#file = null;
    }
  }

  /** Where it cannot be written any more, the rest is not: that costs time, and nothing else. */
  add(intentHash: string): void {
    if (this.#file === null) return;
    try {
      writeSync(this.#file, `${intentHash.slice(0, DIGITS)}\n`);
    } catch {
      this.close();
    }
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  /** The same, with nothing left by an earlier run. */
  emptied(): AcceptedBefore {
    return new AcceptedBefore(this.#path, this.#header, new Fingerprints());
  }

  /** Nothing is left to go on with. */
  remove(): void {
    this.close();
    rmSync(this.#path, { force: true });
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function endOfLastLine(text: string): number {
  return text.lastIndexOf('\n') + 1;
}
