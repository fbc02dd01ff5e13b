import { AwsUnavailable } from '../errors.ts';
import type { Settings } from '../settings.ts';

const NO_ANSWER = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'TimeoutError',
]);
const SIGN_IN = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'UnrecognizedClientException',
]);
const NOT_ALLOWED = new Set(['AccessDenied', 'AccessDeniedException', 'KMSAccessDeniedException']);

/** What an AWS client's failure means, in a sentence that says what to do; undefined where it is none that we know. */
export function explainAws(error: unknown, { stage, endpoint }: Settings): AwsUnavailable | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const sentence = sentenceFor(cause, stage, endpoint);
    if (sentence !== undefined) return new AwsUnavailable(sentence);
  }
  return undefined;
}

function sentenceFor(error: Error, stage: string, endpoint: string | undefined): string | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  if (NO_ANSWER.has(code)) {
    return endpoint === undefined
      ? `AWS does not answer (${code}): check the network and the region.`
      : `Nothing answers at ${endpoint} (${code}): is "npm run local" running there?`;
  }
  if (code === 'CredentialsProviderError') {
    return 'There are no AWS credentials: set AWS_PROFILE, or sign in with "aws sso login".';
  }
  if (error.message === 'Region is missing') return 'There is no AWS region: set AWS_REGION.';
  if (SIGN_IN.has(code)) return `AWS does not take these credentials (${code}): sign in again.`;
  if (NOT_ALLOWED.has(code)) return `AWS does not allow this with these credentials (${code}).`;
  if (code === 'ResourceNotFoundException') {
    return `Stage ${stage} is not deployed in this account and region: check --stage and AWS_REGION.`;
  }
  return undefined;
}
