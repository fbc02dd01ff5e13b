import { crmReader } from '../adapters/readers.ts';
import { readContact } from './reads/upsert-contact.ts';
import { reconcileHandler } from './reconcile-function.ts';

export const handler = reconcileHandler('upsert-contact', (route, { stage, numbers }, contract) =>
  readContact(crmReader(stage, route, numbers), contract),
);
