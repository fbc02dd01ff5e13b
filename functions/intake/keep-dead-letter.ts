import { routeNamed } from '../adapters/routes-file.ts';
import { executionName, type LeadKey } from '../domain/action.ts';
import {
  DEAD_LETTER,
  type DeadLetterReason,
  type QueuedMessage,
  readDeadLetter,
} from '../domain/dead-letter.ts';
import type { Waiting } from '../domain/handoff.ts';
import { answerDueAt, deadLetterOpened } from '../domain/intake-notice.ts';
import type { MessagePorts } from './accept-message.ts';

/**
 * Keeps a message that could not be accepted, and asks the recovery owner about it. A handoff under its id is left alone. Until the
 * event is out the question is due at once, so that the same message again, or the sweep, tells it.
 *
 * @throws LedgerUnavailable, EventsUnavailable; doing it again is safe
 */
export async function keepDeadLetter(
  message: QueuedMessage,
  { routes, portsOf }: MessagePorts,
): Promise<LeadKey & { readonly reason: DeadLetterReason }> {
  const { key, deadLetter } = readDeadLetter(
    message,
    routes.map(({ name }) => name),
  );
  const ports = portsOf(routeNamed(routes, key.route));
  const { ledger, events, clock, route } = ports;
  const since = clock();
  const untold: Waiting = {
    action: 'dead-letter',
    kind: 'ask',
    token: null,
    execution: executionName(key, 1),
    who: route.recoveryOwner.email,
    why: DEAD_LETTER,
    since,
    dueAt: since,
    asked: 0,
    messageId: message.messageId,
  };
  const standing = await ledger.addDeadLetter(key, { ...deadLetter, waiting: untold, resolution: null });
  const { waiting, resolution } = standing;
  if (resolution === null && waiting.dueAt === waiting.since) {
    const told = { ...waiting, dueAt: answerDueAt(clock(), ports) };
    await events.publish(deadLetterOpened(key, { ...standing, waiting: told }, ports));
    await ledger.putWaiting(key, told);
  }
  return { ...key, reason: standing.reason };
}
