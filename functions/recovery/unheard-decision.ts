import type { ActionState } from '../domain/action-state.ts';
import type { Decision } from '../domain/decision.ts';

/**
 * The decision that no reconcile has seen yet; null where there is none. One that was heard and not used (its route is paused, its
 * worker may still run) waits with the action, and must not wake it again and again.
 */
export function unheardDecision({ decision, lastRead }: ActionState): Decision | null {
  return decision !== null && decision.id !== lastRead?.heard ? decision : null;
}
