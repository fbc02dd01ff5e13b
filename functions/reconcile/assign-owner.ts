import { crmReader } from '../adapters/readers.ts';
import { readOwner } from './reads/assign-owner.ts';
import { namedOwner } from './reads/named-record.ts';
import { reconcileHandler } from './reconcile-function.ts';

export const handler = reconcileHandler('assign-owner', (route, { stage, numbers }, contract) => {
  const reader = crmReader(stage, route, numbers);
  return {
    read: readOwner(reader, contract),
    readNamed: namedOwner({ reader, contract, clock: Date.now }),
  };
});
