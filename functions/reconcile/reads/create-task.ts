import type { ReceiverContract } from '../../domain/contract.ts';
import { taskFinding } from '../../domain/findings.ts';
import type { TaskReader } from '../../ports/tasks.ts';
import type { ReadDestination } from '../reconcile.ts';

/** Is there a task with our stamp? */
export function readTask(reader: TaskReader, contract: ReceiverContract): ReadDestination<'create-task'> {
  return async ({ body }, _state, times) =>
    taskFinding(await reader.findByStamp(body.stamp), contract, times);
}
