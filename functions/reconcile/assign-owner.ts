import { crmReader } from '../adapters/readers.ts';
import { readOwner } from './reads/assign-owner.ts';
import { reconcileHandler } from './reconcile-function.ts';

export const handler = reconcileHandler('assign-owner', (route, { stage, numbers }, contract) =>
  readOwner(crmReader(stage, route, numbers), contract),
);
