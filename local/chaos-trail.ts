import type { HistoryEntry } from '../functions/domain/action-state.ts';
import type { DecisionKind } from '../functions/domain/decision.ts';

/**
 * What an audit trail tells of people's decisions, step by step. `waiting` is the decision that was waiting to be heard, or whose
 * granted attempt nobody had claimed.
 */
export type TrailStep = { readonly waiting: DecisionKind | null } & (
  | { readonly step: 'decided'; readonly decision: DecisionKind }
  | { readonly step: 'carried-out'; readonly decision: DecisionKind }
  | { readonly step: 'turned-down' }
  /** What a read found was the end, whatever a person had decided. */
  | { readonly step: 'ended' }
  | { readonly step: 'claimed'; readonly attempt: number }
);

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
const TURNED_DOWN = ['decision-outdated', 'decision-not-possible', 'evidence-not-found'];

/** What a reconcile writes that has come to an end. */
const ENDS = ['done', 'keep', 'grant', 'resume', 'stopped', 'stop'];

/** Reads the decisions out of an action's audit trail, and what is still waiting at its end. */
export function trailOf(history: readonly HistoryEntry[]): {
  readonly steps: readonly TrailStep[];
  readonly waiting: DecisionKind | null;
} {
  const steps: TrailStep[] = [];
  let waiting: DecisionKind | null = null;
  let granted: DecisionKind | null = null;
  let stopping = false;
  for (const entry of history) {
    const step = stepOf(entry, stopping);
    if (step === null) continue;
    const heard = step.step === 'carried-out' || step.step === 'turned-down';
    steps.push({ ...step, waiting: waiting ?? (heard ? granted : null) });
    stopping ||= entry.event === 'stopping';
    if (step.step === 'decided') {
      waiting = step.decision;
      continue;
    }
    // A grant that nobody claims is granted again on the same word, or turned down.
    granted = step.step === 'carried-out' && entry.event === 'grant' ? step.decision : null;
    if (step.step !== 'claimed') waiting = null;
  }
  return { steps, waiting };
}

type Step = TrailStep extends infer S ? (S extends TrailStep ? Omit<S, 'waiting'> : never) : never;

/** @param stopping a person's stop was heard before, so that this is how it ends */
function stepOf({ event, detail, attempt }: HistoryEntry, stopping: boolean): Step | null {
  if (event === 'claimed') return { step: 'claimed', attempt };
  if (event.startsWith('decided-')) {
    return { step: 'decided', decision: event.slice('decided-'.length) as DecisionKind };
  }
  if (event === 'stopping') return { step: 'carried-out', decision: 'stop' };
  const reason = detail?.split(' · ')[1] ?? '';
  if (TURNED_DOWN.includes(reason)) return { step: 'turned-down' };
  const decision = CARRIED_OUT[reason];
  // Who has taken over is asked again under the same reason.
  const asksAgain = decision === 'take-over' && event !== 'take-over';
  const endsLater = decision === 'stop' && stopping;
  if (decision !== undefined && event !== 'wait' && !asksAgain && !endsLater) {
    return { step: 'carried-out', decision };
  }
  return ENDS.includes(event) ? { step: 'ended' } : null;
}
