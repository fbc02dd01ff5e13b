import { crmReader, mailReader } from '../adapters/readers.ts';
import { namedEmail } from './reads/named-record.ts';
import { readIntroduction } from './reads/send-introduction.ts';
import { reconcileHandler } from './reconcile-function.ts';

export const handler = reconcileHandler('send-introduction', (route, { stage, numbers }, contract) => {
  const reader = mailReader(stage, route, numbers);
  return {
    read: readIntroduction(reader, crmReader(stage, route, numbers), contract),
    readNamed: namedEmail({ reader, contract, clock: Date.now }),
  };
});
