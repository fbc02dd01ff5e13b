import { executionName, type LeadKey } from '../domain/action.ts';
import { LeadConflict } from '../domain/errors.ts';
import type { Handoff } from '../domain/handoff.ts';
import { intentHash } from '../domain/intent.ts';
import { type LeadRequest, parseLeadRequest } from '../domain/lead-request.ts';
import { chosenOwner } from '../domain/owner-rule.ts';
import type { RouteSettings } from '../domain/route.ts';
import type { StageNumbers } from '../domain/stage-numbers.ts';
import { executionInput } from '../domain/workflow-data.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Workflow } from '../ports/workflow.ts';

export interface AcceptPorts {
  readonly ledger: Ledger;
  readonly workflow: Workflow;
  readonly clock: Clock;
  readonly route: RouteSettings;
  readonly numbers: StageNumbers;
}

/** The answer to a producer of leads. */
export interface Accepted {
  readonly leadRequestId: string;
  readonly execution: string;
  /** `accepted` the first time; `repeated` when the same lead request came before; `closed` when its handoff is over. */
  readonly status: 'accepted' | 'repeated' | 'closed';
}

/**
 * Accepts a lead request: validates it, pins its owner, writes the handoff once and starts its execution. The same request again
 * starts it again unless it is closed, because a crash may have come between the write and the start.
 *
 * @throws InvalidLeadRequest and LeadConflict for the sender to mend; LedgerUnavailable and WorkflowUnavailable to try again.
 */
export async function acceptLead(input: unknown, ports: AcceptPorts): Promise<Accepted> {
  const { ledger, workflow, clock, route, numbers } = ports;
  const lead = parseLeadRequest(input);
  const key: LeadKey = { route: route.name, leadRequestId: lead.leadRequestId };
  const { accepted, handoff } = await ledger.accept(newHandoff(key, lead, route, clock()));
  const hash = intentHash(lead);
  if (handoff.intentHash !== hash && handoff.amendments.at(-1)?.intentHash !== hash) {
    await ledger.addConflict(key, { intentHash: hash, firstSeenAt: clock(), lead });
    throw new LeadConflict(key.leadRequestId);
  }
  const { leadRequestId, execution, run, closedAt } = handoff;
  if (closedAt !== null) return { leadRequestId, execution, status: 'closed' };
  await workflow.start(execution, executionInput(key, run, route, numbers));
  return { leadRequestId, execution, status: accepted ? 'accepted' : 'repeated' };
}

function newHandoff(key: LeadKey, lead: LeadRequest, route: RouteSettings, now: number): Handoff {
  return {
    ...key,
    lead,
    ownerId: chosenOwner(route.owner, lead, 1),
    intentHash: intentHash(lead),
    acceptedAt: now,
    closedAt: null,
    execution: executionName(key, 1),
    run: 1,
    amendments: [],
  };
}
