import { InvokeCommand } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { sentenceOf } from '../errors.ts';
import type { AwsAccess } from './access.ts';
import { explainAws, isBusy } from './explain.ts';

const failureSchema = v.object({ errorType: v.string(), errorMessage: v.string() });

/** A request that was not carried out, as far as this side knows. */
export interface NotDone {
  readonly refusal: { readonly error: string; readonly message: string };
  /** Other requests would fare no better. */
  readonly stop: boolean;
  /** It may have been carried out all the same. */
  readonly mayHaveStarted: boolean;
  /** The same request may be carried out a moment later. */
  readonly temporary: boolean;
}

/** Refusals of the start function after which nothing is there that was not there before, but a conflict. */
const NOTHING_STARTED = new Set([
  'InvalidEvent',
  'InvalidLeadRequest',
  'LeadConflict',
  'NotAnApprover',
  'NotUnderInvestigation',
  'UnderInvestigation',
  'UnknownRoute',
]);

/** Refusals of the start function that every other request would get as well. */
const CONCERNS_ALL = new Set(['NotAnApprover', 'UnknownRoute']);

/** Refusals of the start function that pass, and its end by its timeout. */
const PASSES = new Set(['EventsUnavailable', 'LedgerUnavailable', 'Sandbox.Timedout', 'WorkflowUnavailable']);

/** Refusals of the start function whose message is for the sender, and repeats no personal data of a lead. */
const TOLD = new Set([
  'EndedMeanwhile',
  'EventsUnavailable',
  'InvalidLeadRequest',
  'LeadConflict',
  'LedgerUnavailable',
  'NotAnApprover',
  'NotUnderInvestigation',
  'UnderInvestigation',
  'UnknownRoute',
  'WorkflowUnavailable',
]);

/** The error of a request whose answer was not waited for. */
export const INTERRUPTED = 'Interrupted';

const GIVEN_UP: NotDone = {
  refusal: { error: INTERRUPTED, message: 'interrupted before it was answered.' },
  stop: true,
  mayHaveStarted: true,
  temporary: false,
};

/**
 * Asks the start function. Every request to it may be made again.
 *
 * @param schema of its answer
 * @param abortSignal gives up waiting for the answer
 */
export async function askStartFunction<T>(
  aws: AwsAccess,
  request: object,
  schema: v.GenericSchema<unknown, T>,
  abortSignal?: AbortSignal,
): Promise<T | NotDone> {
  const command = new InvokeCommand({ FunctionName: aws.startFunction, Payload: JSON.stringify(request) });
  try {
    const answer = await aws.lambda.send(command, { ...(abortSignal ? { abortSignal } : {}) });
    const payload = jsonOf(answer.Payload);
    if (answer.FunctionError !== undefined) return refusedBy(payload);
    const parsed = v.safeParse(schema, payload);
    return parsed.success ? parsed.output : refusedBy(undefined);
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

function refusedBy(payload: unknown): NotDone {
  const failure = v.safeParse(failureSchema, payload);
  const error = failure.success ? failure.output.errorType : 'UnreadableAnswer';
  const message =
    failure.success && TOLD.has(error)
      ? failure.output.errorMessage
      : `The start function failed (${error}); the same request again is safe.`;
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
