import { closeSync, existsSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { Fingerprints } from '../leads/fingerprints.ts';

/** Where lead requests went that a file remembers. */
export interface Target {
  readonly route: string;
  /** What tells the ledger from every other one. */
  readonly ledger: string;
}

const DIGITS = 32;
const ENTRY = /^[0-9a-f]{32}$/;

/**
 * `<leads>.progress`: the lead requests of a file that were accepted, so that a run after an interrupted one need not hand them in
 * again. Each is the beginning of the hash of all of its fields, written down after the start function has said that it has it: a row
 * that was changed since is another one, and so is a row for another ledger. Lines that were not written to their end do not count.
 */
export class AcceptedBefore {
  readonly #path: string;
  readonly #before: Fingerprints;
  #file: number | null;

  private constructor(path: string, before: Fingerprints, file: number | null) {
    this.#path = path;
    this.#before = before;
    this.#file = file;
  }

  /** Whether an earlier run has left anything. */
  static isThere(leads: string): boolean {
    return existsSync(pathFor(leads));
  }

  /** Goes on with what an earlier run has left for this target, or begins anew. */
  static open(leads: string, target: Target): AcceptedBefore {
    const path = pathFor(leads);
    const header = `${JSON.stringify({ leadHandoffProgress: 1, ...target })}\n`;
    const text = textOf(path);
    const before = new Fingerprints();
    const goesOn = text.startsWith(header);
    if (goesOn) for (const entry of entriesIn(text, header.length)) before.add(entry);
    return new AcceptedBefore(path, before, goesOn ? appending(path, text) : beginning(path, header));
  }

  /** Whether an earlier run has left it. */
  has(intentHash: string): boolean {
    return this.#before.has(intentHash);
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

  /** Nothing is left to go on with. */
  remove(): void {
    this.close();
    rmSync(this.#path, { force: true });
  }
}

function pathFor(leads: string): string {
  return `${leads}.progress`;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function* entriesIn(text: string, from: number): Generator<string> {
  for (let at = from, end = text.indexOf('\n', at); end !== -1; at = end + 1, end = text.indexOf('\n', at)) {
    const entry = text.slice(at, end);
    if (ENTRY.test(entry)) yield entry;
  }
}

/** What was not written to its end would run into what is written next. */
function appending(path: string, text: string): number | null {
  return openedOrNull(() => {
    truncateSync(path, text.lastIndexOf('\n') + 1);
    return openSync(path, 'a');
  });
}

function beginning(path: string, header: string): number | null {
  return openedOrNull(() => {
    const file = openSync(path, 'w', 0o600);
    writeSync(file, header);
    return file;
  });
}

function openedOrNull(open: () => number): number | null {
  try {
    return open();
  } catch {
    return null;
  }
}
