import { crmReader, mailReader } from '../adapters/readers.ts';
import { readIntroduction } from './reads/send-introduction.ts';
import { reconcileHandler } from './reconcile-function.ts';

export const handler = reconcileHandler('send-introduction', (route, { stage, numbers }, contract) =>
  readIntroduction(mailReader(stage, route, numbers), crmReader(stage, route, numbers), contract),
);
