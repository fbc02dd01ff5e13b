import type { Decision, DecisionKind } from '../../../functions/domain/decision.ts';

/** Something that a person may decide. */
export interface DecisionChoice {
  readonly kind: DecisionKind;
  readonly more?: Partial<Decision>;
}

export const RESUME: DecisionChoice = { kind: 'resume' };
export const CONFIRM: DecisionChoice = { kind: 'confirm', more: { evidence: 'seen' } };
export const TAKE_OVER: DecisionChoice = { kind: 'take-over', more: { riskAccepted: true } };
export const AMEND: DecisionChoice = { kind: 'amend' };
/** The same with fields that came again under the id. */
export const CORRECT: DecisionChoice = { kind: 'amend', more: { evidence: 'other-name' } };
export const CORRECT_ADDRESS: DecisionChoice = { kind: 'amend', more: { evidence: 'other-address' } };
export const STOP: DecisionChoice = { kind: 'stop' };

export const EVERY_DECISION: readonly DecisionChoice[] = [
  RESUME,
  CONFIRM,
  { kind: 'take-over' },
  TAKE_OVER,
  { kind: 'release', more: { notDone: true } },
  { kind: 'keep-owner' },
  { kind: 'send-as-current-owner' },
  AMEND,
  STOP,
];
