import type { Conflict } from '../domain/handoff.ts';
import { otherFieldsOpened } from '../domain/intake-notice.ts';
import { intentHash } from '../domain/intent.ts';
import type { LeadRequest } from '../domain/lead-request.ts';
import type { IntakePorts } from './ports.ts';

/** A source that changes its fields again and again does not fill a mailbox; all of them are in the record. */
const MOST_TOLD = 5;
const DAY = 86_400_000;

/**
 * Keeps a request that may not run as a conflict, once. Where the route says so, the recovery owner is told first: a crash after it
 * tells twice, which is better than not at all.
 *
 * @param known the conflicts that are there, and whether the id is investigated: then the recovery owner knows of it already
 * @throws EventsUnavailable, LedgerUnavailable
 */
export async function keepConflict(
  lead: LeadRequest,
  known: { readonly conflicts: readonly Conflict[]; readonly investigated: boolean },
  ports: IntakePorts,
): Promise<void> {
  const { ledger, events, clock, route } = ports;
  const hash = intentHash(lead);
  if (known.conflicts.some((conflict) => conflict.intentHash === hash)) return;
  const key = { route: route.name, leadRequestId: lead.leadRequestId };
  const tells = route.changedFields === 'tell' && !known.investigated && known.conflicts.length < MOST_TOLD;
  if (tells) await events.publish(otherFieldsOpened(key, hash, ports));
  const firstSeenAt = clock();
  const expiresAt = known.investigated ? firstSeenAt + route.retentionDays * DAY : undefined;
  await ledger.addConflict(key, { intentHash: hash, firstSeenAt, lead }, expiresAt);
}
