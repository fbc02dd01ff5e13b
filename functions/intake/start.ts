import { logger, observed } from '../adapters/observability.ts';
import { routeNamed, routesFile } from '../adapters/routes-file.ts';
import { acceptLead } from './accept-lead.ts';
import { intakePorts } from './account-ports.ts';
import { acceptApproved, dismiss } from './approve.ts';
import { parseStartRequest } from './start-request.ts';

/** The handler that operators' tools call. */
export const handler = observed('start', async (event: unknown) => {
  const request = parseStartRequest(event);
  const file = routesFile();
  const ports = intakePorts(routeNamed(file.routes, request.route), file);
  if ('dismissal' in request) {
    const dismissed = await dismiss(request.dismissal, ports);
    logger.info('dead letters dismissed', {
      leadRequestId: dismissed.leadRequestId,
      dismissed: dismissed.dismissed,
    });
    return dismissed;
  }
  const { lead, approval } = request;
  const accepted = approval ? await acceptApproved(lead, approval, ports) : await acceptLead(lead, ports);
  logger.info('lead request', { ...accepted, approved: approval !== undefined });
  return accepted;
});
