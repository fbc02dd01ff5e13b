import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { counted } from '../cli/render/words.ts';
import { STAGE_NUMBERS } from '../functions/domain/stage-numbers.ts';
import type { SettingsInput } from '../functions/sandbox/settings.ts';
import { eventsApi } from './api-events.ts';
import { lambdaApi } from './api-lambda.ts';
import { secretsApi } from './api-secrets.ts';
import { sqsApi } from './api-sqs.ts';
import { stepFunctionsApi } from './api-step-functions.ts';
import { readAssembly, synthesize } from './assembly.ts';
import { AsyncInvoker } from './async-invoker.ts';
import { DataDir } from './data-dir.ts';
import { Endpoint } from './endpoint.ts';
import { type AcceptedEvent, EventBus } from './event-bus.ts';
import { checkTargets, deliverTo, type TargetServices } from './event-targets.ts';
import type { ExecutionRecord } from './execution-record.ts';
import { Executions } from './executions.ts';
import { FunctionLogs } from './function-logs.ts';
import { functionNameOf } from './function-names.ts';
import { HttpApis } from './http-apis.ts';
import { type Clock, systemClock } from './interpreter/clock.ts';
import { Journal } from './journal.ts';
import { LambdaHost } from './lambda-host.ts';
import type { InvocationResult } from './lambda-process.ts';
import type {
  FunctionDefinition,
  HttpApiDefinition,
  InertResource,
  Model,
  StateMachineDefinition,
} from './model.ts';
import { QueuePoller } from './queue-poller.ts';
import { type Queue, Queues } from './queues.ts';
import { redriveState } from './redrives.ts';
import { SANDBOX_BEARER, startSandbox } from './sandbox.ts';
import { Secrets } from './secrets.ts';
import { Tables } from './tables.ts';
import { ServiceTaskRunner } from './task-runner.ts';
import { readModel } from './template.ts';

export const DEFAULT_PORT = 4566;
export const DEFAULT_SANDBOX_PORT = 4580;
export const DEFAULT_MAX_PROCESSES = 2;

/** As quick and as forgetful as the numbers of stage `local` say of the destinations. */
export const SANDBOX_SETTINGS: SettingsInput = {
  searchLagMs: 300,
  keyWindowMs: STAGE_NUMBERS.local.keyWindowMs,
};

const APP = fileURLToPath(new URL('../bin/app.ts', import.meta.url));
const IDLE_MS = 5 * 60_000;

export interface EngineOptions {
  /** Port of the AWS endpoint; 0 takes a free one. */
  readonly port?: number;
  /** Port of the sandbox destination; 0 takes a free one. */
  readonly sandboxPort?: number;
  /** A sandbox that runs elsewhere; the engine then starts none. */
  readonly sandboxUrl?: string;
  readonly sandboxBearer?: string;
  /** Lags, owners and limits of the engine's own sandbox. */
  readonly sandboxSettings?: SettingsInput;
  /** Where everything is kept that must survive the engine; absent: in memory. */
  readonly dataDir?: string;
  /** Empty the data directory first. */
  readonly fresh?: boolean;
  /** A cloud assembly to run instead of synthesizing the app. */
  readonly assembly?: string;
  readonly maxProcessesPerFunction?: number;
  /** Requests of Lambda under way, waiting ones included, above which further ones are throttled; 1,000 as in AWS unless given. */
  readonly lambdaConcurrency?: number;
  /** An execution environment that nobody used for so long is ended. */
  readonly idleMs?: number;
  /** Told every line that a function prints. */
  readonly onLogLine?: (functionName: string, line: string) => void;
  /** Told in a sentence what the start is at, before each part of it that takes a while. */
  readonly onProgress?: (sentence: string) => void;
  readonly clock?: Clock;
  /** Returns a new UUID at each call. */
  readonly ids?: () => string;
}

/** What happened since the engine started. */
export interface Counters {
  statesEntered: number;
  /** By function name. */
  readonly invocations: Record<string, number>;
  /** Successful writes, by table name. */
  readonly writes: Record<string, number>;
}

/** A running engine. */
export interface Engine {
  /** Where AWS clients talk to, as `AWS_ENDPOINT_URL`. */
  readonly url: string;
  readonly sandboxUrl: string;
  readonly sandboxBearer: string;
  readonly maxProcessesPerFunction: number;
  readonly functions: readonly FunctionDefinition[];
  readonly stateMachines: readonly StateMachineDefinition[];
  readonly tables: readonly string[];
  readonly queues: readonly Queue[];
  readonly httpApis: readonly HttpApiDefinition[];
  /** Resources of the template that do nothing here, and why. */
  readonly inert: readonly InertResource[];
  /** Stack outputs by name. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly executions: Executions;
  readonly counters: Counters;
  /** The last events that EventBridge accepted, oldest first. */
  readonly events: readonly AcceptedEvent[];
  /** Process ids of a function's environments; the function by name or ARN. */
  pids(functionName: string): number[];
  /** The last lines that a function printed. */
  logLines(functionName: string): string[];
  invoke(functionName: string, event: unknown): Promise<InvocationResult>;
  /** Runs a scheduled rule now. */
  fireRule(ruleName: string): void;
  /** Ends children and servers. Executions under way stay in the data directory, to be gone on with. */
  stop(): Promise<void>;
}

type CleanUp = () => unknown;

/**
 * Starts the embedded engine: reads the synthesized app and runs it on this machine.
 *
 * @throws PortInUse, DataDirInUse, NotADataDir, SynthesisFailed, NotAnAssembly, UnsupportedResource, UnresolvableValue,
 * TableShapeChanged, UnknownPatternOperator, and the interpreter's UnsupportedFeature and InvalidDefinition. Whatever
 * had been started is stopped again.
 */
export async function startEngine(options: EngineOptions = {}): Promise<Engine> {
  const cleanUps: CleanUp[] = [];
  try {
    return await start(options, cleanUps);
  } catch (error) {
    await runAll(cleanUps);
    throw error;
  }
}

async function start(options: EngineOptions, cleanUps: CleanUp[]): Promise<Engine> {
  const { port = DEFAULT_PORT, sandboxBearer = SANDBOX_BEARER, clock = systemClock } = options;
  const maxProcessesPerFunction = options.maxProcessesPerFunction ?? DEFAULT_MAX_PROCESSES;
  const counters: Counters = { statesEntered: 0, invocations: {}, writes: {} };

  const data = openData(options, cleanUps);
  const endpoint = await Endpoint.listen(port);
  cleanUps.push(() => endpoint.close());
  const sandboxUrl = options.sandboxUrl ?? (await ownSandbox(options, sandboxBearer, cleanUps));
  const say = options.onProgress ?? (() => {});
  if (options.assembly === undefined) say('Synthesizing the app and bundling its functions …');
  const assembly = options.assembly ?? (await ownAssembly(data, sandboxUrl, cleanUps));
  const model = readModel(readAssembly(assembly), endpoint.url);
  say(`Starting the engine: ${inventory(model)} …`);

  const logs = new FunctionLogs(data?.at('logs'), options.onLogLine);
  const lambda = new LambdaHost(model.functions, {
    endpoint: endpoint.url,
    maxProcessesPerFunction,
    ...(options.lambdaConcurrency !== undefined && { concurrency: options.lambdaConcurrency }),
    idleMs: options.idleMs ?? IDLE_MS,
    logs,
    onInvocation: (name) => count(counters.invocations, name),
  });
  cleanUps.push(() => lambda.stop());
  const queues = new Queues(model.queues, (name) => data?.at('queues', `${name}.ndjson`));
  const async = new AsyncInvoker({
    settings: model.asyncSettings,
    invoke: (name, event) => lambda.invoke(name, event),
    onFailure: (destination, record) => deliverTo(targets, destination, record),
    onDropped: (name, { payload }) =>
      logs.write(name, `Dropped an event whose last try failed: ${payload}\n`),
  });
  cleanUps.push(() => async.stop());
  const targets: TargetServices = { lambda, async, queues, executions: () => executions };
  checkTargets(model.rules, targets);
  const bus = new EventBus(model.rules, (target, payload) => deliverTo(targets, target, payload));
  cleanUps.push(() => bus.stop());
  const executions = new Executions({
    stateMachines: model.stateMachines,
    journal: new Journal(data?.at('executions')),
    tasks: new ServiceTaskRunner({ lambda, async, queues, events: bus }),
    clock,
    ids: options.ids ?? randomUUID,
    onStateEntered: () => {
      counters.statesEntered += 1;
    },
    onStatus: (record) => announce(bus, record, clock.now()),
    onDefect: (record, defect) => console.error(`The embedded engine failed in ${record.start.arn}:`, defect),
  });
  const tables = await Tables.open(model.tables, {
    ...(data && { path: data.at('tables') }),
    onWrite: (table) => count(counters.writes, table),
  });
  cleanUps.push(() => tables.close());
  const httpApis = new HttpApis(model.httpApis, (functionArn, event) =>
    lambda.invoke(functionNameOf(functionArn), event),
  );
  const secrets = new Secrets(sandboxBearer, data?.at('secrets.json'));

  endpoint.serve({
    json: {
      DynamoDB_20120810: (operation, body) => tables.handle(operation, body),
      AWSStepFunctions: stepFunctionsApi(executions, model.stateMachines, () => clock.now()),
      AmazonSQS: sqsApi(queues),
      AWSEvents: eventsApi(bus),
      secretsmanager: secretsApi(secrets),
    },
    lambda: lambdaApi(lambda, async, logs),
    httpApis: (request) => httpApis.answer(request),
  });
  cleanUps.push(() => executions.suspend());
  executions.resume();
  bus.startSchedules();
  for (const subscription of model.queueSubscriptions) {
    const queue = queues.byArn(subscription.queueArn);
    if (!queue) continue;
    const poller = new QueuePoller(
      subscription,
      queue,
      (functionArn, event) => lambda.invoke(functionNameOf(functionArn), event),
      maxProcessesPerFunction,
    );
    poller.start();
    cleanUps.push(() => poller.stop());
  }

  let stopping: Promise<void> | undefined;
  return {
    url: endpoint.url,
    sandboxUrl,
    sandboxBearer,
    maxProcessesPerFunction,
    functions: model.functions,
    stateMachines: model.stateMachines,
    tables: tables.names,
    queues: queues.all(),
    httpApis: model.httpApis,
    inert: model.inert,
    outputs: model.outputs,
    executions,
    counters,
    events: bus.accepted,
    pids: (name) => lambda.pids(functionNameOf(name)),
    logLines: (name) => logs.lines(functionNameOf(name)),
    invoke: (name, event) => lambda.invoke(functionNameOf(name), event),
    fireRule: (name) => bus.fire(name),
    stop: () => {
      stopping ??= runAll(cleanUps);
      return stopping;
    },
  };
}

function inventory({ functions, stateMachines, tables }: Model): string {
  return [
    counted(functions.length, 'function'),
    counted(stateMachines.length, 'state machine'),
    counted(tables.length, 'table'),
  ].join(', ');
}

function openData({ dataDir, fresh = false }: EngineOptions, cleanUps: CleanUp[]): DataDir | undefined {
  if (dataDir === undefined) return undefined;
  const data = DataDir.open(dataDir, fresh);
  cleanUps.push(() => data.release());
  return data;
}

async function ownSandbox(options: EngineOptions, bearer: string, cleanUps: CleanUp[]): Promise<string> {
  const { sandboxPort = DEFAULT_SANDBOX_PORT, sandboxSettings } = options;
  const sandbox = await startSandbox({
    port: sandboxPort,
    bearer,
    settings: { ...SANDBOX_SETTINGS, ...sandboxSettings },
  });
  cleanUps.push(() => sandbox.close());
  return sandbox.url;
}

async function ownAssembly(
  data: DataDir | undefined,
  sandboxUrl: string,
  cleanUps: CleanUp[],
): Promise<string> {
  const directory = data?.at('assembly') ?? mkdtempSync(join(tmpdir(), 'lead-handoff-assembly-'));
  if (data === undefined) cleanUps.push(() => rmSync(directory, { recursive: true, force: true }));
  await synthesize(APP, directory, { stage: 'local', sandboxUrl });
  return directory;
}

/**
 * Step Functions tells EventBridge of every start, redrive and end; the stack's rules may listen. Input and output are left out, as
 * AWS leaves out large ones: whoever needs them asks for the execution.
 * https://docs.aws.amazon.com/step-functions/latest/dg/eventbridge-integration.html
 */
function announce(bus: EventBus, record: ExecutionRecord, now: number): void {
  const { start, end, status } = record;
  bus.put(
    'default',
    'aws.states',
    'Step Functions Execution Status Change',
    {
      executionArn: start.arn,
      stateMachineArn: start.stateMachineArn,
      name: start.name,
      status,
      startDate: start.startDate,
      stopDate: end?.stopDate ?? null,
      input: null,
      inputDetails: { included: false },
      output: null,
      outputDetails: end?.output === undefined ? null : { included: false },
      error: end?.error ?? null,
      cause: end?.cause ?? null,
      redriveDate: null,
      redriveStatusReason: null,
      ...redriveState(record, now),
    },
    [start.arn],
  );
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** In reverse order; each one runs although another failed. */
async function runAll(cleanUps: CleanUp[]): Promise<void> {
  const failures: unknown[] = [];
  for (let next = cleanUps.pop(); next; next = cleanUps.pop()) {
    try {
      await next();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'The engine did not stop cleanly.');
}
