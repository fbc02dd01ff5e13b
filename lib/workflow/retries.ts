import { Duration } from 'aws-cdk-lib';
import { Errors, JitterType, type RetryProps } from 'aws-cdk-lib/aws-stepfunctions';

const backOff = {
  interval: Duration.seconds(1),
  backoffRate: 2,
  maxAttempts: 5,
  maxDelay: Duration.seconds(20),
  jitterStrategy: JitterType.FULL,
} as const;

/**
 * The only errors after which an action state delivers the same attempt again: the invoke was throttled, the same attempt is
 * under way, or the ledger could not be asked for the claim. Each comes before the destination is called. A timeout is not
 * among them, because it proves nothing.
 */
export const SAME_ATTEMPT_AGAIN: RetryProps = {
  ...backOff,
  errors: ['Lambda.TooManyRequestsException', 'IdempotencyAlreadyInProgressError', 'LedgerUnavailable'],
};

/**
 * Errors after which a function that only reads destinations runs again.
 * https://docs.aws.amazon.com/step-functions/latest/dg/sfn-best-practices.html#bp-lambda-serviceexception
 */
export const SAFE_TO_REPEAT: RetryProps = {
  ...backOff,
  errors: [
    'Lambda.TooManyRequestsException',
    'Lambda.ServiceException',
    'Lambda.AWSLambdaException',
    'Lambda.SdkClientException',
    'LedgerUnavailable',
  ],
};

/**
 * Closing writes nothing but the ledger and changes nothing the second time, so it runs again after any error, a timeout and a
 * lost worker included: no reconcile stands behind it, and an execution that failed over a closed handoff would mislead people.
 */
export const CLOSE_AGAIN: RetryProps = { ...backOff, errors: [Errors.ALL] };

/**
 * Recording a decision again changes nothing, and carries on where the lost try stopped. So it runs again after any error, a timeout
 * and a lost worker included: a person who sees it fail believes that nothing was recorded.
 */
export const RECORD_AGAIN: RetryProps = { ...backOff, errors: [Errors.ALL] };

/** Told twice is better than not told; for a quarter of an hour, before somebody has to look. */
export const TELL_AGAIN: RetryProps = {
  ...backOff,
  maxAttempts: 10,
  maxDelay: Duration.minutes(5),
  errors: [Errors.ALL],
};
