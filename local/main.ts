import { constants } from 'node:os';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { painter, wantsColour } from '../cli/render/paint.ts';
import { counted, readableSpan } from '../cli/render/words.ts';
import { STAGE_NUMBERS } from '../functions/domain/stage-numbers.ts';
import {
  DEFAULT_MAX_PROCESSES,
  DEFAULT_PORT,
  DEFAULT_SANDBOX_PORT,
  type Engine,
  type EngineOptions,
  startEngine,
} from './engine.ts';

/** Failures whose message is a sentence for the person at the keyboard; any other is a defect and keeps its stack. */
const EXPECTED = new Set([
  'DataDirInUse',
  'InvalidDefinition',
  'NotADataDir',
  'NotAnAssembly',
  'PortInUse',
  'SynthesisFailed',
  'TableShapeChanged',
  'UnknownPatternOperator',
  'UnresolvableValue',
  'UnsupportedFeature',
  'UnsupportedResource',
]);

interface Flags {
  port: number;
  sandboxPort: number;
  sandboxUrl?: string;
  data: string;
  fresh: boolean;
  assembly?: string;
  maxProcesses: number;
  verbose: boolean;
}

const integer = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  }
  return value;
};

const port = integer(0, 65_535);

function readFlags(): Flags {
  const command = new Command('npm run local --')
    .description('Runs the synthesized app on this machine, with no AWS account. Ctrl-C ends it.')
    .option('--port <port>', 'port of the AWS endpoint, 0 for a free one', port, DEFAULT_PORT)
    .option(
      '--sandbox-port <port>',
      'port of the sandbox destination, 0 for a free one',
      port,
      DEFAULT_SANDBOX_PORT,
    )
    .option('--sandbox-url <url>', 'a sandbox that runs already, instead of starting one')
    .option('--data <dir>', 'where executions, tables, secrets and logs are kept', '.local')
    .option('--fresh', 'empty the data directory first', false)
    .option('--assembly <dir>', 'a cloud assembly to run, instead of synthesizing the app')
    .option(
      '--max-processes <n>',
      'processes per function; more requests wait',
      integer(1, 100),
      DEFAULT_MAX_PROCESSES,
    )
    .option('--verbose', 'print what the functions print', false)
    .allowExcessArguments(false)
    .exitOverride();
  return command.parse().opts<Flags>();
}

function toOptions(flags: Flags): EngineOptions {
  return {
    port: flags.port,
    sandboxPort: flags.sandboxPort,
    dataDir: flags.data,
    fresh: flags.fresh,
    maxProcessesPerFunction: flags.maxProcesses,
    onProgress: progress,
    ...(flags.sandboxUrl !== undefined && { sandboxUrl: flags.sandboxUrl.replace(/\/+$/, '') }),
    ...(flags.assembly !== undefined && { assembly: flags.assembly }),
    ...(flags.verbose && {
      onLogLine: (name: string, line: string) => console.log(`${dim(name)} ${line}`),
    }),
  };
}

const paint = painter(wantsColour(process.stdout, process.env));
const paintProgress = painter(wantsColour(process.stderr, process.env));
const dim = (text: string) => paint('dim', text);
const bold = (text: string) => paint('bold', text);

/** What the start is at, for whoever waits; what came of it goes to stdout. */
function progress(sentence: string): void {
  console.error(paintProgress('dim', sentence));
}

/** Whoever tries something out here has to know what would take longer elsewhere. */
function shortenedTimes(): string {
  const { local, prod } = STAGE_NUMBERS;
  const both = (here: number, there: number) =>
    `${readableSpan(here)} (in production ${readableSpan(there)})`;
  return [
    `Times are shortened here: a request that was given up on may still land for ${both(local.landingBoundMs, prod.landingBoundMs)}, the mail`,
    `sender knows a key for ${both(local.keyWindowMs, prod.keyWindowMs)}, and a person has ${both(local.askSlaSeconds * 1_000, prod.askSlaSeconds * 1_000)} to answer.`,
  ].join('\n');
}

function greet(engine: Engine, { data, verbose, assembly }: Flags): void {
  const running = engine.executions.all().filter(({ status }) => status === 'RUNNING').length;
  const [machine] = engine.stateMachines;
  console.log(`${bold('AWS endpoint')}  ${engine.url}`);
  for (const { url, routes } of engine.httpApis) {
    for (const { method, segments } of routes) {
      console.log(`${bold('HTTP API')}      ${method} ${url}/${segments.join('/')}`);
    }
  }
  console.log(`${bold('Sandbox')}       ${engine.sandboxUrl} (bearer ${engine.sandboxBearer})`);
  console.log(
    `${bold('Data')}          ${data}${running > 0 ? `, going on with ${counted(running, 'running execution')}` : ''}`,
  );
  console.log(
    `${bold('Runs')}          ${counted(engine.functions.length, 'function')}, ${counted(engine.stateMachines.length, 'state machine')}, ${counted(engine.tables.length, 'table')}`,
  );
  if (verbose) {
    for (const { logicalId, type, why } of engine.inert)
      console.log(dim(`  not run: ${logicalId} (${type}): ${why}`));
  }
  console.log(`\nTalk to it with the AWS CLI:`);
  console.log(
    dim(
      `  export AWS_ENDPOINT_URL=${engine.url} AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local AWS_DEFAULT_REGION=us-east-1`,
    ),
  );
  if (machine) console.log(dim(`  aws stepfunctions list-executions --state-machine-arn ${machine.arn}`));
  if (assembly === undefined) console.log(`\n${shortenedTimes()}`);
  console.log('\nReady. Ctrl-C ends it.');
}

/** Somebody ended the start before it was over. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(signal);
    this.signal = signal;
  }
}

async function main(): Promise<void> {
  const flags = readFlags();
  const stopping = Promise.withResolvers<NodeJS.Signals>();
  // A second signal ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => stopping.resolve(signal));
  const engine = await startEngine(toOptions(flags)).catch(async (error: unknown) => {
    // A terminal tells the synthesis as well, which then fails for no reason of its own.
    const signal = await Promise.race([stopping.promise, null]);
    throw signal === null ? error : new Interrupted(signal);
  });
  greet(engine, flags);
  await stopping.promise;
  await engine.stop();
}

try {
  await main();
  process.exit(0);
} catch (error) {
  if (error instanceof Interrupted) {
    console.error('Interrupted.');
    process.exit(128 + constants.signals[error.signal]);
  }
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  const expected = error instanceof Error && EXPECTED.has(error.name);
  console.error(expected ? error.message : error);
  process.exit(1);
}
