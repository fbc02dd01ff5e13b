import { InvokeCommand } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import type { LeadRequest } from '../functions/domain/lead-request.ts';
import type { AwsAccess } from './aws/access.ts';
import { explainAws } from './aws/explain.ts';
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
}

/** Refusals of the start function that come before anything is written. */
const NOTHING_WRITTEN = new Set(['InvalidEvent', 'InvalidLeadRequest', 'LeadConflict', 'UnknownRoute']);

/** Refusals of the start function whose message is for the sender, and repeats no personal data. */
const TOLD = new Set([
  'InvalidLeadRequest',
  'LeadConflict',
  'LedgerUnavailable',
  'UnknownRoute',
  'WorkflowUnavailable',
]);

/** Asks the start function to accept a lead request. Asking twice is safe: the second time it answers `repeated`. */
export async function startHandoff(
  aws: AwsAccess,
  route: string,
  lead: LeadRequest,
): Promise<Started | NotStarted> {
  try {
    const answer = await aws.lambda.send(
      new InvokeCommand({ FunctionName: aws.startFunction, Payload: JSON.stringify({ route, lead }) }),
    );
    const payload = jsonOf(answer.Payload);
    if (answer.FunctionError !== undefined) return refusedBy(payload);
    const started = v.safeParse(startedSchema, payload);
    return started.success ? started.output : refusedBy(undefined);
  } catch (error) {
    const known = explainAws(error, aws.settings);
    const name = known?.name ?? (error instanceof Error ? error.name : 'Error');
    return {
      refusal: { error: name, message: known?.message ?? sentenceOf(error) },
      stop: true,
      mayHaveStarted: known?.mayHaveHappened ?? true,
    };
  }
}

function refusedBy(payload: unknown): NotStarted {
  const failure = v.safeParse(failureSchema, payload);
  const error = failure.success ? failure.output.errorType : 'UnreadableAnswer';
  const message =
    failure.success && TOLD.has(error)
      ? failure.output.errorMessage
      : `The start function failed (${error}); submitting the same lead request again is safe.`;
  return {
    refusal: { error, message },
    stop: error === 'UnknownRoute',
    mayHaveStarted: !NOTHING_WRITTEN.has(error),
  };
}

function jsonOf(payload: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(payload ?? []).toString('utf8'));
  } catch {
    return undefined;
  }
}
