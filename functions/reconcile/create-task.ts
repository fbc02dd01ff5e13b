import { crmReader } from '../adapters/readers.ts';
import { readTask } from './reads/create-task.ts';
import { reconcileHandler } from './reconcile-function.ts';

export const handler = reconcileHandler('create-task', (route, { stage, numbers }, contract) =>
  readTask(crmReader(stage, route, numbers), contract),
);
