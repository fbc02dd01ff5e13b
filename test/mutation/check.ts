import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A check that takes longer has not caught anything. */
const CHECK_MS = 180_000;

/** What a run of tests came to. */
export type CheckResult =
  | { readonly kind: 'passed'; readonly passed: readonly string[] }
  | { readonly kind: 'failed'; readonly firstFailure: string }
  /** No test spoke: a file could not be loaded, none was found, or the run took too long. */
  | { readonly kind: 'broken'; readonly why: string };

export interface Check {
  readonly tests: readonly string[];
  readonly name?: string | undefined;
}

interface JsonReport {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

let running: ChildProcess | undefined;

/** Ends the tests that are under way, with the workers they started. */
export function endRunningCheck(): void {
  if (running?.pid === undefined) return;
  try {
    process.kill(-running.pid, 'SIGKILL');
  } catch {
    // They have ended by themselves.
  }
}

/** Runs tests of a tree with vitest, in a process of their own. */
export async function runCheck(tree: string, { tests, name }: Check): Promise<CheckResult> {
  const scratch = mkdtempSync(join(tree, '.check-'));
  const outputFile = join(scratch, 'report.json');
  const pattern = name?.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const ended = await ending(
    spawn(
      process.execPath,
      [
        join(tree, 'node_modules/vitest/vitest.mjs'),
        'run',
        ...tests,
        ...(pattern === undefined ? [] : ['--testNamePattern', pattern]),
        '--reporter=json',
        `--outputFile=${outputFile}`,
        '--maxWorkers=1',
        '--cache=false',
      ],
      { cwd: tree, detached: true, stdio: 'ignore' },
    ),
  );
  if (!ended) return { kind: 'broken', why: `took longer than ${CHECK_MS / 1000} s` };
  try {
    return resultOf(JSON.parse(readFileSync(outputFile, 'utf8')));
  } catch (error) {
    return { kind: 'broken', why: `left no report (${(error as Error).message})` };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function ending(child: ChildProcess): Promise<boolean> {
  running = child;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  child.once('close', () => resolve(true));
  const timer = setTimeout(() => {
    endRunningCheck();
    resolve(false);
  }, CHECK_MS);
  const inTime = await promise;
  clearTimeout(timer);
  running = undefined;
  return inTime;
}

function resultOf({ success, testResults }: JsonReport): CheckResult {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.find(({ status }) => status === 'failed');
  if (failed) return { kind: 'failed', firstFailure: failed.fullName };
  const unloaded = testResults.find(({ assertionResults }) => assertionResults.length === 0);
  if (!success || unloaded)
    return { kind: 'broken', why: firstLine(unloaded?.message ?? 'failed outside a test') };
  const passed = results.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName);
  return passed.length > 0 ? { kind: 'passed', passed } : { kind: 'broken', why: 'no test of that name' };
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
