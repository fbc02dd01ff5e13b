import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A function's process, as /proc shows it. */
export interface FunctionProcess {
  readonly pid: number;
  /** The name of the Lambda function. */
  readonly name: string;
}

/** Function processes that are children of this engine, and of no other. */
export function functionProcesses(enginePid: number): FunctionProcess[] {
  return childrenOf(enginePid).flatMap((pid) => {
    const name = environmentOf(pid).find((entry) => entry.startsWith('AWS_LAMBDA_FUNCTION_NAME='));
    return name === undefined ? [] : [{ pid, name: name.slice(name.indexOf('=') + 1) }];
  });
}

export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

/** Ends a process if it still is a child of this parent; false when it is not. */
export function killChild(pid: number, parent: number): boolean {
  return parentOf(pid) === parent && signal(pid, 'SIGKILL');
}

/** False when it has ended. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Processes that were stopped for a while. Whatever happens they go on: one that is stopped does not even see that its engine has gone. */
export class Freezer {
  readonly #frozen = new Set<number>();

  /** False when it is no child of this parent. */
  async freeze(pid: number, parent: number, forMs: number): Promise<boolean> {
    if (parentOf(pid) !== parent || !signal(pid, 'SIGSTOP')) return false;
    this.#frozen.add(pid);
    await sleep(forMs);
    this.#thaw(pid);
    return true;
  }

  thawAll(): void {
    for (const pid of this.#frozen) this.#thaw(pid);
  }

  #thaw(pid: number): void {
    if (this.#frozen.delete(pid)) signal(pid, 'SIGCONT');
  }
}

/** False also for one that has ended and was not waited for. */
export function isAlive(pid: number): boolean {
  return statusOf(pid) !== null;
}

/** Processor time that it has used, in clock ticks (a hundredth of a second); null when it has ended. */
export function ticksOf(pid: number): number | null {
  return statusOf(pid)?.ticks ?? null;
}

function parentOf(pid: number): number | null {
  return statusOf(pid)?.parent ?? null;
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function statusOf(pid: number): { parent: number; ticks: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // From the third field on; user and system time are the fields 14 and 15.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, parent] = fields;
    if (state === 'Z') return null;
    return { parent: Number(parent), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return null;
  }
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
