import { AwsError, arn } from './aws-error.ts';
import { ExecutionRecord } from './execution-record.ts';
import type { Clock } from './interpreter/clock.ts';
import type { StateMachineDefinition as ParsedDefinition } from './interpreter/definition.ts';
import { TaskDoesNotExist, TaskTimedOut } from './interpreter/errors.ts';
import { type ExecutionHandle, startExecution } from './interpreter/execution.ts';
import type { Json } from './interpreter/json.ts';
import { parseDefinition } from './interpreter/parse-definition.ts';
import { redriven } from './interpreter/redrive.ts';
import type { TaskRunner } from './interpreter/runtime.ts';
import type { ExecutionSnapshot } from './interpreter/snapshot.ts';
import { PAYLOAD_LIMIT } from './interpreter/state-queries.ts';
import type { Journal, Redrive } from './journal.ts';
import type { StateMachineDefinition } from './model.ts';
import { earlierRedrive, notRedrivable } from './redrives.ts';
import {
  parseJson,
  requireAtMost,
  requireErrorAndCause,
  requireExecutionArn,
  requireName,
} from './request-limits.ts';
import { INTEGRATIONS } from './task-runner.ts';

/** Executions open at once, and how long closed ones are kept. https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html */
const MOST_OPEN = 1_000_000;
const RETENTION_MS = 90 * 24 * 3_600_000;

export interface ExecutionsOptions {
  readonly stateMachines: readonly StateMachineDefinition[];
  readonly journal: Journal;
  readonly tasks: TaskRunner;
  readonly clock: Clock;
  readonly ids: () => string;
  /** Executions that may run at once; AWS's quota unless given. */
  readonly mostOpen?: number;
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
    for (const { start, events, ...kept } of this.#options.journal.load()) {
      const record = new ExecutionRecord(start, { ...kept, events: kept.snapshot ? events : [] });
      this.#records.set(start.arn, record);
      for (const token of kept.tokens) this.#byToken.set(token, record);
      if (record.status === 'RUNNING') this.#run(record, kept.snapshot);
    }
    this.#forgetOld();
  }

  /** Leaves the running executions to be taken up later. */
  suspend(): void {
    for (const { handle } of this.#records.values()) handle?.suspend();
  }

  /** Every execution that runs or that ended within the last 90 days. */
  all(): ExecutionRecord[] {
    this.#forgetOld();
    return [...this.#records.values()];
  }

  /** @throws AwsError `InvalidArn`, `ExecutionDoesNotExist` */
  find(executionArn: string): ExecutionRecord {
    requireExecutionArn(executionArn);
    this.#forgetOld();
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
    requireName(name);
    requireAtMost(PAYLOAD_LIMIT, 'input', input);
    parseJson(input, 'InvalidExecutionInput', 'Invalid State Machine Execution Input');
    this.#forgetOld();
    const executionArn = arn('states', `execution:${machine.name}:${name}`);
    const earlier = this.#records.get(executionArn);
    if (earlier) {
      if (earlier.status === 'RUNNING' && earlier.start.input === input) return earlier;
      throw new AwsError('ExecutionAlreadyExists', `Execution Already Exists: '${executionArn}'`);
    }
    this.#requireRoom();
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

  /**
   * Lets an execution that did not succeed go on from where it was, with the definition and the input it has.
   *
   * @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_RedriveExecution.html
   * @returns the redrive; the earlier one, for a client token that made one already
   * @throws AwsError `ExecutionDoesNotExist`, `ExecutionNotRedrivable`, `ExecutionLimitExceeded`, `InvalidArn`, `ValidationException`
   */
  redrive(executionArn: string, clientToken?: string): Redrive {
    const record = this.find(executionArn);
    const { journal, clock, onStatus } = this.#options;
    const earlier = earlierRedrive(record, clientToken, clock.now());
    if (earlier) return earlier;
    const { snapshot, events, start } = record;
    const reason = notRedrivable(record, clock.now());
    if (reason !== undefined || snapshot === undefined) {
      throw new AwsError(
        'ExecutionNotRedrivable',
        `Execution ${executionArn} invalid for redrive as: ${reason}`,
      );
    }
    this.#requireRoom();
    const redrive: Redrive = { date: clock.now(), ...(clientToken !== undefined && { clientToken }) };
    const event = {
      type: 'ExecutionRedriven',
      id: events.length + 1,
      previousEventId: events.length,
      timestamp: redrive.date / 1000,
      executionRedrivenEventDetails: { redriveCount: record.redrives.length + 1 },
    };
    const next = redriven(snapshot, this.#parse(start.definition), event.id);
    journal.redriven(start.arn, redrive, event, next);
    events.push(event);
    record.redrives.push(redrive);
    record.snapshot = next;
    this.#run(record, next);
    onStatus?.(record);
    return redrive;
  }

  /** @throws AwsError `InvalidArn`, `ExecutionDoesNotExist`, `ValidationException` */
  stop(executionArn: string, error?: string, cause?: string): ExecutionRecord {
    requireErrorAndCause(error, cause);
    const record = this.find(executionArn);
    record.handle?.stop(error, cause);
    return record;
  }

  /** @throws AwsError `InvalidToken`, `TaskTimedOut`, `InvalidOutput`, `ValidationException` */
  succeedTask(token: string, output: string): void {
    requireAtMost(PAYLOAD_LIMIT, 'output', output);
    this.#requireOurs(token);
    const value = parseJson(output, 'InvalidOutput', 'Invalid Output');
    this.#answer(token, (handle) => handle.sendTaskSuccess(token, value));
  }

  /** @throws AwsError `InvalidToken`, `TaskTimedOut`, `ValidationException` */
  failTask(token: string, error?: string, cause?: string): void {
    requireErrorAndCause(error, cause);
    this.#answer(token, (handle) => handle.sendTaskFailure(token, error, cause));
  }

  /** @throws AwsError `InvalidToken`, `TaskTimedOut` */
  heartbeat(token: string): void {
    this.#answer(token, (handle) => handle.sendTaskHeartbeat(token));
  }

  #answer(token: string, tell: (handle: ExecutionHandle) => void): void {
    const record = this.#requireOurs(token);
    try {
      if (!record.handle) throw new TaskTimedOut();
      tell(record.handle);
    } catch (error) {
      if (!(error instanceof TaskTimedOut || error instanceof TaskDoesNotExist)) throw error;
      throw new AwsError('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'");
    }
  }

  #requireOurs(token: string): ExecutionRecord {
    const record = this.#byToken.get(token);
    if (!record) throw new AwsError('InvalidToken', "Invalid Token: 'Invalid token'");
    return record;
  }

  /** @throws AwsError `ExecutionLimitExceeded` */
  #requireRoom(): void {
    const { mostOpen = MOST_OPEN } = this.#options;
    let open = 0;
    for (const { status } of this.#records.values()) if (status === 'RUNNING') open += 1;
    if (open < mostOpen) return;
    throw new AwsError(
      'ExecutionLimitExceeded',
      `The maximum number of running executions (${mostOpen}) has been reached.`,
    );
  }

  /** After 90 days a closed execution is gone and its name is free. */
  #forgetOld(): void {
    const { clock, journal } = this.#options;
    for (const [executionArn, { end, tokens }] of this.#records) {
      if (end === undefined || clock.now() - end.stopDate < RETENTION_MS) continue;
      this.#records.delete(executionArn);
      for (const token of tokens) this.#byToken.delete(token);
      journal.forget(executionArn);
    }
  }

  #run(record: ExecutionRecord, snapshot?: ExecutionSnapshot): void {
    const { start, events } = record;
    const { journal, clock, ids } = this.#options;
    const handle = startExecution({
      definition: this.#parse(start.definition),
      input: JSON.parse(start.input) as Json,
      context: contextOf(record),
      tasks: this.#tasksOf(record),
      clock,
      ids,
      integrations: INTEGRATIONS,
      journal: {
        save: (next) => {
          record.snapshot = next;
          journal.snapshot(start.arn, next);
        },
      },
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
    record.forgetSnapshot();
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
    const { reportsStart = false } = this.#options.tasks;
    return {
      reportsStart,
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

function contextOf({ start, redrives }: ExecutionRecord) {
  const last = redrives.at(-1);
  return {
    executionArn: start.arn,
    executionName: start.name,
    roleArn: start.roleArn,
    startTime: new Date(start.startDate).toISOString(),
    redriveCount: redrives.length,
    ...(last && { redriveTime: new Date(last.date).toISOString() }),
    stateMachineArn: start.stateMachineArn,
    stateMachineName: start.stateMachineName,
  };
}
