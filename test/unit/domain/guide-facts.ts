import type { ActionState } from '../../../functions/domain/action-state.ts';
import type { GuideFacts } from '../../../functions/domain/decision-guide.ts';
import type { Finding } from '../../../functions/domain/finding.ts';
import { CONTRACT, NUMBERS, testRoute } from '../../model/settings.ts';
import { open, RECORD, T } from './states.ts';

export const DONE: Finding = { finding: 'done', evidence: RECORD };
export const ABSENT: Finding = { finding: 'absent' };
export const TOO_EARLY: Finding = { finding: 'unclear', cause: 'too-early' };
export const UNREADABLE: Finding = { finding: 'unclear', cause: 'unreadable' };

export function superseded(
  cause: Extract<Finding, { finding: 'superseded' }>['cause'],
  absenceProven = false,
): Finding {
  return { finding: 'superseded', cause, evidence: RECORD, absenceProven };
}

/** The settle time of a claim at T: worker gone after 15 s, landed after another 60 s, readable after another 10 s. */
export const SETTLED = T + 85_000;

/** Facts of a current execution on an open route, settled, half an hour after the claim. */
export function facts(state: ActionState, finding: Finding, more: Partial<GuideFacts> = {}): GuideFacts {
  return {
    now: T + 1_800_000,
    action: state.action,
    state,
    finding,
    contract: CONTRACT,
    executionCurrent: true,
    stoppedDependency: null,
    route: testRoute(),
    numbers: NUMBERS,
    routePaused: false,
    breakerOpen: false,
    lastError: null,
    turns: 0,
    random: 0,
    ...more,
  };
}

export const OPEN = open();
