import type { ActionState } from './action-state.ts';
import type { Decision } from './decision.ts';

/**
 * The decision that the next reconcile has to carry out: the one that nobody has heard yet, or one whose grant nobody has claimed. Who
 * was granted an attempt may have died before the claim, and then nothing of what the person decided has happened.
 */
export function decisionInForce(state: ActionState): Decision | null {
  return state.decision ?? (isCarriedAgain(state) ? state.lastDecision.decision : null);
}

type Granted = ActionState & { readonly lastDecision: NonNullable<ActionState['lastDecision']> };

/** The newest decision was heard, and the attempt that it allowed was never claimed. */
export function isCarriedAgain(state: ActionState): state is Granted {
  const { decision, lastDecision, grant } = state;
  if (decision || lastDecision?.result !== 'used' || !grant) return false;
  return grant.decisionId === lastDecision.decision.id;
}
