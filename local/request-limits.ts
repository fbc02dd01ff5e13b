import { AwsError } from './aws-error.ts';
import type { Json } from './interpreter/json.ts';

/**
 * Not allowed in a name: white space, brackets, wildcards, special characters, control characters, and what UTF-16 writes
 * with surrogates (every character from U+10000 on).
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html
 */
const FORBIDDEN = /[\s\p{Cc}\p{Cs}<>{}[\]?*"#%\\^|~`$&,;:/\ufffe\uffff\u{10000}-\u{10ffff}]/u;
const LONGEST_NAME = 80;
const LONGEST_ERROR = 256;
const LONGEST_CAUSE = 32_768;

/** @throws AwsError `InvalidName` unless it is 1 to 80 characters long and has none that AWS forbids */
export function requireName(name: string): void {
  if (name.length >= 1 && name.length <= LONGEST_NAME && !FORBIDDEN.test(name)) return;
  throw new AwsError('InvalidName', `Invalid Name: '${name}'`);
}

/** @throws AwsError `InvalidArn` for anything but the ARN of a Standard execution */
export function requireExecutionArn(text: string): void {
  const [prefix, , service, , , type, machine, name] = text.split(':');
  if (prefix !== 'arn' || service !== 'states') throw new AwsError('InvalidArn', `Invalid Arn: '${text}'`);
  if (type === 'execution' && machine && name) return;
  throw new AwsError('InvalidArn', `Invalid Arn: 'Resource type not valid in this context: ${type}'`);
}

/**
 * The limit of a text field of the API, in bytes of UTF-8.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_SendTaskSuccess.html
 * @throws AwsError `ValidationException`
 */
export function requireAtMost(most: number, field: string, text: string): void {
  if (Buffer.byteLength(text) <= most) return;
  throw new AwsError(
    'ValidationException',
    `1 validation error detected: Value at '${field}' failed to satisfy constraint: Member must have length less than or equal to ${most}`,
  );
}

/** @throws AwsError `ValidationException` for an error name over 256 or a cause over 32,768 */
export function requireErrorAndCause(error = '', cause = ''): void {
  requireAtMost(LONGEST_ERROR, 'error', error);
  requireAtMost(LONGEST_CAUSE, 'cause', cause);
}

/** @throws AwsError with `code` and a message that begins with `sentence` */
export function parseJson(text: string, code: string, sentence: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new AwsError(code, `${sentence}: '${(error as Error).message}'`);
  }
}
