import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { HistoryEvent } from './interpreter/history.ts';
import type { ExecutionSnapshot } from './interpreter/snapshot.ts';

/** What is fixed when an execution starts. Times are milliseconds since the epoch. */
export interface ExecutionStart {
  readonly arn: string;
  readonly name: string;
  readonly stateMachineArn: string;
  readonly stateMachineName: string;
  readonly roleArn: string;
  /** The definition that the execution started with; it keeps it to its end. */
  readonly definition: string;
  /** The input as it was given, JSON text. */
  readonly input: string;
  readonly startDate: number;
}

/** One redrive of an execution. `date` is milliseconds since the epoch. */
export interface Redrive {
  readonly date: number;
  readonly clientToken?: string;
}

type JournalLine =
  | { kind: 'start'; start: ExecutionStart }
  | { kind: 'event'; event: HistoryEvent }
  | { kind: 'token'; token: string }
  | { kind: 'snapshot'; snapshot: ExecutionSnapshot }
  | { kind: 'redrive'; redrive: Redrive; event: HistoryEvent; snapshot: ExecutionSnapshot };

/** An execution as its journal tells it. */
export interface JournaledExecution {
  readonly start: ExecutionStart;
  readonly events: HistoryEvent[];
  readonly tokens: string[];
  readonly redrives: Redrive[];
  /** Absent when the engine was killed before the first state. */
  readonly snapshot?: ExecutionSnapshot;
}

/** Superseded snapshots of a file are dropped when they come to so many bytes. */
const COMPACT_AT_BYTES = 4 * 1024 * 1024;

/**
 * What must survive the engine: a file per execution, a JSON line per event, token and snapshot. A line is handed to
 * the operating system before the call returns, so a killed engine loses nothing; a machine without power may.
 */
export class Journal {
  readonly #directory: string | undefined;
  readonly #snapshotBytes = new Map<string, number>();

  /** @param directory absent: nothing is kept */
  constructor(directory?: string) {
    this.#directory = directory;
    if (directory !== undefined) mkdirSync(directory, { recursive: true });
  }

  started(start: ExecutionStart): void {
    this.#append(start.arn, { kind: 'start', start });
  }

  event(arn: string, event: HistoryEvent): void {
    this.#append(arn, { kind: 'event', event });
  }

  /** A task token was made; from now on it is ours, even when nobody waits on it. */
  token(arn: string, token: string): void {
    this.#append(arn, { kind: 'token', token });
  }

  /** One line, so that a kill leaves the redrive either whole or not begun. */
  redriven(arn: string, redrive: Redrive, event: HistoryEvent, snapshot: ExecutionSnapshot): void {
    this.#append(arn, { kind: 'redrive', redrive, event, snapshot });
  }

  snapshot(arn: string, snapshot: ExecutionSnapshot): void {
    const bytes = this.#append(arn, { kind: 'snapshot', snapshot });
    const total = (this.#snapshotBytes.get(arn) ?? 0) + bytes;
    this.#snapshotBytes.set(arn, total);
    if (total > COMPACT_AT_BYTES && total > bytes * 8) this.#compact(arn);
  }

  /** Forgets an execution whose name may be used again. */
  forget(arn: string): void {
    if (this.#directory !== undefined) rmSync(this.#file(arn), { force: true });
  }

  /** Every execution that was ever journaled here, oldest first. */
  load(): JournaledExecution[] {
    const directory = this.#directory;
    if (directory === undefined) return [];
    return readdirSync(directory)
      .filter((name) => name.endsWith('.ndjson'))
      .flatMap((name) => replay(readLines(join(directory, name))) ?? [])
      .sort((a, b) => a.start.startDate - b.start.startDate);
  }

  #append(arn: string, line: JournalLine): number {
    if (this.#directory === undefined) return 0;
    const text = `${JSON.stringify(line)}\n`;
    appendFileSync(this.#file(arn), text);
    return text.length;
  }

  /** Writes the file anew without the snapshots that a later one replaces. */
  #compact(arn: string): void {
    const file = this.#file(arn);
    if (!existsSync(file)) return;
    const lines = readLines(file);
    const last = lines.findLastIndex(({ kind }) => kind === 'snapshot');
    const kept = lines.filter(({ kind }, index) => kind !== 'snapshot' || index === last);
    writeFileSync(`${file}.new`, kept.map((line) => `${JSON.stringify(line)}\n`).join(''));
    renameSync(`${file}.new`, file);
    this.#snapshotBytes.set(arn, 0);
  }

  #file(arn: string): string {
    const hash = createHash('sha256').update(arn).digest('hex').slice(0, 32);
    return join(this.#directory ?? '', `${hash}.ndjson`);
  }
}

/** A last line that was cut off by a kill is taken away: it is as if it had not been written. */
function readLines(file: string): JournalLine[] {
  const text = readFileSync(file);
  const whole = text.lastIndexOf('\n') + 1;
  if (whole < text.length) truncateSync(file, whole);
  const texts = text.subarray(0, whole).toString('utf8').split('\n');
  texts.pop();
  return texts.map((text) => JSON.parse(text) as JournalLine);
}

function replay(lines: readonly JournalLine[]): JournaledExecution | undefined {
  let start: ExecutionStart | undefined;
  let snapshot: ExecutionSnapshot | undefined;
  const events: HistoryEvent[] = [];
  const tokens: string[] = [];
  const redrives: Redrive[] = [];
  for (const line of lines) {
    if (line.kind === 'start') start = line.start;
    if (line.kind === 'token') tokens.push(line.token);
    if (line.kind === 'redrive') redrives.push(line.redrive);
    if (line.kind === 'snapshot' || line.kind === 'redrive') snapshot = line.snapshot;
    if (line.kind === 'event' || line.kind === 'redrive') addEvent(events, line.event);
  }
  if (!start) return undefined;
  return { start, events, tokens, redrives, ...(snapshot && { snapshot }) };
}

/** An event under a number that was given before takes the place of the earlier ones from there on. */
function addEvent(events: HistoryEvent[], event: HistoryEvent): void {
  events.length = Math.min(events.length, event.id - 1);
  events.push(event);
}
