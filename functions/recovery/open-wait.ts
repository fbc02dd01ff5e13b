import type { LeadKey } from '../domain/action.ts';
import { UnknownHandoff } from '../domain/errors.ts';
import type { Waiting } from '../domain/handoff.ts';
import { statesOf } from '../domain/recovery-record.ts';
import type { WaitRequest } from '../domain/workflow-data.ts';
import type { RecoveryPorts } from './ports.ts';
import { recoveryOpened } from './question.ts';
import { unheardDecision } from './unheard-decision.ts';
import { putOnWaitingList } from './wait.ts';

/** `answered`: a person had decided before the wait was known, so that it is over already. */
export type OpenedWait = Waiting & { readonly answered: boolean };

/**
 * The function behind the ask and park states: puts the action on the waiting list, and tells the person who is asked.
 *
 * A decision is written first and looks for the token then; the token is written first and looks for a decision then. Whichever
 * comes second sees the other, so that a decision takes effect whenever it was made.
 *
 * @throws UnknownHandoff, NotCurrent, Held; LedgerUnavailable, WorkflowUnavailable, EventsUnavailable, after which the workflow
 *   comes back by itself
 */
export async function openWait(
  kind: Waiting['kind'],
  request: WaitRequest,
  ports: RecoveryPorts,
): Promise<OpenedWait> {
  const key: LeadKey = { route: request.route, leadRequestId: request.leadRequestId };
  const { destination } = ports.contractOf(request.action);
  const waiting = await putOnWaitingList(kind, request, { ...ports, destination });
  const record = await ports.ledger.record(key);
  if (!record) throw new UnknownHandoff(key.route, key.leadRequestId);
  const decided = statesOf(record).some(
    (state) => state.action === request.action && unheardDecision(state) !== null,
  );
  if (decided) await ports.workflow.complete(request.token);
  else if (kind === 'ask') await ports.events.publish(recoveryOpened(record, waiting, ports));
  return { ...waiting, answered: decided };
}
