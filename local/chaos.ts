import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { STAGE_NUMBERS } from '../functions/domain/stage-numbers.ts';
import { synthesize } from './assembly.ts';
import { sum } from './chaos-counts.ts';
import { Deliveries } from './chaos-deliveries.ts';
import { Desk } from './chaos-desk.ts';
import { ChaosEngine } from './chaos-engine.ts';
import { type Flags, LEADS_PER_MINUTE, readFlags, WrongUsage } from './chaos-flags.ts';
import { lastEventsOf } from './chaos-history.ts';
import { Journal } from './chaos-journal.ts';
import { Freezer } from './chaos-processes.ts';
import { reportOf, textOf } from './chaos-report.ts';
import { isDecision } from './chaos-requests.ts';
import { runSchedule } from './chaos-run.ts';
import { SandboxControl } from './chaos-sandbox.ts';
import { scheduleOf, settlingOf } from './chaos-schedule.ts';
import { balancedBooks, letSettle } from './chaos-settle.ts';
import { Producer } from './chaos-submit.ts';
import { sweepsIn } from './chaos-sweeps.ts';
import { SANDBOX_BEARER, startSandbox } from './sandbox.ts';

const APP = fileURLToPath(new URL('../bin/app.ts', import.meta.url));
/** Long enough for people to stop deciding, for two sweeps after that, and for what they find to come to its end. */
const SETTLE_WITHIN_MS = 300_000;
const PEOPLE_SETTLE_MINUTES = 0.4;
const PROGRESS_EVERY_MS = 10_000;

const HELP = `npm run chaos [-- --minutes N --seed N --leads N --json]

Hands leads off through real processes while everything goes wrong at random: the destinations fail in every way they can, function
processes are killed and stopped, the engine is killed, attempts are delivered twice, people change owners, merge and archive
contacts.

Meanwhile people recover the leads that wait, through the route's recovery state machine: they decide what the record offers, two of
them at once and differently, twice, too late or wrongly; they take actions over, do them by hand, resubmit, stop and redrive
executions; waits are lost, and the sweep comes on its schedule and out of turn.

Then the faults end. People decide for a while longer, everything may settle until a sweep has come, and the books are balanced: what
the ledger says against what the destinations hold, what people decided against what became of it, and which executions run. Exits 1
on any imbalance.

  --minutes N  how long things go wrong, 0.1 to 60 (2)
  --seed N     repeats the schedule of an earlier run; real processes may meet it differently
  --leads N    new lead requests in all (${LEADS_PER_MINUTE} a minute)
  --json       print the run as JSON
  --help       print this
`;

const say = (line: string) => process.stderr.write(`${line}\n`);

/** Undoes what was set up, the last first, however the run ends. */
class CleanUp {
  readonly #steps: (() => Promise<unknown> | unknown)[] = [];

  add(step: () => Promise<unknown> | unknown): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) await step();
  }
}

async function chaos(flags: Flags, signal: AbortSignal, cleanUp: CleanUp): Promise<number> {
  const { seed, minutes, leads } = flags;
  const sandbox = await startSandbox({
    port: 0,
    bearer: SANDBOX_BEARER,
    settings: { keyWindowMs: STAGE_NUMBERS.local.keyWindowMs },
  });
  cleanUp.add(() => sandbox.close());
  const directory = mkdtempSync(join(tmpdir(), 'lead-handoff-chaos-'));
  cleanUp.add(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  const assembly = join(directory, 'assembly');
  say(`Seed ${seed}. Synthesizing the app and starting it on this machine …`);
  await synthesize(APP, assembly, { stage: 'local', sandboxUrl: sandbox.url });
  signal.throwIfAborted();

  const dataDir = join(directory, 'data');
  const engine = new ChaosEngine({ sandboxUrl: sandbox.url, data: dataDir, assembly });
  cleanUp.add(() => (signal.aborted ? engine.kill() : engine.stop()));
  await engine.start();
  const control = new SandboxControl(sandbox.url);
  const journal = new Journal();
  const producer = new Producer(engine, control, journal);
  cleanUp.add(() => producer.stop());
  const freezer = new Freezer();
  cleanUp.add(() => freezer.thawAll());
  const deliveries = new Deliveries(engine, journal);
  const desk = new Desk(engine, journal);
  const parts = { engine, desk, sandbox: control, producer, deliveries, journal, freezer, seed };
  const stopTelling = tellProgress(journal, producer);
  cleanUp.add(stopTelling);

  const producing = producer.run();
  await Promise.race([
    runSchedule(scheduleOf({ seed, minutes, leads }), minutes * 60_000, parts, signal),
    producing,
  ]);
  const notSubmitted = producer.takeNoMore();
  say('The time is up. Faults are taken away; people decide for a while, and what is under way may settle …');
  const people = settlingOf({ seed, minutes: PEOPLE_SETTLE_MINUTES });
  const peopleMs = PEOPLE_SETTLE_MINUTES * 60_000;
  await letSettle(parts, { people, peopleMs, dataDir, withinMs: SETTLE_WITHIN_MS }, signal);
  if (!engine.aws) throw engine.failure ?? new Error('The engine is down.');
  const { books, imbalances } = await balancedBooks(engine.aws, control, journal);
  const events = await lastEventsOf(engine.aws, imbalances, books);
  const sweeps = sweepsIn(dataDir);
  const report = reportOf({ seed, minutes, notSubmitted, journal, books, sweeps, imbalances, events });
  process.stdout.write(flags.json ? `${JSON.stringify(report, null, 2)}\n` : textOf(report));
  return imbalances.length === 0 ? 0 : 1;
}

function tellProgress(journal: Journal, producer: Producer): () => void {
  const timer = setInterval(() => {
    const { submitted, functionKills, engineRestarts, reassignments } = journal.totals;
    const decided = journal.leads.flatMap(({ requests }) => requests.filter(isDecision)).length;
    const seconds = Math.round((Date.now() - journal.startedAt) / 1_000);
    say(
      `  ${seconds} s: ${submitted} leads, ${producer.open} open, ${producer.behind} due; ${decided} decisions, ${sum(functionKills)} processes killed, ${engineRestarts} engine restarts, ${reassignments} reassignments`,
    );
  }, PROGRESS_EVERY_MS);
  return () => clearInterval(timer);
}

async function main(): Promise<number> {
  const flags = readFlags(process.argv.slice(2), () => Math.floor(Math.random() * 1_000_000));
  if (flags.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const aborting = new AbortController();
  let code = 0;
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => {
      code = exitCode;
      say('Ending …');
      aborting.abort();
    });
  }
  const cleanUp = new CleanUp();
  try {
    return await chaos(flags, aborting.signal, cleanUp);
  } catch (error) {
    if (aborting.signal.aborted) return code;
    throw error;
  } finally {
    await cleanUp.run();
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const expected = error instanceof Error && error.name !== 'Error' && error.name !== 'TypeError';
    say(expected ? (error as Error).message : String(error instanceof Error ? error.stack : error));
    process.exit(error instanceof WrongUsage ? 2 : 1);
  },
);
