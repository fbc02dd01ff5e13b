import { InvokeCommand } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import type { Approval } from '../functions/domain/approval.ts';
import type { LeadRequest } from '../functions/domain/lead-request.ts';
import type { AwsAccess } from './aws/access.ts';
import { explainAws, isBusy } from './aws/explain.ts';
import { sentenceOf } from './errors.ts';

const startedSchema = v.object({
  leadRequestId: v.string(),
  status: v.picklist(['accepted', 'repeated', 'closed', 'joined', 'asked']),
  execution: v.string(),
});
const failureSchema = v.object({ errorType: v.string(), errorMessage: v.string() });

/** The start function's answer to a lead request. */
export type Started = v.InferOutput<typeof startedSchema>;

/** A lead request that was not taken, as far as this side knows. */
export interface NotStarted {
  readonly refusal: { readonly error: string; readonly message: string };
  /** The others would fare no better. */
  readonly stop: boolean;
  /** It may have been taken all the same. */
  readonly mayHaveStarted: boolean;
  /** The same request may be taken a moment later. */
  readonly temporary: boolean;
}

export interface StartOptions {
  /** An approver hands it in, although messages under its id are being investigated. */
  readonly approval?: Approval | undefined;
  /** Gives up waiting for the answer. */
  readonly abortSignal?: AbortSignal;
}

/** Refusals of the start function after which no handoff is there that was not there before. */
const NOTHING_STARTED = new Set([
  'InvalidEvent',
  'InvalidLeadRequest',
  'LeadConflict',
  'NotAnApprover',
  'UnderInvestigation',
  'UnknownRoute',
]);

/** Refusals of the start function that every other request would get as well. */
const CONCERNS_ALL = new Set(['NotAnApprover', 'UnknownRoute']);

/** Refusals of the start function that pass, and its end by its timeout. */
const PASSES = new Set(['EventsUnavailable', 'LedgerUnavailable', 'Sandbox.Timedout', 'WorkflowUnavailable']);

/** Refusals of the start function whose message is for the sender, and repeats no personal data of a lead. */
const TOLD = new Set([
  'EventsUnavailable',
  'InvalidLeadRequest',
  'LeadConflict',
  'LedgerUnavailable',
  'NotAnApprover',
  'UnderInvestigation',
  'UnknownRoute',
  'WorkflowUnavailable',
]);

/** Asks the start function to accept a lead request. Asking twice is safe: the second time it answers `repeated`. */
export async function startHandoff(
  aws: AwsAccess,
  route: string,
  lead: LeadRequest,
  { approval, abortSignal }: StartOptions = {},
): Promise<Started | NotStarted> {
  try {
    const Payload = JSON.stringify({ route, lead, approval });
    const command = new InvokeCommand({ FunctionName: aws.startFunction, Payload });
    const answer = await aws.lambda.send(command, { ...(abortSignal ? { abortSignal } : {}) });
    const payload = jsonOf(answer.Payload);
    if (answer.FunctionError !== undefined) return refusedBy(payload);
    const started = v.safeParse(startedSchema, payload);
    return started.success ? started.output : refusedBy(undefined);
  } catch (error) {
    if (abortSignal?.aborted) return GIVEN_UP;
    const known = explainAws(error, aws.settings);
    const name = known?.name ?? (error instanceof Error ? error.name : 'Error');
    return {
      refusal: { error: name, message: known?.message ?? sentenceOf(error) },
      stop: true,
      mayHaveStarted: known?.mayHaveHappened ?? true,
      temporary: isBusy(error),
    };
  }
}

/** The error of a lead request whose answer was not waited for. */
export const INTERRUPTED = 'Interrupted';

const GIVEN_UP: NotStarted = {
  refusal: { error: INTERRUPTED, message: 'interrupted before it was answered.' },
  stop: true,
  mayHaveStarted: true,
  temporary: false,
};

function refusedBy(payload: unknown): NotStarted {
  const failure = v.safeParse(failureSchema, payload);
  const error = failure.success ? failure.output.errorType : 'UnreadableAnswer';
  const message =
    failure.success && TOLD.has(error)
      ? failure.output.errorMessage
      : `The start function failed (${error}); submitting the same lead request again is safe.`;
  return {
    refusal: { error, message },
    stop: CONCERNS_ALL.has(error),
    mayHaveStarted: !NOTHING_STARTED.has(error),
    temporary: PASSES.has(error),
  };
}

function jsonOf(payload: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(payload ?? []).toString('utf8'));
  } catch {
    return undefined;
  }
}
