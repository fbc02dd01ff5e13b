import type { LeadKey } from '../domain/action.ts';
import { type Approval, assertApprover, type Dismissal } from '../domain/approval.ts';
import type { Resolution } from '../domain/dead-letter.ts';
import { type Accepted, acceptLead } from './accept-lead.ts';
import type { IntakePorts } from './ports.ts';

const DAY = 86_400_000;

/**
 * Accepts a corrected lead request that an approver hands in, and ends the investigation of the dead letters that it stands for: only
 * when the ledger holds the handoff, so that a crash leaves them with those who investigate, and a repeat ends it.
 *
 * @throws NotAnApprover, and whatever `acceptLead` throws
 */
export async function acceptApproved(
  input: unknown,
  approval: Approval,
  ports: IntakePorts,
): Promise<Accepted> {
  assertApprover(approval.by, ports.route);
  const accepted = await acceptLead(input, ports, true);
  const ids = new Set([accepted.leadRequestId, approval.keptUnder ?? accepted.leadRequestId]);
  for (const leadRequestId of ids) await resolve(leadRequestId, { ...approval, kind: 'accepted' }, ports);
  return accepted;
}

/**
 * Ends the investigation of dead letters in which there is nothing to hand off. Doing it again changes nothing.
 *
 * @throws NotAnApprover, LedgerUnavailable
 */
export async function dismiss(
  dismissal: Dismissal,
  ports: IntakePorts,
): Promise<{ readonly leadRequestId: string; readonly dismissed: number }> {
  assertApprover(dismissal.by, ports.route);
  const { leadRequestId } = dismissal;
  return {
    leadRequestId,
    dismissed: await resolve(leadRequestId, { ...dismissal, kind: 'dismissed' }, ports),
  };
}

/** Returns how many were still investigated. */
async function resolve(
  leadRequestId: string,
  { kind, by, reason }: Omit<Resolution, 'at'>,
  { ledger, clock, route }: IntakePorts,
): Promise<number> {
  const key: LeadKey = { route: route.name, leadRequestId };
  const at = clock();
  const { deadLetters } = await ledger.underId(key);
  const open = deadLetters.filter(({ resolution }) => resolution === null);
  for (const { messageId } of open) {
    const resolution = { kind, by, reason, at };
    await ledger.resolveDeadLetter(key, messageId, resolution, at + route.retentionDays * DAY);
  }
  return open.length;
}
