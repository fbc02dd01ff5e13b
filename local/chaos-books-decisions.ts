import { HISTORY_CAP } from '../functions/domain/action-history.ts';
import { type ActionState, FINAL_PHASES } from '../functions/domain/action-state.ts';
import type { LedgerRecord } from '../functions/domain/handoff.ts';
import type { BookedLead, Imbalance } from './chaos-books.ts';
import { isBlocked, isSettled } from './chaos-books-ledger.ts';
import { type TrailStep, trailOf } from './chaos-trail.ts';

type Found = Pick<Imbalance, 'kind' | 'detail'>;

/** Every decision that was written down is heard once, and nothing is claimed over one. */
export function decisionImbalances({ record, lead: { leadRequestId } }: BookedLead): Imbalance[] {
  if (!record) return [];
  return record.actions
    .flatMap((state) => [...trailImbalances(state), ...unheard(state, record)])
    .map((found) => ({ leadRequestId, ...found }));
}

/** What the audit trail tells of decisions that stood in each other's way, or of one that is gone. */
function trailImbalances({ action, history, decision, phase, lastDecision }: ActionState): Found[] {
  // A long trail has lost entries, and what is missing there proves nothing.
  if (history.length >= HISTORY_CAP) return [];
  const { steps, waiting } = trailOf(history);
  const found = steps.flatMap((step) => wrongStep(step) ?? []);
  // What was decided about an action that ended by itself is answered with the end.
  const answered = FINAL_PHASES.includes(phase) && lastDecision?.decision.kind === waiting;
  if (waiting !== null && decision === null && !answered) {
    found.push({ kind: 'decision-unheard', detail: `${waiting} is gone without an answer` });
  }
  return found.map(({ kind, detail }) => ({ kind, detail: `${action}: ${detail}` }));
}

function wrongStep(step: TrailStep): Found | null {
  const { waiting } = step;
  const had = waiting === null ? 'none was waiting' : `${waiting} was waiting`;
  switch (step.step) {
    case 'decided': {
      // A stop may take the place of everything but a stop.
      if (waiting === null || (step.decision === 'stop' && waiting !== 'stop')) return null;
      return { kind: 'decision-overwritten', detail: `${step.decision} took the place of ${waiting}` };
    }
    case 'claimed':
      if (waiting === null) return null;
      return { kind: 'claimed-over-decision', detail: `attempt ${step.attempt} was claimed over ${waiting}` };
    case 'carried-out':
      if (step.decision === waiting) return null;
      return { kind: 'heard-without-decision', detail: `${step.decision} was carried out, and ${had}` };
    case 'turned-down':
      if (waiting !== null) return null;
      return { kind: 'heard-without-decision', detail: `a decision was turned down, and ${had}` };
    case 'ended':
      return null;
  }
}

/** A decision that nobody will hear unless a person does something about it. */
function unheard({ action, decision, lastDecision, lastRead }: ActionState, record: LedgerRecord): Found[] {
  const kind = 'decision-unheard';
  if ((lastDecision?.result === 'pending') !== (decision !== null)) {
    const waits = decision ? 'one is waiting' : 'none is waiting';
    return [
      { kind, detail: `${action}: the last decision is ${lastDecision?.result ?? 'none'}, and ${waits}` },
    ];
  }
  if (decision === null || !isSettled(record)) return [];
  // Held back by a pause, or not come to yet.
  if (lastRead?.disposition === 'park' || isBlocked(record, action)) return [];
  // The handoff stopped after the decision: whoever is asked about it lets the decision be heard.
  const { execution, closedAt } = record.handoff;
  const whole = record.waiting.find((item) => item.action === 'handoff' && item.execution === execution);
  // A stop starts nothing: it is heard when somebody resubmits.
  const held = decision.kind === 'stop' || decision.at < (whole?.since ?? 0);
  if (closedAt === null && whole && held) return [];
  const at = new Date(decision.at).toISOString();
  return [{ kind, detail: `${action}: ${decision.kind} of ${at} was never heard` }];
}
