import type { LedgerRecord, Waiting, WaitingSubject } from '../domain/handoff.ts';
import { askedPerson } from './asked-person.ts';
import type { RecoveryPorts } from './ports.ts';
import { recoveryOpened } from './question.ts';

/*
 * Questions behind which no execution waits: about a handoff whose execution is gone, or about an action whose token was lost. The
 * workflow does not time them, so the sweep does.
 */

/** What waits of this subject in the current run; what an earlier run left behind does not count. */
export function waitingFor(record: LedgerRecord, subject: WaitingSubject): Waiting | undefined {
  return record.waiting.find(
    ({ action, execution }) => action === subject && execution === record.handoff.execution,
  );
}

/** Written down, and its event is not known to be out: such a question is due since it was written. */
export function isUntold({ token, dueAt, since }: Waiting): boolean {
  return token === null && dueAt === since;
}

/**
 * Puts a question without a token on the waiting list and tells the recovery owner; one that was told before stays as it is.
 *
 * It is written first, so that it is on the list whatever becomes of the event, and again when the event is out: until then it is
 * due at once, and whoever finds it so tells it.
 *
 * @returns false where the question had been asked before
 * @throws LedgerUnavailable, EventsUnavailable; asking again is safe
 */
export async function askWithoutToken(
  record: LedgerRecord,
  subject: WaitingSubject,
  why: string,
  ports: RecoveryPorts,
): Promise<boolean> {
  const earlier = waitingFor(record, subject);
  if (earlier && !isUntold(earlier)) return false;
  const untold = earlier ?? (await putUntold(record, subject, why, ports));
  const told = { ...untold, ...askedPerson(untold.asked, ports.clock(), ports) };
  await ports.events.publish(recoveryOpened(record, told, ports));
  await ports.ledger.putWaiting(record.handoff, told);
  return true;
}

/** Puts a question without a token on the waiting list, due at once. */
export async function putUntold(
  { handoff }: LedgerRecord,
  subject: WaitingSubject,
  why: string,
  ports: RecoveryPorts,
): Promise<Waiting> {
  const since = ports.clock();
  const untold: Waiting = {
    action: subject,
    kind: 'ask',
    token: null,
    execution: handoff.execution,
    why,
    since,
    asked: 0,
    who: ports.route.recoveryOwner.email,
    dueAt: since,
  };
  await ports.ledger.putWaiting(handoff, untold);
  return untold;
}

/**
 * Asks the escalation owner where a question without a token is overdue. The event goes out first: a crash after it tells twice,
 * which is better than not at all.
 *
 * @throws EventsUnavailable, LedgerUnavailable
 */
export async function escalateOverdue(
  record: LedgerRecord,
  waiting: Waiting,
  ports: RecoveryPorts,
): Promise<void> {
  const now = ports.clock();
  if (waiting.dueAt === null || now < waiting.dueAt) return;
  const asked = waiting.asked + 1;
  const escalated = { ...waiting, asked, ...askedPerson(asked, now, ports) };
  await ports.events.publish(recoveryOpened(record, escalated, ports));
  await ports.ledger.putWaiting(record.handoff, escalated);
}
