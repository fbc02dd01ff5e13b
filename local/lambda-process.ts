import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FunctionDefinition } from './model.ts';

/** What a failed invocation answers with; AWS's shape. */
export interface FunctionError {
  errorType: string;
  errorMessage: string;
  trace?: string[];
}

/** The end of one invocation. `payload` is JSON text: the result, or the error. */
export interface InvocationResult {
  readonly requestId: string;
  readonly failed: boolean;
  readonly payload: string;
}

export interface InvokeMessage {
  readonly requestId: string;
  readonly event: unknown;
  readonly traceId: string;
  readonly functionArn: string;
}

interface FromChild {
  type: 'ready' | 'init-error' | 'result' | 'error' | 'fatal';
  body?: string;
  error?: FunctionError;
}

const BOOTSTRAP = fileURLToPath(new URL('./lambda-bootstrap.mjs', import.meta.url));

/**
 * How long a function may take to load. AWS gives it 10 seconds on a machine of its own; here it shares the cores with
 * all that start at the same time.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
 */
const INIT_LIMIT_MS = 30_000;

/** One execution environment: a child process that runs one invocation at a time and is used again. */
export class LambdaProcess {
  readonly #definition: FunctionDefinition;
  readonly #child: ChildProcess;
  readonly #ready: Promise<FunctionError | undefined>;
  readonly #exited: Promise<string>;
  #onMessage: (message: FromChild) => void = () => {};
  #alive = true;

  constructor(
    definition: FunctionDefinition,
    environment: Record<string, string>,
    onLog: (chunk: string) => void,
  ) {
    this.#definition = definition;
    this.#child = spawn(process.execPath, [BOOTSTRAP], {
      cwd: definition.codeDir,
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', onLog);
    this.#child.stderr?.setEncoding('utf8').on('data', onLog);
    // A child that dies while we write to it is reported by its exit, not by the pipe.
    this.#child.stdin?.on('error', () => {});
    this.#child.on('message', (message) => this.#onMessage(message as FromChild));
    this.#exited = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        this.#alive = false;
        resolve(`could not start: ${error.message}`);
      });
      this.#child.once('exit', (code, signal) => {
        this.#alive = false;
        const how = signal === 'SIGKILL' ? 'signal: killed' : `exit status ${code ?? signal}`;
        // What it said last may still be in the channel.
        if (this.#child.connected) this.#child.once('disconnect', () => resolve(how));
        else resolve(how);
      });
    });
    this.#ready = this.#initialize();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** False once the process has ended, or was told to. */
  get alive(): boolean {
    return this.#alive;
  }

  /** Resolves when the process has ended. */
  get exited(): Promise<unknown> {
    return this.#exited;
  }

  kill(): void {
    this.#alive = false;
    this.#child.kill('SIGKILL');
  }

  /**
   * Runs one invocation. Never rejects: whatever goes wrong is an error payload, as in AWS.
   *
   * @param onStart called when the environment is ready and the function's own timeout begins
   */
  async invoke(message: InvokeMessage, onStart: () => void): Promise<InvocationResult> {
    const failed = (error: FunctionError): InvocationResult => ({
      requestId: message.requestId,
      failed: true,
      payload: JSON.stringify(error),
    });
    const initError = await this.#ready;
    onStart();
    if (initError) {
      this.kill();
      return failed({
        ...initError,
        errorMessage: initError.errorMessage.replace('{requestId}', message.requestId),
      });
    }
    const limitMs = this.#definition.timeoutSeconds * 1000;
    const answer = new Promise<FromChild>((resolve) => {
      this.#onMessage = resolve;
    });
    const deadline = Date.now() + limitMs;
    if (this.#child.connected) this.#child.send({ type: 'invoke', ...message, deadline }, () => {});
    const end = await this.#first(answer, limitMs);
    if (end === 'timeout') {
      this.kill();
      await this.#exited;
      return failed(timedOut(message.requestId, this.#definition.timeoutSeconds));
    }
    if (typeof end === 'string') return failed(exitError(message.requestId, end));
    if (end.type === 'fatal') this.#alive = false;
    if (end.type === 'result') {
      return { requestId: message.requestId, failed: false, payload: end.body ?? 'null' };
    }
    return failed(end.error ?? exitError(message.requestId, 'no error given'));
  }

  async #initialize(): Promise<FunctionError | undefined> {
    const answer = new Promise<FromChild>((resolve) => {
      this.#onMessage = resolve;
    });
    const end = await this.#first(answer, INIT_LIMIT_MS);
    if (end === 'timeout') return timedOut('{requestId}', INIT_LIMIT_MS / 1000);
    if (typeof end === 'string') return exitError('{requestId}', end);
    return end.type === 'init-error' ? end.error : undefined;
  }

  /** The child's message, or `timeout`, or how the child ended. A message that came before the end wins. */
  async #first(answer: Promise<FromChild>, limitMs: number): Promise<FromChild | string> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<'timeout'>((resolve) => {
      timer = setTimeout(() => resolve('timeout'), limitMs);
    });
    try {
      return await Promise.race([answer, timeout, this.#exited]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function timedOut(requestId: string, seconds: number): FunctionError {
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`,
  };
}

function exitError(requestId: string, how: string): FunctionError {
  return {
    errorType: 'Runtime.ExitError',
    errorMessage: `RequestId: ${requestId} Error: Runtime exited with error: ${how}`,
  };
}
