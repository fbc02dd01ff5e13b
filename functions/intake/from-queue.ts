import { routesFile } from '../adapters/routes-file.ts';
import { acceptMessage } from './accept-message.ts';
import { intakePorts } from './account-ports.ts';
import { batchFunction } from './batch-function.ts';

/** The handler behind the queue of lead requests. */
export const handler = batchFunction('from-queue', async ({ body }) => {
  const file = routesFile();
  const accepted = await acceptMessage(body, {
    routes: file.routes,
    portsOf: (route) => intakePorts(route, file),
  });
  return accepted === null ? { status: 'conflict' } : { ...accepted };
});
