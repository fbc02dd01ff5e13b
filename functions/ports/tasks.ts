import type { TaskBody, TaskSnapshot } from '../domain/destination-records.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { WriteCall } from './contacts.ts';

export type { TaskBody, TaskSnapshot } from '../domain/destination-records.ts';

/** Throws `DestinationUnreadable`; null means that the CRM answered and has no such task. */
export interface TaskReader {
  findByStamp(stamp: string): Promise<TaskSnapshot | null>;
  /** Archived ones included. */
  findTask(id: string): Promise<TaskSnapshot | null>;
}

/** One request per call, never retried, never thrown. */
export interface TaskWriter {
  createTask(task: TaskBody, call: WriteCall): Promise<Outcome>;
}
