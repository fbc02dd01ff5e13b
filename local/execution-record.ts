import type { ExecutionHandle } from './interpreter/execution.ts';
import type { HistoryEvent } from './interpreter/history.ts';
import type { ExecutionStart } from './journal.ts';

export type ExecutionStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';

/** How an execution ended. Times are milliseconds since the epoch, `output` is JSON text. */
export interface ExecutionEnd {
  readonly status: Exclude<ExecutionStatus, 'RUNNING'>;
  readonly stopDate: number;
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}

const END_STATUS: Readonly<Record<string, ExecutionEnd['status']>> = {
  ExecutionSucceeded: 'SUCCEEDED',
  ExecutionFailed: 'FAILED',
  ExecutionTimedOut: 'TIMED_OUT',
  ExecutionAborted: 'ABORTED',
};

/** One execution, running or closed. Its last event says which. */
export class ExecutionRecord {
  readonly start: ExecutionStart;
  readonly events: HistoryEvent[];
  readonly tokens: Set<string>;
  /** Present while the execution runs in this process. */
  handle: ExecutionHandle | undefined;

  constructor(start: ExecutionStart, events: HistoryEvent[] = [], tokens: Iterable<string> = []) {
    this.start = start;
    this.events = events;
    this.tokens = new Set(tokens);
  }

  get end(): ExecutionEnd | undefined {
    const last = this.events.at(-1);
    const status = END_STATUS[last?.type ?? ''];
    if (!last || !status) return undefined;
    const details = (last[`e${last.type.slice(1)}EventDetails`] ?? {}) as Partial<ExecutionEnd>;
    return {
      status,
      stopDate: last.timestamp * 1000,
      ...(details.output !== undefined && { output: details.output }),
      ...(details.error !== undefined && { error: details.error }),
      ...(details.cause !== undefined && { cause: details.cause }),
    };
  }

  get status(): ExecutionStatus {
    return this.end?.status ?? 'RUNNING';
  }
}
