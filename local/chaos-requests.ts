import type { ActionName } from '../functions/domain/action.ts';
import type { DecisionKind } from '../functions/domain/decision.ts';

/** The input of the route's recovery state machine, as people type it; sometimes they type nonsense. */
export interface PersonsInput {
  readonly decision: DecisionKind | 'resubmit' | 'show' | string;
  readonly leadRequestId: string;
  readonly action?: ActionName | string;
  readonly by?: string;
  readonly reason?: string;
  readonly evidence?: string;
  readonly finding?: string;
  readonly riskAccepted?: boolean;
  readonly notDone?: boolean;
}

/** How an execution of the recovery state machine ended. */
export type RequestEnd =
  | { readonly outcome: 'answered'; readonly answer: Readonly<Record<string, unknown>> }
  /** By the name of the refusal. */
  | { readonly outcome: 'refused'; readonly error: string }
  /** In another way: what it did is on the ledger. */
  | { readonly outcome: 'failed'; readonly error: string };

/** What a person asked of the recovery state machine. */
export interface PersonsRequest {
  /** The name of the execution that the person started. */
  readonly execution: string;
  readonly input: PersonsInput;
  readonly askedAt: number;
  /** No answer but a refusal is right, whatever the ledger holds. */
  readonly mustBeRefused: boolean;
  /** Null while it is not known. */
  end: RequestEnd | null;
}

/** An effect that a person brought about by hand after taking an action over. */
export interface ByHand {
  readonly action: ActionName;
  readonly by: string;
  /** The destination's record id; null where it is nowhere that can be looked at. */
  readonly recordId: string | null;
  readonly at: number;
  /** The take-over said by name that it may happen twice. */
  readonly riskAccepted: boolean;
}

const NO_DECISIONS = ['show', 'waiting', 'resubmit'];

/** A decision about an action, however it ended. */
export function isDecision({ input }: PersonsRequest): boolean {
  return !NO_DECISIONS.includes(input.decision);
}

/** It put these fields in the place of the lead's, unless it was refused. */
export function mayHaveAmended({ input, end }: PersonsRequest, fieldsHash: string): boolean {
  return input.decision === 'amend' && input.evidence === fieldsHash && end?.outcome !== 'refused';
}

/** Whether it was written down by this execution, or had been before; null where it was not. */
export function recordedOf({ end }: PersonsRequest): 'now' | 'before' | null {
  if (end?.outcome !== 'answered') return null;
  const { recorded } = end.answer;
  return recorded === 'now' || recorded === 'before' ? recorded : null;
}
