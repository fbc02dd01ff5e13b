import { spawn } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureEngine, NotHappy } from './bench-engine.ts';
import { DEFAULT_LEADS, readFlags, WrongUsage } from './bench-flags.ts';
import { keepRun, lastRun, type Run } from './bench-history.ts';
import { brokenBudgets, type Measured, valuesOf } from './bench-metrics.ts';
import { linesOf, reportOf } from './bench-report.ts';
import { type Engine, startEngine } from './engine.ts';

const DEMO_WITHIN_MS = 180_000;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

const HELP = `npm run bench [-- --leads N --json]

Measures the budgets: what a happy handoff costs in states, invocations and writes, as the embedded engine counts them, how large
the actions' bundles are and how long \`npm run demo\` takes; and how fast handoffs are on this machine. Keeps the run in
.bench and compares it with the last one. Exits 1 when a budget is broken.

  --leads N   handoffs one after the other, and as many at once (${DEFAULT_LEADS})
  --json      print the run as JSON
  --help      print this
`;

async function main(): Promise<number> {
  const { leads, json, help } = readFlags(process.argv.slice(2));
  if (help) {
    process.stdout.write(HELP);
    return 0;
  }
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const load = Math.round((loadavg()[0] ?? 0) * 10) / 10;
  say('Running the demo …');
  const demoSeconds = await secondsOfDemo();
  say(`Handing ${leads} leads off, one after the other and at once …`);
  const found: Measured = { ...(await withEngine((engine) => measureEngine(engine, leads))), demoSeconds };
  const run: Run = {
    at: new Date().toISOString(),
    leads,
    machine: { node: process.versions.node, cpus: availableParallelism(), load },
    values: valuesOf(found),
  };
  const directory = join(ROOT, '.bench');
  const last = lastRun(directory);
  const file = keepRun(directory, run);
  const asJson = () =>
    `${JSON.stringify({ ...run, file, last: last?.at ?? null, metrics: linesOf(run, last) }, null, 2)}\n`;
  process.stdout.write(json ? asJson() : reportOf(run, last));
  return brokenBudgets(run.values).length === 0 ? 0 : 1;
}

async function withEngine<T>(use: (engine: Engine) => Promise<T>): Promise<T> {
  const starting = startEngine({ port: 0, sandboxPort: 0 });
  const end = (signal: NodeJS.Signals) => {
    const exit = () => process.exit(signal === 'SIGINT' ? 130 : 143);
    starting.then((engine) => engine.stop()).then(exit, exit);
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    const engine = await starting;
    return await use(engine).finally(() => engine.stop());
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}

/** A whole `npm run demo` without npm. */
async function secondsOfDemo(): Promise<number> {
  const startedAt = performance.now();
  const demo = spawn(process.execPath, [join(ROOT, 'local', 'demo.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: DEMO_WITHIN_MS,
  });
  let told = '';
  demo.stderr.on('data', (chunk: Buffer) => {
    told += chunk.toString();
  });
  const end = () => demo.kill();
  process.once('SIGINT', end).once('SIGTERM', end);
  const code = await new Promise<number | null>((done, failed) => {
    demo.once('error', failed);
    demo.once('close', done);
  });
  process.off('SIGINT', end).off('SIGTERM', end);
  if (code !== 0) throw new NotHappy(`The demo ended with ${code}:\n${told}`);
  return (performance.now() - startedAt) / 1_000;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const expected = error instanceof Error && error.name !== 'Error';
    process.stderr.write(`${expected ? (error as Error).message : String(error)}\n`);
    process.exitCode = error instanceof WrongUsage ? 2 : 1;
  },
);
