import type { ActionName } from '../../../functions/domain/action.ts';
import {
  type ActionState,
  type Claim,
  type Grant,
  openAction,
} from '../../../functions/domain/action-state.ts';
import type { Decision } from '../../../functions/domain/decision.ts';
import type { Evidence } from '../../../functions/domain/evidence.ts';
import type { Outcome } from '../../../functions/domain/outcome.ts';
import type {
  ClaimEvent,
  ReconcileChange,
  ReconcileEvent,
  SettleEvent,
} from '../../../functions/domain/transition.ts';
import { Rejected, transition } from '../../../functions/domain/transition.ts';

/** Times of these tests: the claim is at 1,000,000 ms, its worker is gone at 1,015,000. */
export const T = 1_000_000;

export const OPERATION = { revision: 1, identity: 'web/inq-1/create-task', bodyHash: 'hash-1' };

export const RECORD: Evidence = {
  kind: 'record',
  destination: 'hubspot',
  recordId: '9001',
  readAt: T,
  facts: {},
};

export const OUTCOMES = {
  performed: { outcome: 'performed', evidence: { ...RECORD, kind: 'receipt' } },
  'not-applied': { outcome: 'not-applied', reason: 'rate-limited', requestLeft: true },
  unknown: { outcome: 'unknown', reason: 'timeout' },
  refused: { outcome: 'refused', reason: 'permissions' },
} as const satisfies Record<string, Outcome>;

export function claimOf(id: string, at = T): Claim {
  return { id, by: { kind: 'worker', name: 'worker' }, at, deadline: at + 12_000, goneAt: at + 15_000 };
}

export function claimEvent(
  attempt: number,
  id = `claim-${attempt}`,
  more: Partial<ClaimEvent> = {},
): ClaimEvent {
  return { type: 'claim', attempt, claim: claimOf(id), operation: OPERATION, keyWindow: null, ...more };
}

export function settleEvent(attempt: number, outcome: Outcome, id = `claim-${attempt}`): SettleEvent {
  return { type: 'settle', claimId: id, attempt, outcome, at: T + 1_000 };
}

export function reconcileEvent(
  state: ActionState,
  change: ReconcileChange,
  more: Partial<ReconcileEvent> = {},
): ReconcileEvent {
  return {
    type: 'reconcile',
    id: `read-of-${state.version}`,
    at: T + 100_000,
    seenVersion: state.version,
    readStartedAt: T + 100_000,
    finding: 'absent',
    absenceProven: (more.finding ?? 'absent') === 'absent',
    unreadable: false,
    disposition: 'wait',
    reason: 'too-early',
    change,
    backOffUntil: null,
    decisionConsumed: false,
    ...more,
  };
}

export function grantOf(attempt: number, more: Partial<Grant> = {}): Grant {
  return {
    attempt,
    evidenceHash: 'evidence',
    readStartedAt: T + 100_000,
    expiresAt: T + 700_000,
    basis: 'absent',
    decisionId: null,
    ...more,
  };
}

export function grantChange(attempt: number, more: Partial<Grant> = {}): ReconcileChange {
  return { kind: 'grant', grant: grantOf(attempt, more), freezeAgain: false, newIdentity: false };
}

export function decisionOf(kind: Decision['kind'], more: Partial<Decision> = {}): Decision {
  return {
    id: `decision-${kind}`,
    kind,
    by: 'robin',
    reason: 'looked at it',
    at: T,
    findingSeen: 'absent',
    ...more,
  };
}

/** Applies events that must all be accepted. */
export function applied(start: ActionState, ...events: Parameters<typeof transition>[1][]): ActionState {
  return events.reduce((state, event) => {
    const next = transition(state, event);
    if (next instanceof Rejected) throw new Error(`${event.type} was rejected: ${next.code}`);
    return next;
  }, start);
}

export const open = (action: ActionName = 'create-task') => openAction(action);
export const claimed = (action?: ActionName) => applied(open(action), claimEvent(1));
export const settled = (outcome: keyof typeof OUTCOMES, action?: ActionName) =>
  applied(claimed(action), settleEvent(1, OUTCOMES[outcome]));

/** A state of each phase, reached by events. */
export function inPhase(phase: ActionState['phase'], action?: ActionName): ActionState {
  switch (phase) {
    case 'open':
      return open(action);
    case 'claimed':
      return claimed(action);
    case 'performed':
    case 'not-applied':
    case 'unknown':
    case 'refused':
      return settled(phase, action);
    case 'taken-over': {
      const unknown = settled('unknown', action);
      const claim: Claim = { ...claimOf('person'), by: { kind: 'person', name: 'robin' } };
      return applied(unknown, reconcileEvent(unknown, { kind: 'take-over', claim }));
    }
    case 'stopping': {
      const unknown = settled('unknown', action);
      return applied(unknown, reconcileEvent(unknown, { kind: 'stopping', reason: 'stopped-by-person' }));
    }
    default: {
      const unknown = settled('unknown', action);
      const evidence = phase === 'stopped-but-done' ? RECORD : null;
      return applied(
        unknown,
        reconcileEvent(unknown, { kind: 'stopped', phase, reason: 'stopped-by-person', evidence }),
      );
    }
  }
}
