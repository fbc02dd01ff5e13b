/** What a person may decide about an action. */
export const DECISIONS = [
  'resume',
  'confirm',
  'take-over',
  'release',
  'keep-owner',
  'send-as-current-owner',
  'amend',
  'stop',
] as const;

export type DecisionKind = (typeof DECISIONS)[number];

/**
 * What became of a decision: it waits for reconcile, was used, the fresh read did not bear it, or the action was over before it was
 * heard.
 */
export type DecisionResult = 'pending' | 'used' | 'turned-down' | 'too-late';

export interface RecordedDecision {
  readonly decision: Decision;
  readonly result: DecisionResult;
}

/** A person's decision, stored on the action and consumed once by reconcile after a fresh read. */
export interface Decision {
  readonly id: string;
  readonly kind: DecisionKind;
  /** What the person typed; the caller's IAM identity is in CloudTrail. */
  readonly by: string;
  readonly reason: string;
  readonly at: number;
  /** The finding that the person saw, as `findingCode` writes it. */
  readonly findingSeen: string;
  /** The destination's record id, for `confirm`; the hash of the corrected fields, for an `amend` of fields. */
  readonly evidence?: string;
  /** `take-over` on `unclear`: the person accepts by name that the effect may happen twice. */
  readonly riskAccepted?: boolean;
  /** `release`: the person states that they did not do it. */
  readonly notDone?: boolean;
}
