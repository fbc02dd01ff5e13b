import { routeNamed } from '../adapters/routes-file.ts';
import { LeadConflict, UnderInvestigation } from '../domain/errors.ts';
import { parseLeadMessage } from '../domain/lead-message.ts';
import type { RouteSettings } from '../domain/route.ts';
import { type Accepted, acceptLead } from './accept-lead.ts';
import type { IntakePorts } from './ports.ts';

export interface MessagePorts {
  readonly routes: readonly RouteSettings[];
  readonly portsOf: (route: RouteSettings) => IntakePorts;
}

/**
 * Accepts the lead request of a message. A request that is kept as a conflict is done with: sent again, it would be refused again.
 *
 * @returns null for a conflict
 * @throws InvalidLeadMessage, UnknownRoute, InvalidLeadRequest; LedgerUnavailable, WorkflowUnavailable, EventsUnavailable
 */
export async function acceptMessage(
  body: string,
  { routes, portsOf }: MessagePorts,
): Promise<Accepted | null> {
  const message = parseLeadMessage(body);
  const route = routeNamed(routes, message.route);
  try {
    return await acceptLead(message.lead, portsOf(route));
  } catch (error) {
    if (error instanceof LeadConflict || error instanceof UnderInvestigation) return null;
    throw error;
  }
}
