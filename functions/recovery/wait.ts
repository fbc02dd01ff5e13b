import type { LeadKey } from '../domain/action.ts';
import { FINAL_PHASES } from '../domain/action-state.ts';
import { Held, NotCurrent, UnknownHandoff } from '../domain/errors.ts';
import type { Waiting } from '../domain/handoff.ts';
import type { RouteSettings } from '../domain/route.ts';
import type { StageNumbers } from '../domain/stage-numbers.ts';
import type { WaitRequest } from '../domain/workflow-data.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ledger } from '../ports/ledger.ts';
import { askedPerson } from './asked-person.ts';

export interface WaitPorts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly route: RouteSettings;
  readonly numbers: StageNumbers;
  /** The destination that the action writes to. */
  readonly destination: string;
}

/**
 * Puts an action on the waiting list with its task token, a name and a due time. The state then waits until the token is
 * completed or the due time passes; both lead back to reconcile.
 *
 * @throws UnknownHandoff, NotCurrent, Held for an action or a handoff that is over; LedgerUnavailable
 */
export async function putOnWaitingList(
  kind: Waiting['kind'],
  request: WaitRequest,
  ports: WaitPorts,
): Promise<Waiting> {
  const key: LeadKey = { route: request.route, leadRequestId: request.leadRequestId };
  const record = await ports.ledger.record(key);
  if (!record) throw new UnknownHandoff(key.route, key.leadRequestId);
  if (record.handoff.execution !== request.execution) throw new NotCurrent(request.execution);
  const state = record.actions.find(({ action }) => action === request.action);
  const over =
    record.handoff.closedAt !== null || (state !== undefined && FINAL_PHASES.includes(state.phase));
  if (over) throw new Held('nothing-to-wait-for');
  const now = ports.clock();
  // Asked again, it has waited since it was asked first: the oldest is the one that was forgotten longest.
  const earlier = record.waiting.find(({ action }) => action === request.action);
  const since = earlier?.kind === kind ? earlier.since : now;
  const waiting: Waiting = {
    action: request.action,
    kind,
    token: request.token,
    execution: request.execution,
    why: request.reason ?? 'unknown',
    since,
    asked: request.asked,
    ...(kind === 'ask' ? askedPerson(request.asked, now, ports) : parkedBy(now, ports)),
  };
  await ports.ledger.putWaiting(key, waiting);
  return waiting;
}

function parkedBy(now: number, { numbers, destination }: WaitPorts): Pick<Waiting, 'who' | 'dueAt'> {
  return { who: destination, dueAt: now + numbers.parkSeconds * 1000 };
}
