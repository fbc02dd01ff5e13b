import type { ExecutionInput } from '../domain/workflow-data.ts';

/** The status of an execution in the service's own words; DOES_NOT_EXIST also for one that it has forgotten, 90 days after its end. */
export type ExecutionStatus =
  | 'RUNNING'
  | 'SUCCEEDED'
  | 'FAILED'
  | 'TIMED_OUT'
  | 'ABORTED'
  | 'PENDING_REDRIVE'
  | 'DOES_NOT_EXIST';

/** Executions of the handoff workflow. Every method throws `WorkflowUnavailable`. */
export interface Workflow {
  /**
   * Starts the execution of that name. A name that is running with the same input, or that was used before, is no error: it
   * answers `started: false`.
   */
  start(name: string, input: ExecutionInput): Promise<{ readonly started: boolean }>;
  status(name: string): Promise<ExecutionStatus>;
  /** Stops an execution; one that has ended or never was is no error. */
  stop(name: string, cause: string): Promise<void>;
  /** Completes a task token; false where nobody waits behind it any more. */
  complete(token: string): Promise<boolean>;
}

/** The workflow service gave no answer; whether the execution started is not known. Starting again is safe. */
export class WorkflowUnavailable extends Error {
  override readonly name = 'WorkflowUnavailable';

  constructor(cause: unknown) {
    super('The workflow service gave no answer; try the same again.', { cause });
  }
}
