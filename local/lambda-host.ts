import { randomBytes, randomUUID } from 'node:crypto';
import { AwsError, REGION } from './aws-error.ts';
import type { FunctionLogs } from './function-logs.ts';
import { type InvocationResult, LambdaProcess } from './lambda-process.ts';
import type { FunctionDefinition } from './model.ts';

/**
 * Requests under way in an account, all functions together.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const ACCOUNT_CONCURRENCY = 1_000;

export interface LambdaHostOptions {
  /** URL that the functions' AWS clients talk to. */
  readonly endpoint: string;
  readonly maxProcessesPerFunction: number;
  /** Requests under way, waiting ones included, above which further ones are throttled; AWS's quota unless given. */
  readonly concurrency?: number;
  /** An environment that nobody used for so long is ended. */
  readonly idleMs: number;
  readonly logs: FunctionLogs;
  readonly onInvocation?: (functionName: string) => void;
}

interface Waiting {
  readonly event: unknown;
  readonly onStart: () => void;
  readonly resolve: (result: InvocationResult) => void;
}

interface Pool {
  readonly definition: FunctionDefinition;
  readonly idle: { process: LambdaProcess; reaper: NodeJS.Timeout }[];
  readonly busy: Set<LambdaProcess>;
  readonly queue: Waiting[];
}

/**
 * Runs the functions: at most so many processes each, used again while they live.
 *
 * AWS gives each request an environment of its own at once, up to the account's concurrency, and refuses the next one.
 * A laptop has no thousand environments, so requests wait here for a process, which nobody who measures time is told
 * of: a request begins when a process takes it (`onStart`). Above the account's concurrency requests are refused as in AWS.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html
 */
export class LambdaHost {
  readonly #options: LambdaHostOptions;
  readonly #pools = new Map<string, Pool>();
  readonly #ending = new Set<LambdaProcess>();
  #underWay = 0;
  #stopped = false;

  constructor(definitions: readonly FunctionDefinition[], options: LambdaHostOptions) {
    this.#options = options;
    for (const definition of definitions) {
      this.#pools.set(definition.name, { definition, idle: [], busy: new Set(), queue: [] });
    }
  }

  get definitions(): FunctionDefinition[] {
    return [...this.#pools.values()].map(({ definition }) => definition);
  }

  find(name: string): FunctionDefinition | undefined {
    return this.#pools.get(name)?.definition;
  }

  /** Process ids of the function's environments, busy ones first. */
  pids(name: string): number[] {
    const pool = this.#pools.get(name);
    if (!pool) return [];
    const processes = [...pool.busy, ...pool.idle.map(({ process }) => process)];
    return processes.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /**
   * Runs the function once and resolves with its end, whether good or bad. The caller checks that it exists.
   *
   * @param onStart called when a process that is ready takes the request
   * @throws AwsError `TooManyRequestsException`; the function was not run
   */
  async invoke(name: string, event: unknown, onStart: () => void = () => {}): Promise<InvocationResult> {
    const pool = this.#pools.get(name);
    if (!pool || this.#stopped) throw new Error(`The function ${name} does not run here.`);
    if (this.#underWay >= (this.#options.concurrency ?? ACCOUNT_CONCURRENCY)) throw throttled();
    this.#underWay += 1;
    const result = await new Promise<InvocationResult>((resolve) => {
      pool.queue.push({ event, onStart, resolve });
      this.#pump(pool);
    });
    this.#underWay -= 1;
    return result;
  }

  /** Kills every environment and waits until all are gone. Invocations under way never answer. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const processes = [...this.#ending];
    for (const pool of this.#pools.values()) {
      pool.queue.length = 0;
      for (const { process, reaper } of pool.idle) {
        clearTimeout(reaper);
        processes.push(process);
      }
      processes.push(...pool.busy);
    }
    for (const process of processes) process.kill();
    await Promise.all(processes.map(({ exited }) => exited));
  }

  #pump(pool: Pool): void {
    while (pool.queue.length > 0 && !this.#stopped) {
      const process = this.#take(pool);
      if (!process) return;
      const next = pool.queue.shift();
      if (next) void this.#run(pool, process, next);
    }
  }

  #take(pool: Pool): LambdaProcess | undefined {
    for (let warm = pool.idle.pop(); warm; warm = pool.idle.pop()) {
      clearTimeout(warm.reaper);
      if (warm.process.alive) return this.#occupy(pool, warm.process);
    }
    if (pool.busy.size >= this.#options.maxProcessesPerFunction) return undefined;
    const { definition } = pool;
    const logs = this.#options.logs;
    const fresh = new LambdaProcess(definition, this.#environment(definition), (chunk) =>
      logs.write(definition.name, chunk),
    );
    return this.#occupy(pool, fresh);
  }

  #occupy(pool: Pool, process: LambdaProcess): LambdaProcess {
    pool.busy.add(process);
    return process;
  }

  async #run(pool: Pool, process: LambdaProcess, { event, onStart, resolve }: Waiting): Promise<void> {
    const { name, arn } = pool.definition;
    const requestId = randomUUID();
    this.#options.onInvocation?.(name);
    this.#options.logs.write(name, `START RequestId: ${requestId} Version: $LATEST\n`);
    const startedAt = Date.now();
    const result = await process.invoke({ requestId, event, traceId: traceId(), functionArn: arn }, onStart);
    if (this.#stopped) return;
    this.#options.logs.write(name, `END RequestId: ${requestId} Duration: ${Date.now() - startedAt} ms\n`);
    this.#release(pool, process);
    resolve(result);
    this.#pump(pool);
  }

  #release(pool: Pool, process: LambdaProcess): void {
    pool.busy.delete(process);
    if (!process.alive) {
      this.#ending.add(process);
      void process.exited.then(() => this.#ending.delete(process));
      return;
    }
    const reaper = setTimeout(() => process.kill(), this.#options.idleMs);
    reaper.unref();
    pool.idle.push({ process, reaper });
  }

  /**
   * What AWS sets, less `AWS_EXECUTION_ENV`, and the address of this engine. Nothing of the machine but PATH.
   *
   * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
   */
  #environment(definition: FunctionDefinition): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      LANG: 'en_US.UTF-8',
      TZ: 'UTC',
      AWS_REGION: REGION,
      AWS_DEFAULT_REGION: REGION,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: 'local',
      AWS_ENDPOINT_URL: this.#options.endpoint,
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMb),
      AWS_LAMBDA_FUNCTION_NAME: definition.name,
      AWS_LAMBDA_FUNCTION_TIMEOUT: String(definition.timeoutSeconds),
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${definition.name}`,
      AWS_LAMBDA_LOG_STREAM_NAME: `local/[$LATEST]${randomBytes(16).toString('hex')}`,
      LAMBDA_TASK_ROOT: definition.codeDir,
      ...definition.environment,
      POWERTOOLS_TRACE_ENABLED: 'false',
      _HANDLER: definition.handler,
    };
  }
}

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html (TooManyRequestsException) */
function throttled(): AwsError {
  const fields = { Reason: 'ConcurrentInvocationLimitExceeded' };
  return new AwsError('TooManyRequestsException', 'Rate Exceeded.', 429, fields);
}

function traceId(): string {
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  return `Root=1-${seconds}-${randomBytes(12).toString('hex')};Parent=${randomBytes(8).toString('hex')};Sampled=0`;
}
