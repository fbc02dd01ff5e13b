import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Compiling the command's modules anew takes more than half of a short command's time. Node keeps what it compiled by content. */
const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/handoff', import.meta.url));

export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface HowToRun {
  readonly stdin?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
  readonly onStart?: (child: ChildProcess) => void;
}

/** Runs the command as a person would, with nothing of AWS in its environment. */
export function runHandoff(
  args: readonly string[],
  { stdin = '', environment = {}, onStart }: HowToRun = {},
): Promise<Ended> {
  const child = spawn(process.execPath, ['bin/handoff.ts', ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      AWS_EC2_METADATA_DISABLED: 'true',
      NODE_COMPILE_CACHE: COMPILED,
      ...environment,
    },
  });
  const ended = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    ended.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    ended.stderr += chunk.toString();
  });
  // The command may end without reading its input.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  onStart?.(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, ...ended }));
  });
}
