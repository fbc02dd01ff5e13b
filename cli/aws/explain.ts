import { type AwsProblem, AwsUnavailable } from '../errors.ts';
import { LOCAL_ENDPOINT, type Settings } from '../settings.ts';

const NO_ANSWER = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
]);
const NO_ANSWER_IN_TIME = new Set(['ETIMEDOUT', 'TimeoutError']);
const HUNG_UP = new Set(['ECONNABORTED', 'ECONNRESET', 'EPIPE']);
const SIGN_IN = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'UnrecognizedClientException',
]);
const NOT_ALLOWED = new Set(['AccessDenied', 'AccessDeniedException', 'KMSAccessDeniedException']);

const NO_TLS = /^(EPROTO$|ERR_SSL_)/;
const NO_TRUST = /CERT|SELF_SIGNED|^UNABLE_TO_/;
/** An answer that an AWS client could make nothing of: no HTTP, no JSON, or an error without a name. */
const NOT_AWS = /^(HPE_|NotAws$|SyntaxError$|Unknown$)/;
const BUSY = /Throttl|TooManyRequests|ThroughputExceeded|LimitExceeded/;

const AS_PRINTED = `give the AWS address that "npm run local" prints, ${LOCAL_ENDPOINT} unless it was told another port`;

/** What an AWS client's failure means, in a sentence that says what to do; undefined where it is none that we know. */
export function explainAws(error: unknown, settings: Settings): AwsUnavailable | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const problem = problemOf(cause, settings);
    if (problem !== undefined) return new AwsUnavailable(problem);
  }
  return undefined;
}

/** Whether AWS, or what stands in for it, only has too much to do at the moment. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && BUSY.test(error.name);
}

function problemOf(error: Error, settings: Settings): AwsProblem | undefined {
  const { stage, endpoint } = settings;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const connection = endpoint === undefined ? awsProblem(code) : endpointProblem(code, endpoint, settings);
  if (connection) return connection;
  if (code === 'CredentialsProviderError') {
    return unchanged('There are no AWS credentials', 'set AWS_PROFILE, or sign in with "aws sso login"');
  }
  if (error.message === 'Region is missing') return unchanged('There is no AWS region', 'set AWS_REGION');
  if (SIGN_IN.has(code)) return unchanged(`AWS does not take these credentials (${code})`, 'sign in again');
  if (NOT_ALLOWED.has(code))
    return unchanged(`AWS does not allow this with these credentials (${code})`, null);
  if (code === 'ResourceNotFoundException') {
    return endpoint === undefined
      ? unchanged(`Stage ${stage} is not deployed in this account and region`, 'check --stage and AWS_REGION')
      : unchanged(`Stage ${stage} does not run at ${shown(endpoint, settings)}`, elsewhere(settings));
  }
  return serviceProblem(error, code, endpoint ?? 'AWS');
}

/** What is wrong with the connection to an endpoint that somebody gave. */
function endpointProblem(code: string, endpoint: string, settings: Settings): AwsProblem | undefined {
  const at = shown(endpoint, settings);
  const other = elsewhere(settings);
  const start = settings.stage === 'local' ? `start "npm run local", or ${other}` : other;
  if (NO_ANSWER.has(code)) {
    return unchanged(`Nothing answers at ${at} (${code})`, start);
  }
  if (NO_ANSWER_IN_TIME.has(code)) {
    return perhapsDone(`Nothing answers at ${at} (${code})`, start);
  }
  if (HUNG_UP.has(code)) {
    return perhapsDone(`What listens at ${at} closes the connection without an answer (${code})`, other);
  }
  if (NO_TLS.test(code)) {
    return unchanged(
      `What listens at ${at} does not speak https (${code})`,
      `give ${endpoint.replace(/^https/i, 'http')}`,
    );
  }
  if (NO_TRUST.test(code)) {
    return unchanged(
      `The certificate of ${at} is not trusted (${code})`,
      'name its authority in NODE_EXTRA_CA_CERTS, or give an http address',
    );
  }
  return NOT_AWS.test(code) ? unchanged(`What answers at ${at} does not speak AWS`, other) : undefined;
}

/** The endpoint as it is said: whoever did not type it does not know of it. */
function shown(endpoint: string, { fromEnvironment }: Settings): string {
  return fromEnvironment ? `${endpoint}, which AWS_ENDPOINT_URL names` : endpoint;
}

/** Where else to look. Stages but local are in AWS itself, unless something stands in between. */
function elsewhere({ stage, fromEnvironment }: Settings): string {
  if (stage === 'local') return AS_PRINTED;
  return `${fromEnvironment ? 'unset AWS_ENDPOINT_URL' : 'leave --endpoint out'} to reach AWS itself`;
}

/** What is wrong with the connection to AWS itself. */
function awsProblem(code: string): AwsProblem | undefined {
  if (NO_ANSWER.has(code))
    return unchanged(`AWS does not answer (${code})`, 'check the network and the region');
  if (NO_ANSWER_IN_TIME.has(code) || HUNG_UP.has(code)) {
    return perhapsDone(`AWS does not answer (${code})`, 'check the network and the region');
  }
  if (NO_TLS.test(code) || NO_TRUST.test(code)) {
    return unchanged(
      `The connection to AWS is not trusted (${code})`,
      'where a proxy stands between, name its authority in NODE_EXTRA_CA_CERTS',
    );
  }
  return NOT_AWS.test(code)
    ? unchanged('What answers in the place of AWS does not speak AWS', 'check the network and its proxy')
    : undefined;
}

/** An error that a service of AWS itself answered with. */
function serviceProblem(error: Error, code: string, who: string): AwsProblem | undefined {
  if (!('$fault' in error)) return undefined;
  if (BUSY.test(code)) return unchanged(`${who} is asked too often (${code})`, 'run this again in a minute');
  return error.$fault === 'server'
    ? perhapsDone(`${who} could not do this now (${code})`, 'run this again in a minute')
    : unchanged(`${who} refuses this (${code})`, null);
}

function unchanged(problem: string, remedy: string | null): AwsProblem {
  return { problem, remedy, mayHaveHappened: false };
}

function perhapsDone(problem: string, remedy: string | null): AwsProblem {
  return { problem, remedy, mayHaveHappened: true };
}
