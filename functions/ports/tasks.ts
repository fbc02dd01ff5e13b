import type { Outcome } from '../domain/outcome.ts';
import type { WriteCall } from './contacts.ts';

/** The frozen task. */
export interface TaskBody {
  readonly contactId: string;
  readonly ownerId: string | null;
  /** Unique text by which the task is found again: the operation's identity. */
  readonly stamp: string;
  readonly subject: string;
  readonly body: string;
  /** Epoch milliseconds, computed once when the task was frozen. */
  readonly dueAt: number;
}

/** A task as the CRM shows it now. */
export interface TaskSnapshot {
  readonly id: string;
  readonly archived: boolean;
  readonly completed: boolean;
  readonly contactIds: readonly string[];
}

/** Throws `DestinationUnreadable`; null means that the CRM answered and has no such task. */
export interface TaskReader {
  findByStamp(stamp: string): Promise<TaskSnapshot | null>;
}

/** One request per call, never retried, never thrown. */
export interface TaskWriter {
  create(task: TaskBody, call: WriteCall): Promise<Outcome>;
}
