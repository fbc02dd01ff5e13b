import {
  type ActionState,
  FINAL_PHASES,
  type HistoryEntry,
  type Phase,
  type Warning,
} from './action-state.ts';
import type { Decision, RecordedDecision } from './decision.ts';
import { isCarriedAgain } from './decision-in-force.ts';

/** The longest audit trail that an action keeps. */
export const HISTORY_CAP = 60;

/** The state after a change: one version on, with the change in its audit trail. */
export function next(state: ActionState, change: Partial<ActionState>, entry: HistoryEntry): ActionState {
  const history = [...state.history, entry];
  const changed: ActionState = {
    ...state,
    ...change,
    version: state.version + 1,
    history: capped(history),
  };
  return { ...changed, warnings: duplicateWarning(changed), ...decisionLeft(state, changed) };
}

/** No reconcile comes to an action that is over: what was decided about it meanwhile is answered here. */
function decisionLeft(
  before: ActionState,
  { phase, decision, lastDecision }: ActionState,
): Pick<ActionState, 'decision' | 'lastDecision'> {
  if (!FINAL_PHASES.includes(phase)) return { decision, lastDecision };
  if (decision) return { decision: null, lastDecision: overtaken(decision) };
  // The attempt that it allowed was never claimed, and nothing else was done on its word.
  const unclaimed = isCarriedAgain(before) && lastDecision?.decision.id === before.lastDecision.decision.id;
  return { decision, lastDecision: unclaimed ? overtaken(before.lastDecision.decision) : lastDecision };
}

/** A person's word that it is done came true. */
function overtaken(decision: Decision): RecordedDecision {
  return { decision, result: decision.kind === 'confirm' ? 'used' : 'too-late' };
}

/** Over the cap the oldest turn that changed nothing goes first; the first entry always stays. */
function capped(history: readonly HistoryEntry[]): readonly HistoryEntry[] {
  if (history.length <= HISTORY_CAP) return history;
  const idle = history.findIndex(({ event }, i) => i > 0 && (event === 'wait' || event === 'park'));
  return history.toSpliced(Math.max(1, idle), 1);
}

/** Two attempts may both have had an effect: an earlier one reported success late, and the newer one did not end without. */
function duplicateWarning(state: ActionState): readonly Warning[] {
  if (state.lateEvidence === null) return state.warnings;
  const newerMayHaveHadOne: readonly Phase[] = [
    'claimed',
    'unknown',
    'taken-over',
    'stopping',
    'stopped',
    'stopped-unclear',
  ];
  const ended = state.phase === 'performed' || state.phase === 'stopped-but-done';
  const twoRecords = ended && state.evidence?.recordId !== state.lateEvidence.recordId;
  // A stop that rests on the late report alone has not seen what the newer attempt did.
  const unseen =
    state.phase === 'stopped-but-done' &&
    state.lastRead?.finding !== 'done' &&
    state.warnings.includes('possible-duplicate');
  const possible = newerMayHaveHadOne.includes(state.phase) || twoRecords || unseen;
  return possible
    ? withWarning(state.warnings, 'possible-duplicate')
    : state.warnings.filter((warning) => warning !== 'possible-duplicate');
}

export function withWarning(warnings: readonly Warning[], warning: Warning): readonly Warning[] {
  return warnings.includes(warning) ? warnings : [...warnings, warning];
}
