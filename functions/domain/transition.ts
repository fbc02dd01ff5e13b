import type { ActionEvent, DecideEvent } from './action-events.ts';
import { Rejected } from './action-events.ts';
import { next } from './action-history.ts';
import { type ActionState, FINAL_PHASES } from './action-state.ts';
import type { RecordedDecision } from './decision.ts';
import { isCarriedAgain } from './decision-in-force.ts';
import { claimed } from './transition-claim.ts';
import { reconciled } from './transition-reconcile.ts';
import { settled } from './transition-settle.ts';

export type {
  ActionEvent,
  ClaimEvent,
  DecideEvent,
  ReconcileChange,
  ReconcileEvent,
  RejectionCode,
  SettleEvent,
} from './action-events.ts';
export { Rejected } from './action-events.ts';

/**
 * The only way in which an action's record changes: pure, total, and blind to where the record is kept.
 *
 * @returns the same object when the event was already applied (a write of ours that is met again), a new state with the
 *   version one higher, or the reason why the event is turned down.
 */
export function transition(state: ActionState, event: ActionEvent): ActionState | Rejected {
  switch (event.type) {
    case 'claim':
      return claimed(state, event);
    case 'settle':
      return settled(state, event);
    case 'reconcile':
      return reconciled(state, event);
    case 'decide':
      return decided(state, event);
  }
}

/** How many decisions an action remembers besides the newest: a late repeat comes within minutes. */
const REMEMBERED = 10;

/** The decision of that id, where it was written down. */
export function recordedDecision(
  { lastDecision, earlierDecisions }: ActionState,
  id: string,
): RecordedDecision | null {
  if (lastDecision?.decision.id === id) return lastDecision;
  return earlierDecisions.find(({ decision }) => decision.id === id) ?? null;
}

function earlierDecisions(state: ActionState): readonly RecordedDecision[] {
  const { earlierDecisions, lastDecision } = state;
  if (lastDecision === null) return earlierDecisions;
  // Whose attempt nobody has claimed was not carried out, and now a stop takes its place.
  const replaced = isCarriedAgain(state) ? ({ ...lastDecision, result: 'pending' } as const) : lastDecision;
  return [...earlierDecisions, replaced].slice(-REMEMBERED);
}

function decided(state: ActionState, event: DecideEvent): ActionState | Rejected {
  if (recordedDecision(state, event.decision.id)) return state;
  const judgedOnOlder = event.seenVersion !== undefined && event.seenVersion !== state.version;
  if (judgedOnOlder) return new Rejected('changed-since-read');
  if (FINAL_PHASES.includes(state.phase)) return new Rejected('already-final');
  // A stop is possible at any time, and takes the place of what was decided before.
  const mayReplace = event.decision.kind === 'stop' && state.decision?.kind !== 'stop';
  if (state.decision && !mayReplace) return new Rejected('already-decided');
  return next(
    state,
    {
      decision: event.decision,
      lastDecision: { decision: event.decision, result: 'pending' },
      earlierDecisions: earlierDecisions(state),
    },
    {
      at: event.decision.at,
      event: `decided-${event.decision.kind}`,
      attempt: state.attempt,
      detail: event.decision.by,
    },
  );
}
