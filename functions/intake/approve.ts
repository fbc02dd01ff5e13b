import type { LeadKey } from '../domain/action.ts';
import { type Approval, assertApprover, type Dismissal } from '../domain/approval.ts';
import type { DeadLetter, Resolution } from '../domain/dead-letter.ts';
import { EndedMeanwhile, NotUnderInvestigation } from '../domain/dead-letter-record.ts';
import { parseLeadRequest } from '../domain/lead-request.ts';
import { type Accepted, acceptLead } from './accept-lead.ts';
import type { IntakePorts } from './ports.ts';

const DAY = 86_400_000;

/** What became of a dismissal. */
export interface Dismissed {
  readonly leadRequestId: string;
  /** How many dead letters it ended. */
  readonly dismissed: number;
  /** Where it ended none: how they had ended. */
  readonly ended?: { readonly kind: Resolution['kind']; readonly by: string; readonly at: string };
}

/**
 * Accepts a corrected lead request that an approver hands in, and ends the investigation of the dead letters that it stands for: only
 * when the ledger holds the handoff, so that a crash leaves them with those who investigate, and a repeat ends it. A dead letter that
 * comes meanwhile is not among them.
 *
 * @throws NotAnApprover; NotUnderInvestigation for a `keptUnder` under which nothing is investigated; EndedMeanwhile where another
 *   approver dismissed them between the two, or accepted another request for those of `keptUnder`; and whatever `acceptLead` throws
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
  const own = await lettersUnder(leadRequestId, ports);
  const named = keptUnder === leadRequestId ? [] : await lettersUnder(keptUnder, ports);
  if (keptUnder !== leadRequestId) assertInvestigated(keyOf(keptUnder, ports), named, resolution);
  const accepted = await acceptLead(input, ports, true);
  const ownEnds = await end(leadRequestId, own, resolution, ports);
  const namedEnds = await end(keptUnder, named, resolution, ports);
  const dismissed = newest(ownEnds.byOthers.filter(({ kind }) => kind === 'dismissed'));
  if (dismissed) throw new EndedMeanwhile(leadRequestId, dismissed, accepted.execution);
  // What somebody else accepted for these need not be the same request.
  const other = newest(namedEnds.byOthers.filter((ended) => !isSameWord(ended, resolution)));
  if (other) throw new EndedMeanwhile(keptUnder, other, accepted.execution);
  return accepted;
}

/**
 * Ends the investigation of dead letters in which there is nothing to hand off; one that comes meanwhile is not among them. Doing it
 * again changes nothing.
 *
 * @throws NotAnApprover; NotUnderInvestigation where there is none, or a corrected request was accepted; EndedMeanwhile where one was
 *   accepted at the same time; LedgerUnavailable
 */
export async function dismiss(dismissal: Dismissal, ports: IntakePorts): Promise<Dismissed> {
  assertApprover(dismissal.by, ports.route);
  const { leadRequestId, by, reason } = dismissal;
  const letters = await lettersUnder(leadRequestId, ports);
  const before = newest(endsOf(letters));
  if (openIn(letters).length === 0 && before?.kind !== 'dismissed') {
    throw new NotUnderInvestigation(keyOf(leadRequestId, ports), before);
  }
  const ends = await end(leadRequestId, letters, { kind: 'dismissed', by, reason }, ports);
  const accepted = newest(ends.byOthers.filter(({ kind }) => kind === 'accepted'));
  if (accepted) throw new EndedMeanwhile(leadRequestId, accepted, null);
  const other = newest(ends.byOthers) ?? before;
  if (ends.byThis > 0 || other === null) return { leadRequestId, dismissed: ends.byThis };
  const ended = { kind: other.kind, by: other.by, at: new Date(other.at).toISOString() };
  return { leadRequestId, dismissed: 0, ended };
}

/** A repeat of an approval finds what it ended itself, and goes on: a crash may have come after it. */
function assertInvestigated(key: LeadKey, letters: readonly DeadLetter[], own: Word): void {
  if (openIn(letters).length > 0) return;
  const before = newest(endsOf(letters));
  if (before === null || !isSameWord(before, own)) throw new NotUnderInvestigation(key, before);
}

type Word = Omit<Resolution, 'at'>;

/** How dead letters ended that were open before. */
interface Ends {
  readonly byThis: number;
  readonly byOthers: readonly Resolution[];
}

/**
 * Ends those that were open when they were read, and no others: nobody has seen what came later. Each is ended once, by whoever comes
 * first.
 */
async function end(
  leadRequestId: string,
  letters: readonly DeadLetter[],
  word: Word,
  ports: IntakePorts,
): Promise<Ends> {
  const { ledger, clock, route } = ports;
  const at = clock();
  const open = new Set(openIn(letters).map(({ messageId }) => messageId));
  if (open.size === 0) return { byThis: 0, byOthers: [] };
  for (const messageId of open) {
    const expiresAt = at + route.retentionDays * DAY;
    await ledger.resolveDeadLetter(keyOf(leadRequestId, ports), messageId, { ...word, at }, expiresAt);
  }
  const after = await lettersUnder(leadRequestId, ports);
  const ends = endsOf(after.filter(({ messageId }) => open.has(messageId)));
  const byOthers = ends.filter((ended) => ended.at !== at || !isSameWord(ended, word));
  return { byThis: ends.length - byOthers.length, byOthers };
}

function isSameWord(a: Word, b: Word): boolean {
  return a.kind === b.kind && a.by === b.by && a.reason === b.reason;
}

function endsOf(letters: readonly DeadLetter[]): readonly Resolution[] {
  return letters.flatMap(({ resolution }) => resolution ?? []);
}

function newest(ends: readonly Resolution[]): Resolution | null {
  return ends.toSorted((a, b) => b.at - a.at)[0] ?? null;
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
