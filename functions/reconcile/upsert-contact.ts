import { crmReader } from '../adapters/readers.ts';
import { namedContact } from './reads/named-record.ts';
import { readContact } from './reads/upsert-contact.ts';
import { reconcileHandler } from './reconcile-function.ts';

export const handler = reconcileHandler('upsert-contact', (route, { stage, numbers }, contract) => {
  const reader = crmReader(stage, route, numbers);
  return {
    read: readContact(reader, contract),
    readNamed: namedContact({ reader, contract, clock: Date.now }),
  };
});
