import type { ExecutionInput } from '../../functions/domain/workflow-data.ts';
import type { ExecutionStatus, Workflow } from '../../functions/ports/workflow.ts';

/** Executions in memory: a name runs once, and a token is completed once. */
export class InMemoryWorkflow implements Workflow {
  /** Every name that was asked for, in order. */
  readonly started: string[] = [];
  readonly inputs = new Map<string, ExecutionInput>();
  readonly statuses = new Map<string, ExecutionStatus>();
  /** Tokens that a state waits behind. */
  readonly tokens = new Set<string>();
  readonly completed: string[] = [];

  async start(name: string, input: ExecutionInput): Promise<{ started: boolean }> {
    this.started.push(name);
    if (this.statuses.has(name)) return { started: false };
    this.statuses.set(name, 'RUNNING');
    this.inputs.set(name, input);
    return { started: true };
  }

  async status(name: string): Promise<ExecutionStatus> {
    return this.statuses.get(name) ?? 'DOES_NOT_EXIST';
  }

  async stop(name: string): Promise<void> {
    if (this.statuses.get(name) === 'RUNNING') this.statuses.set(name, 'ABORTED');
  }

  async complete(token: string): Promise<boolean> {
    const waits = this.tokens.delete(token);
    if (waits) this.completed.push(token);
    return waits;
  }
}
