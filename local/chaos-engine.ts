import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type AwsAccess, awsAccess } from '../cli/aws/access.ts';
import { functionProcesses, isAlive } from './chaos-processes.ts';

/** The engine did not start, or ended without being told to; its last words are in the message. */
export class EngineFailed extends Error {
  override readonly name = 'EngineFailed';
}

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const START_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 20_000;
const KEPT_OUTPUT = 4_000;

export interface EngineOptions {
  readonly sandboxUrl: string;
  readonly data: string;
  readonly assembly: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly aws: AwsAccess;
}

/** The engine in a process of its own, so that it can be ended like a machine that loses power, and started again on its data. */
export class ChaosEngine {
  readonly #options: EngineOptions;
  #running: Running | null = null;
  /** Of the process that is starting or running; null once it has ended. */
  #child: ChildProcess | null = null;
  #output = '';
  #expectedToEnd = false;
  /** Set when it ended without being told to. */
  failure: EngineFailed | null = null;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /** Null while it is down. */
  get aws(): AwsAccess | null {
    return this.#running?.aws ?? null;
  }

  get pid(): number | null {
    return this.#running?.pid ?? null;
  }

  /** @throws EngineFailed */
  async start(): Promise<void> {
    const { sandboxUrl, data, assembly } = this.#options;
    this.#output = '';
    this.#expectedToEnd = false;
    const child = spawn(
      process.execPath,
      [MAIN, '--port', '0', '--sandbox-url', sandboxUrl, '--data', data, '--assembly', assembly],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        this.#output = (this.#output + chunk).slice(-KEPT_OUTPUT);
      });
    }
    child.once('exit', (code, signal) => {
      if (this.#child === child) this.#child = null;
      this.#running = null;
      if (this.#expectedToEnd) return;
      this.failure = new EngineFailed(`The engine ended by itself (${code ?? signal}):\n${this.#output}`);
    });
    const giveUpAt = Date.now() + START_WITHIN_MS;
    while (!this.#output.includes('Ready.')) {
      if (this.failure) throw this.failure;
      if (this.#expectedToEnd) return;
      if (Date.now() > giveUpAt) throw new EngineFailed(`The engine did not start:\n${this.#output}`);
      await sleep(20);
    }
    const url = /AWS endpoint\s+(\S+)/.exec(this.#output)?.[1];
    if (url === undefined || child.pid === undefined) throw new EngineFailed(this.#output);
    this.#running = { child, pid: child.pid, aws: awsAccess({ stage: 'local', endpoint: url }, {}) };
  }

  /** SIGKILL, and waits until it and its function processes have ended. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** SIGTERM; SIGKILL when that takes too long. */
  async stop(): Promise<void> {
    const forced = setTimeout(() => this.#child?.kill('SIGKILL'), STOP_WITHIN_MS);
    await this.#end('SIGTERM');
    clearTimeout(forced);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#expectedToEnd = true;
    if (!child?.pid) return;
    const functions = functionProcesses(child.pid);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await exited;
    const giveUpAt = Date.now() + STOP_WITHIN_MS;
    while (functions.some(({ pid }) => isAlive(pid)) && Date.now() < giveUpAt) await sleep(20);
  }
}
