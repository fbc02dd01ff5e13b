import { HISTORY_CAP } from '../functions/domain/action-history.ts';
import type { ActionState, HistoryEntry } from '../functions/domain/action-state.ts';
import type { DecisionKind } from '../functions/domain/decision.ts';
import type { LedgerRecord } from '../functions/domain/handoff.ts';
import type { BookedLead, Imbalance, ImbalanceKind } from './chaos-books.ts';
import { isBlocked, isSettled } from './chaos-books-ledger.ts';

/** Reasons of a reconcile that carried a decision out, and the decision that each needs. */
const CARRIED_OUT: Readonly<Record<string, DecisionKind>> = {
  'decided-resume': 'resume',
  'decided-amend': 'amend',
  'decided-send-as-current-owner': 'send-as-current-owner',
  confirmed: 'confirm',
  'owner-kept': 'keep-owner',
  'taken-over': 'take-over',
  released: 'release',
  'stopped-by-person': 'stop',
};
const TURNED_DOWN = ['decision-outdated', 'decision-not-possible', 'record-not-found'];

/** What a reconcile writes that has come to an end, a person's decision included. */
const ENDS = ['done', 'keep', 'grant', 'resume', 'stopped', 'stop'];

/** Every decision that was written down is heard once, and nothing is claimed over one. */
export function decisionImbalances({ record, lead: { leadRequestId } }: BookedLead): Imbalance[] {
  if (!record) return [];
  return record.actions.flatMap((state) => [
    ...trailOf(state).map(({ kind, detail }) => ({
      leadRequestId,
      kind,
      detail: `${state.action}: ${detail}`,
    })),
    ...unheard(state, record).map((detail) => ({
      leadRequestId,
      kind: 'decision-unheard' as const,
      detail,
    })),
  ]);
}

interface Found {
  readonly kind: ImbalanceKind;
  readonly detail: string;
}

/** Follows the audit trail of an action: what waits to be heard at each step, and what became of it. */
function trailOf({ history, decision }: ActionState): Found[] {
  // A long trail has lost entries, and what is missing there proves nothing.
  if (history.length >= HISTORY_CAP) return [];
  const found: Found[] = [];
  let pending: DecisionKind | null = null;
  let stopping = false;
  for (const entry of history) {
    const made = decidedIn(entry);
    if (made !== null) {
      const replaced = pending !== null && (made !== 'stop' || pending === 'stop');
      if (replaced)
        found.push({ kind: 'decision-overwritten', detail: `${made} took the place of ${pending}` });
      pending = made;
      continue;
    }
    if (entry.event === 'claimed' && pending !== null) {
      found.push({
        kind: 'claimed-over-decision',
        detail: `attempt ${entry.attempt} was claimed over ${pending}`,
      });
    }
    const heard = heardIn(entry);
    if (heard === null) continue;
    // An intent to stop is heard once, and ends later.
    const ends = heard === 'stop' && stopping;
    if (heard !== 'any' && heard !== pending && !ends) {
      const had = pending === null ? 'none was waiting' : `${pending} was waiting`;
      found.push({ kind: 'heard-without-decision', detail: `${heard} was carried out, and ${had}` });
    }
    stopping ||= entry.event === 'stopping';
    pending = null;
  }
  const forgotten = pending !== null && decision === null;
  if (forgotten) found.push({ kind: 'decision-unheard', detail: `${pending} is gone without an answer` });
  return found;
}

function decidedIn({ event }: HistoryEntry): DecisionKind | null {
  return event.startsWith('decided-') ? (event.slice('decided-'.length) as DecisionKind) : null;
}

/** The decision that a reconcile carried out, or `any` where it ended whatever was waiting; null where it heard none. */
function heardIn({ event, detail }: HistoryEntry): DecisionKind | 'any' | null {
  const reason = detail?.split(' · ')[1] ?? '';
  if (TURNED_DOWN.includes(reason)) return 'any';
  if (event === 'stopping') return 'stop';
  const carriedOut = CARRIED_OUT[reason];
  // Who has taken over is asked again under the same reason.
  const asksAgain = carriedOut === 'take-over' && event !== 'take-over';
  const waits = carriedOut !== undefined && event === 'wait';
  if (carriedOut !== undefined && !asksAgain && !waits) return carriedOut;
  return ENDS.includes(event) ? 'any' : null;
}

/** Decisions that nobody will hear unless a person does something about it. */
function unheard(state: ActionState, record: LedgerRecord): string[] {
  const { action, decision, lastDecision, lastRead } = state;
  const pending = lastDecision?.result === 'pending';
  if (pending !== (decision !== null)) {
    return [
      `${action}: the last decision is ${lastDecision?.result ?? 'none'}, and one is ${decision ? '' : 'not '}waiting`,
    ];
  }
  if (decision === null || !isSettled(record)) return [];
  // Held back by a pause, or not come to yet.
  if (lastRead?.disposition === 'park' || isBlocked(record, action)) return [];
  // The handoff stopped after the decision: whoever is asked about it lets the decision be heard.
  const { execution, closedAt } = record.handoff;
  const whole = record.waiting.find((item) => item.action === 'handoff' && item.execution === execution);
  if (closedAt === null && whole && decision.at < whole.since) return [];
  return [`${action}: ${decision.kind} of ${new Date(decision.at).toISOString()} was never heard`];
}
