import type { ExecutionHandle } from './interpreter/execution.ts';
import type { HistoryEvent } from './interpreter/history.ts';
import type { ExecutionSnapshot } from './interpreter/snapshot.ts';
import type { ExecutionStart, JournaledExecution, Redrive } from './journal.ts';

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
  readonly redrives: Redrive[];
  /** Where the execution is, or where it was when it ended without success. */
  snapshot: ExecutionSnapshot | undefined;
  /** Present while the execution runs in this process. */
  handle: ExecutionHandle | undefined;

  constructor(start: ExecutionStart, kept: Partial<JournaledExecution> = {}) {
    this.start = start;
    this.events = kept.events ?? [];
    this.tokens = new Set(kept.tokens);
    this.redrives = kept.redrives ?? [];
    this.snapshot = kept.snapshot;
    this.forgetSnapshot();
  }

  /** What succeeded is never redriven. */
  forgetSnapshot(): void {
    if (this.status === 'SUCCEEDED') this.snapshot = undefined;
  }

  get end(): ExecutionEnd | undefined {
    const last = this.events.at(-1);
    const status = END_STATUS[last?.type ?? ''];
    if (!last || !status) return undefined;
    const details = (last[`e${last.type.slice(1)}EventDetails`] ?? {}) as Partial<ExecutionEnd>;
    const stopDate = last.timestamp * 1000;
    // The event of a timeout has the error States.Timeout, the description of the execution none (as AWS was recorded).
    if (status === 'TIMED_OUT') return { status, stopDate };
    return {
      status,
      stopDate,
      ...(details.output !== undefined && { output: details.output }),
      ...(details.error !== undefined && { error: details.error }),
      ...(details.cause !== undefined && { cause: details.cause }),
    };
  }

  get status(): ExecutionStatus {
    return this.end?.status ?? 'RUNNING';
  }
}
