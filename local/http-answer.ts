import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { RestAnswer } from './endpoint.ts';
import type { InvocationResult } from './lambda-process.ts';

/** What a function may answer with. */
interface Structured {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string | number | boolean>> | null;
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
  readonly cookies?: readonly string[] | null;
}

/** The connection is ours: what a function says of it is left out. */
const OURS = new Set(['connection', 'content-length', 'transfer-encoding']);

/** An answer of API Gateway itself. */
export function message(statusCode: number, text: string): RestAnswer {
  return {
    statusCode,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: text }),
  };
}

export const INTERNAL_SERVER_ERROR = message(500, 'Internal Server Error');

/**
 * The answer to a request whose function has come to its end. What has no status code is taken for the body of a 200.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function answerOf({ failed, payload }: InvocationResult): RestAnswer {
  if (failed) return INTERNAL_SERVER_ERROR;
  const result = JSON.parse(payload) as unknown;
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) {
    return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: payload };
  }
  try {
    return structured(result as Structured);
  } catch (error) {
    if (error instanceof TypeError) return INTERNAL_SERVER_ERROR;
    throw error;
  }
}

/** Throws TypeError for what cannot be answered. */
function structured({ statusCode, headers, body, isBase64Encoded, cookies }: Structured): RestAnswer {
  if (!Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599)
    throw new TypeError('statusCode');
  if (typeof (body ?? '') !== 'string') throw new TypeError('body');
  const sent: Record<string, string | string[]> = { 'content-type': 'text/plain;charset=UTF-8' };
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (typeof value === 'object') throw new TypeError(name);
    validateHeaderName(name);
    validateHeaderValue(name, String(value));
    if (!OURS.has(name.toLowerCase())) sent[name.toLowerCase()] = String(value);
  }
  if (cookies) sent['set-cookie'] = cookies.map(String);
  return {
    statusCode,
    headers: sent,
    body: isBase64Encoded === true ? Buffer.from(body ?? '', 'base64') : (body ?? ''),
  };
}
