import {
  type ExecutionHandle,
  type ExecutionOptions,
  type ExecutionResult,
  startExecution,
} from '../../local/interpreter/execution.ts';
import type { HistoryEvent } from '../../local/interpreter/history.ts';
import type { Json } from '../../local/interpreter/json.ts';
import { parseDefinition } from '../../local/interpreter/parse-definition.ts';
import type { TaskRequest } from '../../local/interpreter/runtime.ts';
import type { ExecutionSnapshot } from '../../local/interpreter/snapshot.ts';
import { VirtualClock } from './virtual-clock.ts';

export const FUNCTION = 'arn:aws:lambda:us-east-1:111111111111:function:function-1';
export const LAMBDA = 'arn:aws:states:::lambda:invoke';
export const LAMBDA_WITH_TOKEN = `${LAMBDA}.waitForTaskToken`;

/** An execution under test: its clock, what it emitted and journaled, and the calls it made. */
export interface Trial {
  clock: VirtualClock;
  handle: ExecutionHandle;
  events: HistoryEvent[];
  snapshots: ExecutionSnapshot[];
  calls: TaskRequest[];
  /** Moves time until the execution is closed. */
  end(): Promise<ExecutionResult>;
  /** Event types so far. */
  types(): string[];
}

export type Answer = (request: TaskRequest) => Promise<Json> | Json;

/** Starts a JSONata state machine; `answer` plays every service and function. */
export function start(
  states: object,
  answer: Answer = () => null,
  options: Partial<ExecutionOptions> & { clock?: VirtualClock; asl?: object } = {},
): Trial {
  const events: HistoryEvent[] = [];
  const snapshots: ExecutionSnapshot[] = [];
  const calls: TaskRequest[] = [];
  const clock = options.clock ?? new VirtualClock();
  let id = 0;
  const asl = { QueryLanguage: 'JSONata', StartAt: Object.keys(states)[0], States: states, ...options.asl };
  const handle = startExecution({
    definition: parseDefinition(asl),
    input: {},
    context: {
      executionArn: 'arn:aws:states:us-east-1:111111111111:execution:machine:run',
      executionName: 'run',
      roleArn: 'arn:aws:iam::111111111111:role/role',
      startTime: new Date(clock.now()).toISOString(),
      stateMachineArn: 'arn:aws:states:us-east-1:111111111111:stateMachine:machine',
      stateMachineName: 'machine',
    },
    tasks: {
      async run(request) {
        calls.push(request);
        return await answer(request);
      },
    },
    clock,
    ids() {
      id += 1;
      return `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
    },
    onEvent: (event) => events.push(event),
    journal: { save: (snapshot) => snapshots.push(snapshot) },
    ...options,
  });
  return {
    clock,
    handle,
    events,
    snapshots,
    calls,
    end: () => clock.runUntil(handle.result),
    types: () => events.map(({ type }) => type),
  };
}

/** The newest snapshot, as it comes back from a file. */
export function lastSnapshot({ snapshots }: Trial): ExecutionSnapshot {
  return JSON.parse(JSON.stringify(snapshots.at(-1)));
}
