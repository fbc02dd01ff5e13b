import { logger, observed } from '../adapters/observability.ts';
import { routeNamed, routesFile } from '../adapters/routes-file.ts';
import type { Waiting } from '../domain/handoff.ts';
import { parseWaitRequest } from '../domain/workflow-data.ts';
import { accountPorts } from './account-ports.ts';
import { openWait } from './open-wait.ts';

/** The handler behind the ask and park states. What it returns is not seen: the state waits for its token. */
export function waitHandler(kind: Waiting['kind']) {
  return observed(kind, async (event: unknown) => {
    const request = parseWaitRequest(event);
    const file = routesFile();
    const route = routeNamed(file.routes, request.route);
    const { action, why, dueAt, answered } = await openWait(kind, request, accountPorts(route, file));
    logger.info('waiting', { kind, action, why, dueAt, answered });
  });
}
