import { routesFile } from '../adapters/routes-file.ts';
import { intakePorts } from './account-ports.ts';
import { batchFunction } from './batch-function.ts';
import { keepDeadLetter } from './keep-dead-letter.ts';

/** The handler behind the dead-letter queue. */
export const handler = batchFunction('dead-letters', async ({ messageId, body, attributes }) => {
  const file = routesFile();
  const message = {
    messageId,
    body,
    sentAt: Number(attributes.SentTimestamp),
    receiveCount: Number(attributes.ApproximateReceiveCount),
  };
  const { routes } = file;
  return { ...(await keepDeadLetter(message, { routes, portsOf: (route) => intakePorts(route, file) })) };
});
