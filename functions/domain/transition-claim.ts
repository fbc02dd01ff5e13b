import type { ClaimEvent, RejectionCode } from './action-events.ts';
import { Rejected } from './action-events.ts';
import { next } from './action-history.ts';
import {
  type ActionState,
  amendmentFor,
  FINAL_PHASES,
  type Grant,
  type OperationReference,
  settledOutcome,
} from './action-state.ts';

/** The action with this claim on it, or why it may not be claimed. */
export function claimed(state: ActionState, event: ClaimEvent): ActionState | Rejected {
  if (state.claim?.id === event.claim.id) return state;
  const rejection = claimRejection(state, event);
  if (rejection) return new Rejected(rejection);
  return next(
    state,
    {
      phase: 'claimed',
      attempt: event.attempt,
      claim: event.claim,
      operation: event.operation,
      // Where no earlier attempt had an effect, this one's is the first that the receiver will recognise.
      firstClaimAt:
        state.grant?.basis === 'not-applied' ? event.claim.at : (state.firstClaimAt ?? event.claim.at),
      amendment: amendmentFor(state),
      grant: null,
      settledAt: null,
      reason: null,
      notBefore: null,
      backOff: null,
      unreadableReads: 0,
    },
    { at: event.claim.at, event: 'claimed', attempt: event.attempt, detail: event.claim.by.name },
  );
}

function claimRejection(state: ActionState, event: ClaimEvent): RejectionCode | null {
  if (settledOutcome(state.phase) === 'performed') return 'already-settled';
  if (event.attempt < state.attempt) return 'older-attempt';
  if (state.phase === 'taken-over') return 'not-claimable';
  if (state.phase === 'stopping' || FINAL_PHASES.includes(state.phase)) return 'not-claimable';
  // A person has spoken: reconcile hears it before anything runs.
  if (state.decision) return 'not-claimable';
  if (event.attempt === state.attempt)
    return state.phase === 'claimed' ? 'already-claimed' : 'already-settled';
  if (event.attempt !== state.attempt + 1) return 'no-grant';
  if (state.attempt > 0) {
    if (state.grant?.attempt !== event.attempt) return 'no-grant';
    if (event.claim.at > state.grant.expiresAt) return 'grant-expired';
  }
  if (!isNext(state, event.operation)) return 'operation-mismatch';
  if (event.keyWindow && state.firstClaimAt !== null && !keyMayBeForgotten(state.grant)) {
    const landsBy = event.claim.deadline + event.keyWindow.landingBoundMs;
    if (landsBy > state.firstClaimAt + event.keyWindow.trustedMs) return 'key-window-passed';
  }
  return null;
}

/** The same operation as before, or the first claim of the revision that was frozen for it. */
function isNext({ operation, nextRevision }: ActionState, next: OperationReference): boolean {
  if (next.revision !== nextRevision) return false;
  if (operation?.revision !== nextRevision) return true;
  return operation.identity === next.identity && operation.bodyHash === next.bodyHash;
}

/**
 * No earlier attempt had an effect that the key would have to protect; or a person who decided on proven absence has decided on a
 * send that the receiver will not recognise.
 */
function keyMayBeForgotten(grant: Grant | null): boolean {
  return grant?.basis === 'not-applied' || (grant?.basis === 'absent' && grant.decisionId !== null);
}
