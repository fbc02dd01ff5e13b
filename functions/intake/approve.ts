import type { LeadKey } from '../domain/action.ts';
import { type Approval, assertApprover, type Dismissal } from '../domain/approval.ts';
import type { DeadLetter, Resolution } from '../domain/dead-letter.ts';
import { EndedMeanwhile, NotUnderInvestigation } from '../domain/dead-letter-record.ts';
import { parseLeadRequest } from '../domain/lead-request.ts';
import { type Accepted, acceptLead } from './accept-lead.ts';
import type { IntakePorts } from './ports.ts';

const DAY = 86_400_000;

/**
 * Accepts a corrected lead request that an approver hands in, and ends the investigation of the dead letters that it stands for: only
 * when the ledger holds the handoff, so that a crash leaves them with those who investigate, and a repeat ends it.
 *
 * @throws NotAnApprover; NotUnderInvestigation for a `keptUnder` under which nothing is investigated; EndedMeanwhile where another
 *   approver dismissed them between the two; and whatever `acceptLead` throws
 */
export async function acceptApproved(
  input: unknown,
  approval: Approval,
  ports: IntakePorts,
): Promise<Accepted> {
  assertApprover(approval.by, ports.route);
  const { leadRequestId } = parseLeadRequest(input);
  const { keptUnder = leadRequestId } = approval;
  const resolution = { kind: 'accepted', by: approval.by, reason: approval.reason } as const;
  const named = await lettersUnder(keptUnder, ports);
  if (keptUnder !== leadRequestId) assertInvestigated(keyOf(keptUnder, ports), named, resolution);
  const accepted = await acceptLead(input, ports, true);
  await end(leadRequestId, resolution, ports);
  if (keptUnder !== leadRequestId) await end(keptUnder, resolution, ports);
  const dismissed = endedOtherwise(named, await lettersUnder(keptUnder, ports), 'accepted');
  if (dismissed) throw new EndedMeanwhile(keptUnder, dismissed, accepted.execution);
  return accepted;
}

/**
 * Ends the investigation of dead letters in which there is nothing to hand off. Doing it again changes nothing.
 *
 * @throws NotAnApprover; NotUnderInvestigation where there is none, or a corrected request was accepted; EndedMeanwhile where one was
 *   accepted at the same time; LedgerUnavailable
 */
export async function dismiss(
  dismissal: Dismissal,
  ports: IntakePorts,
): Promise<{ readonly leadRequestId: string; readonly dismissed: number }> {
  assertApprover(dismissal.by, ports.route);
  const { leadRequestId, by, reason } = dismissal;
  const resolution = { kind: 'dismissed', by, reason } as const;
  const letters = await lettersUnder(leadRequestId, ports);
  const newest = newestEnd(letters);
  if (openIn(letters).length === 0 && newest?.kind !== 'dismissed') {
    throw new NotUnderInvestigation(keyOf(leadRequestId, ports), newest);
  }
  await end(leadRequestId, resolution, ports);
  const after = await lettersUnder(leadRequestId, ports);
  const accepted = endedOtherwise(letters, after, 'dismissed');
  if (accepted) throw new EndedMeanwhile(leadRequestId, accepted, null);
  return { leadRequestId, dismissed: openIn(letters).length };
}

/** A repeat of an approval finds what it ended itself, and goes on: a crash may have come after it. */
function assertInvestigated(key: LeadKey, letters: readonly DeadLetter[], own: Omit<Resolution, 'at'>): void {
  if (openIn(letters).length > 0) return;
  const newest = newestEnd(letters);
  const isOwn = newest?.kind === own.kind && newest.by === own.by && newest.reason === own.reason;
  if (!isOwn) throw new NotUnderInvestigation(key, newest);
}

/** Each of them is ended once, by whoever comes first. */
async function end(leadRequestId: string, how: Omit<Resolution, 'at'>, ports: IntakePorts): Promise<void> {
  const { ledger, clock, route } = ports;
  const at = clock();
  for (const { messageId } of openIn(await lettersUnder(leadRequestId, ports))) {
    const expiresAt = at + route.retentionDays * DAY;
    await ledger.resolveDeadLetter(keyOf(leadRequestId, ports), messageId, { ...how, at }, expiresAt);
  }
}

/** Of those that were open before: how one of them was ended in another way. */
function endedOtherwise(
  before: readonly DeadLetter[],
  after: readonly DeadLetter[],
  kind: Resolution['kind'],
): Resolution | null {
  const open = new Set(openIn(before).map(({ messageId }) => messageId));
  return newestEnd(
    after.filter(({ messageId, resolution }) => open.has(messageId) && resolution?.kind !== kind),
  );
}

function newestEnd(letters: readonly DeadLetter[]): Resolution | null {
  const [newest] = letters.flatMap(({ resolution }) => resolution ?? []).toSorted((a, b) => b.at - a.at);
  return newest ?? null;
}

function openIn(letters: readonly DeadLetter[]): readonly DeadLetter[] {
  return letters.filter(({ resolution }) => resolution === null);
}

async function lettersUnder(leadRequestId: string, ports: IntakePorts): Promise<readonly DeadLetter[]> {
  return (await ports.ledger.underId(keyOf(leadRequestId, ports))).deadLetters;
}

function keyOf(leadRequestId: string, { route }: IntakePorts): LeadKey {
  return { route: route.name, leadRequestId };
}
