import { type ChildProcess, spawn } from 'node:child_process';

/** A program that the rehearsal started did not do what it was started for. The message ends with its own last words. */
export class ProgramFailed extends Error {
  override readonly name = 'ProgramFailed';

  constructor(what: string, how: string, output: string) {
    super(`${what} ${how}:\n${output.trim().split('\n').slice(-30).join('\n')}`);
  }
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What `start` started and has not ended. */
const alive = new Set<ChildProcess>();

/** Starts a program as the head of a process group of its own, so that it can be ended with all that it starts. */
export function start({ command, args, cwd, env }: Program): ChildProcess {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  return child;
}

/** Ends every program that `start` started. */
export async function endAll(): Promise<void> {
  await Promise.all([...alive].map(end));
}

/** Ends a program of `start` and everything in its group, and waits for it to be gone. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const gone = hasEnded(child) ? Promise.resolve() : new Promise((done) => child.once('exit', done));
  signalGroup(child.pid, 'SIGTERM');
  const impatient = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), 3_000);
  await gone;
  clearTimeout(impatient);
  // What the head of the group left behind.
  signalGroup(child.pid, 'SIGKILL');
}

/**
 * Runs a program to its end and resolves with everything it wrote.
 *
 * @throws ProgramFailed when it ends with an error, or does not end within `withinMs`; it is gone then.
 */
export async function run(what: string, program: Program, withinMs: number): Promise<string> {
  const child = start(program);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void end(child);
  }, withinMs);
  const code = await new Promise<number | null>((done, failed) => {
    child.once('error', failed);
    child.once('close', done);
  }).finally(() => clearTimeout(timer));
  if (late) throw new ProgramFailed(what, `took longer than ${withinMs / 1000} s`, output);
  if (code !== 0) throw new ProgramFailed(what, `ended with ${code}`, output);
  return output;
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
