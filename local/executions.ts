import { AwsError, arn } from './aws-error.ts';
import { ExecutionRecord } from './execution-record.ts';
import type { Clock } from './interpreter/clock.ts';
import type { StateMachineDefinition as ParsedDefinition } from './interpreter/definition.ts';
import { TaskDoesNotExist, TaskTimedOut } from './interpreter/errors.ts';
import { type ExecutionHandle, startExecution } from './interpreter/execution.ts';
import type { Json } from './interpreter/json.ts';
import { parseDefinition } from './interpreter/parse-definition.ts';
import type { TaskRunner } from './interpreter/runtime.ts';
import type { ExecutionSnapshot } from './interpreter/snapshot.ts';
import type { ExecutionStart, Journal } from './journal.ts';
import type { StateMachineDefinition } from './model.ts';
import { INTEGRATIONS } from './task-runner.ts';

const NAME_RESERVED_MS = 90 * 24 * 3_600_000;
const LARGEST_INPUT_BYTES = 262_144;
/** Not allowed in a name: white space, brackets, wildcards, other special characters, control characters. */
const FORBIDDEN = /[\s\p{Cc}<>{}[\]?*"#%\\^|~`$&,;:/\ufffe\uffff]/u;

export interface ExecutionsOptions {
  readonly stateMachines: readonly StateMachineDefinition[];
  readonly journal: Journal;
  readonly tasks: TaskRunner;
  readonly clock: Clock;
  readonly ids: () => string;
  readonly onStateEntered?: (execution: ExecutionRecord, state: string) => void;
  readonly onStatus?: (execution: ExecutionRecord) => void;
  /** Told of a defect of the engine itself; the execution fails with it. */
  readonly onDefect?: (execution: ExecutionRecord, defect: unknown) => void;
}

/** All executions of the engine: started, answered, stopped, kept, and gone on with after a restart. */
export class Executions {
  readonly #options: ExecutionsOptions;
  readonly #parsed = new Map<string, ParsedDefinition>();
  readonly #records = new Map<string, ExecutionRecord>();
  readonly #byToken = new Map<string, ExecutionRecord>();

  /** @throws UnsupportedFeature, InvalidDefinition for a state machine that the interpreter cannot run */
  constructor(options: ExecutionsOptions) {
    this.#options = options;
    for (const { definition } of options.stateMachines) this.#parse(definition);
  }

  /** Takes up what an earlier engine left in the journal: running executions go on from where they were. */
  resume(): void {
    for (const { start, events, tokens, snapshot } of this.#options.journal.load()) {
      const record = new ExecutionRecord(start, snapshot ? events : [], tokens);
      this.#records.set(start.arn, record);
      for (const token of tokens) this.#byToken.set(token, record);
      if (record.status === 'RUNNING') this.#run(record, snapshot);
    }
  }

  /** Leaves the running executions to be taken up later. */
  suspend(): void {
    for (const { handle } of this.#records.values()) handle?.suspend();
  }

  all(): ExecutionRecord[] {
    return [...this.#records.values()];
  }

  /** @throws AwsError `ExecutionDoesNotExist` */
  find(executionArn: string): ExecutionRecord {
    const record = this.#records.get(executionArn);
    if (!record) throw new AwsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${executionArn}'`);
    return record;
  }

  /** @throws AwsError `StateMachineDoesNotExist` */
  stateMachine(stateMachineArn: string): StateMachineDefinition {
    const found = this.#options.stateMachines.find((each) => each.arn === stateMachineArn);
    if (!found) {
      throw new AwsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${stateMachineArn}'`);
    }
    return found;
  }

  /**
   * Starts an execution; under the same name and input as one that still runs, answers with that one.
   *
   * @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html
   * @throws AwsError `InvalidName`, `ExecutionAlreadyExists`, `InvalidExecutionInput`, `StateMachineDoesNotExist`
   */
  start(stateMachineArn: string, name = this.#options.ids(), input = '{}'): ExecutionRecord {
    const machine = this.stateMachine(stateMachineArn);
    if (name.length < 1 || name.length > 80 || FORBIDDEN.test(name)) {
      throw new AwsError('InvalidName', `Invalid Name: '${name}'`);
    }
    parseJson(input, 'InvalidExecutionInput', 'Invalid State Machine Execution Input');
    if (Buffer.byteLength(input) > LARGEST_INPUT_BYTES) {
      throw new AwsError('ValidationException', `The input is larger than ${LARGEST_INPUT_BYTES} bytes.`);
    }
    const executionArn = arn('states', `execution:${machine.name}:${name}`);
    const earlier = this.#records.get(executionArn);
    if (earlier && this.#holdsName(earlier)) {
      if (earlier.status === 'RUNNING' && earlier.start.input === input) return earlier;
      throw new AwsError('ExecutionAlreadyExists', `Execution Already Exists: '${executionArn}'`);
    }
    if (earlier) this.#options.journal.forget(executionArn);
    const record = new ExecutionRecord({
      arn: executionArn,
      name,
      stateMachineArn,
      stateMachineName: machine.name,
      roleArn: machine.roleArn,
      definition: machine.definition,
      input,
      startDate: this.#options.clock.now(),
    });
    this.#options.journal.started(record.start);
    this.#records.set(executionArn, record);
    this.#run(record);
    this.#options.onStatus?.(record);
    return record;
  }

  /** @throws AwsError `ExecutionDoesNotExist` */
  stop(executionArn: string, error?: string, cause?: string): ExecutionRecord {
    const record = this.find(executionArn);
    record.handle?.stop(error, cause);
    return record;
  }

  /** @throws AwsError `InvalidToken`, `TaskTimedOut`, `InvalidOutput` */
  succeedTask(token: string, output: string): void {
    const value = parseJson(output, 'InvalidOutput', 'Invalid Output');
    this.#answer(token, (handle) => handle.sendTaskSuccess(token, value));
  }

  /** @throws AwsError `InvalidToken`, `TaskTimedOut` */
  failTask(token: string, error?: string, cause?: string): void {
    this.#answer(token, (handle) => handle.sendTaskFailure(token, error, cause));
  }

  /** @throws AwsError `InvalidToken`, `TaskTimedOut` */
  heartbeat(token: string): void {
    this.#answer(token, (handle) => handle.sendTaskHeartbeat(token));
  }

  #answer(token: string, tell: (handle: ExecutionHandle) => void): void {
    const record = this.#byToken.get(token);
    if (!record) throw new AwsError('InvalidToken', "Invalid Token: 'Invalid token'");
    try {
      if (!record.handle) throw new TaskTimedOut();
      tell(record.handle);
    } catch (error) {
      if (!(error instanceof TaskTimedOut || error instanceof TaskDoesNotExist)) throw error;
      throw new AwsError('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'");
    }
  }

  #holdsName(record: ExecutionRecord): boolean {
    const { end } = record;
    return end === undefined || this.#options.clock.now() - end.stopDate < NAME_RESERVED_MS;
  }

  #run(record: ExecutionRecord, snapshot?: ExecutionSnapshot): void {
    const { start, events } = record;
    const { journal, clock, ids } = this.#options;
    const handle = startExecution({
      definition: this.#parse(start.definition),
      input: JSON.parse(start.input) as Json,
      context: contextOf(start),
      tasks: this.#tasksOf(record),
      clock,
      ids,
      integrations: INTEGRATIONS,
      journal: { save: (next) => journal.snapshot(start.arn, next) },
      onEvent: (event) => {
        journal.event(start.arn, event);
        events.push(event);
        if (event.type.endsWith('StateEntered')) {
          this.#options.onStateEntered?.(record, String(event.stateEnteredEventDetails?.name));
        }
        if (record.end) this.#ended(record);
      },
      ...(snapshot && { resumeFrom: snapshot, keptEvents: events.length }),
    });
    record.handle = handle;
    handle.result.catch((defect: unknown) => this.#failByDefect(record, defect));
  }

  #ended(record: ExecutionRecord): void {
    record.handle = undefined;
    this.#options.onStatus?.(record);
  }

  /** A defect of the engine must be seen: it ends the execution under a name that no state catches. */
  #failByDefect(record: ExecutionRecord, defect: unknown): void {
    this.#options.onDefect?.(record, defect);
    if (record.end) return;
    const last = record.events.at(-1)?.id ?? 0;
    const event = {
      type: 'ExecutionFailed',
      id: last + 1,
      previousEventId: last,
      timestamp: this.#options.clock.now() / 1000,
      executionFailedEventDetails: { error: 'EmbeddedEngine.Defect', cause: String(defect) },
    };
    this.#options.journal.event(record.start.arn, event);
    record.events.push(event);
    this.#ended(record);
  }

  /** Notes every token before anybody can see it, so that a token of ours is never called invalid. */
  #tasksOf(record: ExecutionRecord): TaskRunner {
    return {
      run: (request) => {
        const { taskToken } = request;
        if (taskToken !== undefined && !record.tokens.has(taskToken)) {
          this.#options.journal.token(record.start.arn, taskToken);
          record.tokens.add(taskToken);
          this.#byToken.set(taskToken, record);
        }
        return this.#options.tasks.run(request);
      },
    };
  }

  #parse(definition: string): ParsedDefinition {
    const known = this.#parsed.get(definition);
    if (known) return known;
    const parsed = parseDefinition(definition, { integrations: INTEGRATIONS });
    this.#parsed.set(definition, parsed);
    return parsed;
  }
}

function contextOf(start: ExecutionStart) {
  return {
    executionArn: start.arn,
    executionName: start.name,
    roleArn: start.roleArn,
    startTime: new Date(start.startDate).toISOString(),
    stateMachineArn: start.stateMachineArn,
    stateMachineName: start.stateMachineName,
  };
}

function parseJson(text: string, code: string, sentence: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new AwsError(code, `${sentence}: '${(error as Error).message}'`);
  }
}
