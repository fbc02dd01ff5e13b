import * as v from 'valibot';
import type { Approval, Dismissal } from '../functions/domain/approval.ts';
import type { LeadRequest } from '../functions/domain/lead-request.ts';
import type { AwsAccess } from './aws/access.ts';
import { askStartFunction, type NotDone } from './aws/start-function.ts';

const startedSchema = v.object({
  leadRequestId: v.string(),
  status: v.picklist(['accepted', 'repeated', 'closed', 'joined', 'asked']),
  execution: v.string(),
});
const dismissedSchema = v.object({
  leadRequestId: v.string(),
  dismissed: v.number(),
  ended: v.optional(
    v.object({ kind: v.picklist(['accepted', 'dismissed']), by: v.string(), at: v.string() }),
  ),
});

/** The start function's answer to a lead request. */
export type Started = v.InferOutput<typeof startedSchema>;

/** A lead request that was not taken, as far as this side knows. */
export type NotStarted = NotDone;

/** The start function's answer to a dismissal: how many dead letters it ended, and where it ended none, how they had. */
export type Dismissed = v.InferOutput<typeof dismissedSchema>;

export interface StartOptions {
  /** An approver hands it in, although messages under its id are being investigated. */
  readonly approval?: Approval | undefined;
  /** Gives up waiting for the answer. */
  readonly abortSignal?: AbortSignal;
}

/** Asks the start function to accept a lead request. Asking twice is safe: the second time it answers `repeated`. */
export function startHandoff(
  aws: AwsAccess,
  route: string,
  lead: LeadRequest,
  { approval, abortSignal }: StartOptions = {},
): Promise<Started | NotStarted> {
  return askStartFunction(aws, { route, lead, approval }, startedSchema, abortSignal);
}

/** Tells the start function that there is nothing to hand off in the dead letters of an id. Telling it twice is safe. */
export function dismissDeadLetters(
  aws: AwsAccess,
  route: string,
  dismissal: Dismissal,
): Promise<Dismissed | NotDone> {
  return askStartFunction(aws, { route, dismissal }, dismissedSchema);
}
