import { logger, observed } from '../adapters/observability.ts';
import { routesFile } from '../adapters/routes-file.ts';
import { accountPorts } from './account-ports.ts';
import { executionEnded, parseEndedExecution } from './ended-execution.ts';

/** The handler behind the rule that sees handoff executions end. Events come at least once, and late. */
export const handler = observed('execution ended', async (event: unknown) => {
  const ended = parseEndedExecution(event);
  const file = routesFile();
  const route = file.routes.find(({ name }) => name === ended.key?.route);
  const became =
    route && ended.key ? await executionEnded(ended.key, ended, accountPorts(route, file)) : 'unknown';
  logger.info('execution ended', { execution: ended.execution, status: ended.status, became });
});
