import { executionName, type LeadKey } from '../domain/action.ts';
import { isUnderInvestigation } from '../domain/dead-letter.ts';
import { LeadConflict, UnderInvestigation } from '../domain/errors.ts';
import type { Handoff } from '../domain/handoff.ts';
import { intentHash } from '../domain/intent.ts';
import { type LeadRequest, parseLeadRequest } from '../domain/lead-request.ts';
import { chosenOwner, drawsTicket } from '../domain/owner-rule.ts';
import type { UnderId } from '../ports/ledger.ts';
import { admit } from './admit.ts';
import { keepConflict } from './keep-conflict.ts';
import type { IntakePorts } from './ports.ts';

/**
 * `accepted` the first time; `repeated` when the same lead request came before; `closed` when its handoff is over; `joined` when it was
 * closed because the same person's other one stands for it; `asked` when a person decides whether it goes on.
 */
export const ACCEPTED_STATUSES = ['accepted', 'repeated', 'closed', 'joined', 'asked'] as const;

/** The answer to a producer of leads. */
export interface Accepted {
  readonly leadRequestId: string;
  readonly execution: string;
  readonly status: (typeof ACCEPTED_STATUSES)[number];
}

/**
 * Accepts a lead request: validates it, pins its owner, writes the handoff once and lets it go on. The same request again goes the
 * same way unless its handoff is closed or waits for a person, because a crash may have come between the writes.
 *
 * @param approved an approver hands it in, although dead letters under its id are being investigated
 * @throws InvalidLeadRequest, LeadConflict and UnderInvestigation for the sender to mend; LedgerUnavailable, WorkflowUnavailable and
 *   EventsUnavailable to try again.
 */
export async function acceptLead(input: unknown, ports: IntakePorts, approved = false): Promise<Accepted> {
  const { ledger, route } = ports;
  const lead = parseLeadRequest(input);
  const key: LeadKey = { route: route.name, leadRequestId: lead.leadRequestId };
  const known = await ledger.underId(key);
  if (known.handoff === null && !approved && isUnderInvestigation(known.deadLetters)) {
    await keepConflict(lead, { ...known, investigated: true }, ports);
    throw new UnderInvestigation(lead.leadRequestId);
  }
  const { accepted, handoff } = known.handoff
    ? { accepted: false, handoff: known.handoff }
    : await ledger.accept(await newHandoff(key, lead, ports));
  if (!asksForTheSame(lead, handoff)) {
    await keepConflict(lead, { ...known, investigated: false }, ports);
    throw new LeadConflict(lead.leadRequestId);
  }
  const { leadRequestId, execution } = handoff;
  return { leadRequestId, execution, status: await statusOf(handoff, accepted, known, ports) };
}

async function statusOf(
  handoff: Handoff,
  accepted: boolean,
  { waiting }: UnderId,
  ports: IntakePorts,
): Promise<Accepted['status']> {
  const { closedAt, joinedTo, execution } = handoff;
  if (closedAt !== null) return joinedTo === undefined ? 'closed' : 'joined';
  const isAsked = waiting.some((item) => item.action === 'handoff' && item.execution === execution);
  if (isAsked) return 'asked';
  const admission = await admit(handoff, ports);
  if (admission !== 'started') return admission;
  return accepted ? 'accepted' : 'repeated';
}

/** The first fields, or those that an approver has put in their place last. */
function asksForTheSame(lead: LeadRequest, handoff: Handoff): boolean {
  const hash = intentHash(lead);
  return handoff.intentHash === hash || handoff.amendments.at(-1)?.intentHash === hash;
}

async function newHandoff(
  key: LeadKey,
  lead: LeadRequest,
  { ledger, clock, route }: IntakePorts,
): Promise<Handoff> {
  const ticket = drawsTicket(route.owner) ? await ledger.drawTicket(route.name) : 0;
  return {
    ...key,
    lead,
    ownerId: chosenOwner(route.owner, lead, ticket),
    intentHash: intentHash(lead),
    acceptedAt: clock(),
    closedAt: null,
    execution: executionName(key, 1),
    run: 1,
    amendments: [],
  };
}
