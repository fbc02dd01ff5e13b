import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Another engine that still runs keeps its data in this directory. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
  readonly directory: string;
  readonly pid: number;

  constructor(directory: string, pid: number) {
    super(
      `Another engine (process ${pid}) works in ${directory}: stop it, or give another directory with --data.`,
    );
    this.directory = directory;
    this.pid = pid;
  }
}

/** The directory holds files that no engine put there, so it is not emptied. */
export class NotADataDir extends Error {
  override readonly name = 'NotADataDir';

  constructor(directory: string) {
    super(`${directory} is not a data directory of the embedded engine, so --fresh does not empty it.`);
  }
}

const LOCK = 'engine.json';
const CONTENT = ['assembly', 'executions', 'logs', 'queues', 'secrets.json', 'tables', LOCK];

/** The directory where an engine keeps what must survive it. One engine at a time. */
export class DataDir {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /**
   * Takes the directory for this process.
   *
   * @param fresh whether to empty it first
   * @throws DataDirInUse, NotADataDir
   */
  static open(path: string, fresh: boolean): DataDir {
    mkdirSync(path, { recursive: true });
    if (fresh && readdirSync(path).some((entry) => !CONTENT.includes(entry))) throw new NotADataDir(path);
    takeLock(path);
    if (fresh) {
      for (const entry of readdirSync(path)) {
        if (entry !== LOCK) rmSync(join(path, entry), { recursive: true, force: true });
      }
    }
    return new DataDir(path);
  }

  /** A path inside. */
  at(...parts: string[]): string {
    return join(this.path, ...parts);
  }

  release(): void {
    rmSync(this.at(LOCK), { force: true });
  }
}

interface Holder {
  pid: number;
  /** When that process began; tells it from a later process with the same number. */
  began: string;
}

function takeLock(path: string): void {
  const file = join(path, LOCK);
  const mine = JSON.stringify({ pid: process.pid, began: beginOf(process.pid) } satisfies Holder);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeFileSync(file, mine, { flag: 'wx' });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = readHolder(file);
      if (holder && isAlive(holder)) throw new DataDirInUse(path, holder.pid);
      rmSync(file, { force: true });
    }
  }
  writeFileSync(file, mine, { flag: 'wx' });
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, began }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return beginOf(pid) === began;
}

/** The start time of a process where the system tells it (Linux); elsewhere, and for a dead process, a constant. */
function beginOf(pid: number): string {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 'unknown';
  const afterName = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const [state] = afterName;
  return state === 'Z' ? 'ended' : (afterName[19] ?? 'unknown');
}
