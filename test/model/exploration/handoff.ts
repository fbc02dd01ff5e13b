import { type ActionName, executionName, operationIdentity } from '../../../functions/domain/action.ts';
import { type ActionState, openAction } from '../../../functions/domain/action-state.ts';
import type { Evidence } from '../../../functions/domain/evidence.ts';
import type { Handoff } from '../../../functions/domain/handoff.ts';
import { KEY, LEAD } from '../bench.ts';
import { BEFORE } from './settings.ts';

export { KEY };

/** The run that the start function started. */
export const FIRST_RUN = executionName(KEY, 1);
/** The run that takes the fence. */
export const SECOND_RUN = executionName(KEY, 2);
/** A run that never had the fence. */
export const STRANGER = executionName(KEY, 9);

export function runOf(execution: string): number {
  return Number(execution.split('.').at(-1));
}

/** The handoff whose one action is explored. */
export function handoffOf(execution: string, closedAt: number | null = null): Handoff {
  return {
    ...KEY,
    lead: LEAD,
    ownerId: '71',
    intentHash: 'intent',
    acceptedAt: BEFORE,
    closedAt,
    execution,
    run: runOf(execution),
    amendments: [],
  };
}

/** An action before the explored one: performed long ago. */
export function performedBefore(action: ActionName): ActionState {
  const evidence: Evidence = {
    kind: 'receipt',
    destination: 'model',
    recordId: '501',
    readAt: BEFORE,
    facts: { ownerId: '71' },
  };
  return {
    ...openAction(action),
    phase: 'performed',
    attempt: 1,
    version: 2,
    operation: { revision: 1, identity: operationIdentity(KEY, action), bodyHash: 'before' },
    requestLeft: true,
    evidence,
  };
}
