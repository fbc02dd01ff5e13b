import { Duration } from 'aws-cdk-lib';
import { JitterType, type RetryProps } from 'aws-cdk-lib/aws-stepfunctions';

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
