import { crmReader } from '../adapters/readers.ts';
import { readTask } from './reads/create-task.ts';
import { namedTask } from './reads/named-record.ts';
import { reconcileHandler } from './reconcile-function.ts';

export const handler = reconcileHandler('create-task', (route, { stage, numbers }, contract) => {
  const reader = crmReader(stage, route, numbers);
  return {
    read: readTask(reader, contract),
    readNamed: namedTask({ reader, contract, clock: Date.now }),
  };
});
