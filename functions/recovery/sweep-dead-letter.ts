import type { LeadKey } from '../domain/action.ts';
import { deadLetterOpened } from '../domain/intake-notice.ts';
import { isUntold } from './ask-again.ts';
import { askedPerson } from './asked-person.ts';
import type { RecoveryPorts } from './ports.ts';

/**
 * Tells of a dead letter whose first event was lost, and asks the escalation owner about one that is overdue. The event goes out
 * first: a crash after it tells twice, which is better than not at all.
 *
 * @throws LedgerUnavailable, EventsUnavailable
 */
export async function sweepDeadLetter(key: LeadKey, messageId: string, ports: RecoveryPorts): Promise<void> {
  const { ledger, events, clock } = ports;
  const { deadLetters } = await ledger.underId(key);
  const deadLetter = deadLetters.find((candidate) => candidate.messageId === messageId);
  if (!deadLetter || deadLetter.resolution !== null) return;
  const { waiting } = deadLetter;
  const now = clock();
  if (waiting.dueAt === null || now < waiting.dueAt) return;
  const asked = isUntold(waiting) ? waiting.asked : waiting.asked + 1;
  const told = { ...waiting, asked, ...askedPerson(asked, now, ports) };
  await events.publish(deadLetterOpened(key, { ...deadLetter, waiting: told }, ports));
  await ledger.putWaiting(key, told);
}
