import type { Answer } from './wire.ts';

/**
 * Resend's error bodies: `{statusCode, message, name}`.
 * https://resend.com/docs/api-reference/errors
 */
export class ResendRefusal extends Error {
  override readonly name = 'ResendRefusal';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  answer(): Answer {
    const body = { statusCode: this.status, message: this.message, name: this.code };
    return { status: this.status, body, applied: false };
  }
}

export function validationError(message: string): ResendRefusal {
  return new ResendRefusal(422, 'validation_error', message);
}

export function missingField(field: string): ResendRefusal {
  return new ResendRefusal(422, 'missing_required_field', `Missing \`${field}\` field.`);
}

export function missingApiKey(): ResendRefusal {
  return new ResendRefusal(401, 'missing_api_key', 'Missing API key in the authorization header.');
}

export function invalidApiKey(): ResendRefusal {
  return new ResendRefusal(403, 'invalid_api_key', 'API key is invalid.');
}

export function restrictedApiKey(): ResendRefusal {
  return new ResendRefusal(401, 'restricted_api_key', 'This API key is restricted to only send emails.');
}

export function noEndpoint(): ResendRefusal {
  return new ResendRefusal(404, 'not_found', 'The requested endpoint does not exist.');
}

export function methodNotAllowed(): ResendRefusal {
  return new ResendRefusal(405, 'method_not_allowed', 'Method is not allowed for the requested path.');
}

/** The body of a 429; its headers come from `rate-limit.ts`. */
export function rateLimited(): ResendRefusal {
  return new ResendRefusal(
    429,
    'rate_limit_exceeded',
    'Too many requests. Please limit the number of requests per second.',
  );
}

/** https://resend.com/docs/knowledge-base/403-error-1010: requests without a User-Agent never reach the API. */
export function missingUserAgent(): Answer {
  return {
    status: 403,
    headers: { 'content-type': 'text/plain' },
    body: 'error code: 1010',
    raw: true,
    applied: false,
  };
}
