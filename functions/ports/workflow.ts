import type { ExecutionInput } from '../domain/workflow-data.ts';

/** Starts executions of the handoff workflow. */
export interface Workflow {
  /**
   * Starts the execution of that name. A name that is running with the same input, or that was used before, is no error: it
   * answers `started: false`.
   *
   * @throws WorkflowUnavailable
   */
  start(name: string, input: ExecutionInput): Promise<{ readonly started: boolean }>;
}

/** The workflow service gave no answer; whether the execution started is not known. Starting again is safe. */
export class WorkflowUnavailable extends Error {
  override readonly name = 'WorkflowUnavailable';

  constructor(cause: unknown) {
    super('The workflow could not be started; send the same lead request again.', { cause });
  }
}
