import type { Json, JsonObject } from './json.ts';

/**
 * A validated state machine. Field names and meaning are those of the Amazon States Language, JSONata only;
 * `parseDefinition` (parse-definition.ts) is the only way to get one.
 * https://states-language.net/spec.html
 */
export interface StateMachineDefinition extends StatesDefinition {
  /** Longest time that an execution may run, in seconds. */
  TimeoutSeconds?: number;
}

/** A sequence of states with its own scope: the top level, a branch, or an item processor. */
export interface StatesDefinition {
  StartAt: string;
  States: { [name: string]: StateDefinition };
}

export type StateDefinition =
  | PassState
  | TaskState
  | ChoiceState
  | WaitState
  | SucceedState
  | FailState
  | ParallelState
  | MapState;

export type StateType = StateDefinition['Type'];

interface Transition {
  Next?: string;
  End?: boolean;
}

interface Outputs {
  Output?: Json;
  Assign?: JsonObject;
}

interface ErrorHandling {
  Retry?: Retrier[];
  Catch?: Catcher[];
}

export interface PassState extends Transition, Outputs {
  Type: 'Pass';
}

export interface TaskState extends Transition, Outputs, ErrorHandling {
  Type: 'Task';
  Resource: string;
  Arguments?: Json;
  TimeoutSeconds?: number | string;
  HeartbeatSeconds?: number | string;
}

export interface ChoiceState extends Outputs {
  Type: 'Choice';
  Choices: ChoiceRule[];
  Default?: string;
}

export interface ChoiceRule extends Outputs {
  Condition: boolean | string;
  Next: string;
}

export interface WaitState extends Transition, Outputs {
  Type: 'Wait';
  Seconds?: number | string;
  Timestamp?: string;
}

export interface SucceedState {
  Type: 'Succeed';
  Output?: Json;
}

export interface FailState {
  Type: 'Fail';
  Error?: string;
  Cause?: string;
}

export interface ParallelState extends Transition, Outputs, ErrorHandling {
  Type: 'Parallel';
  Branches: StatesDefinition[];
  Arguments?: Json;
}

export interface MapState extends Transition, Outputs, ErrorHandling {
  Type: 'Map';
  ItemProcessor: StatesDefinition;
  Items?: Json[] | string;
  ItemSelector?: Json;
  MaxConcurrency?: number | string;
  ToleratedFailureCount?: number | string;
  ToleratedFailurePercentage?: number | string;
}

/** A state that may retry and catch. */
export type ErrorHandlingState = TaskState | ParallelState | MapState;

export interface Retrier {
  ErrorEquals: string[];
  IntervalSeconds?: number;
  MaxAttempts?: number;
  BackoffRate?: number;
  MaxDelaySeconds?: number;
  JitterStrategy?: 'FULL' | 'NONE';
}

export interface Catcher extends Outputs {
  ErrorEquals: string[];
  Next: string;
}
