import type { Answer, Ids } from './wire.ts';

/**
 * HubSpot's error bodies: `{status, message, correlationId, category}` and, where the vendor adds them, `errors`,
 * `context` and `links`.
 * https://developers.hubspot.com/docs/api-reference/latest/error-handling
 */
export class HubspotRefusal extends Error {
  override readonly name = 'HubspotRefusal';
  readonly status: number;
  readonly category: string;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    category: string,
    message: string,
    more: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.status = status;
    this.category = category;
    this.more = more;
  }

  answer(ids: Ids): Answer {
    const body = {
      status: 'error',
      message: this.message,
      correlationId: ids(),
      ...this.more,
      category: this.category,
    };
    return { status: this.status, body, applied: false };
  }
}

export function notFound(id: string): HubspotRefusal {
  return new HubspotRefusal(404, 'OBJECT_NOT_FOUND', 'Object not found.  objectId are usually numeric.', {
    context: { id: [id] },
  });
}

export function noRoute(): HubspotRefusal {
  return new HubspotRefusal(404, 'OBJECT_NOT_FOUND', 'Unable to find the requested resource.');
}

export function methodNotAllowed(): HubspotRefusal {
  return new HubspotRefusal(405, 'METHOD_NOT_ALLOWED', 'HTTP 405 Method Not Allowed');
}

export function invalidInput(message: string, more: Readonly<Record<string, unknown>> = {}): HubspotRefusal {
  return new HubspotRefusal(400, 'VALIDATION_ERROR', message, more);
}

export interface InvalidValue {
  readonly name: string;
  readonly error: string;
  readonly message: string;
}

/** HubSpot packs the refused values as JSON into the message. */
export function invalidValues(values: readonly InvalidValue[], portalId: number): HubspotRefusal {
  const packed = values.map(({ name, error, message }) => ({
    isValid: false,
    message,
    error,
    name,
    localizedErrorMessage: message,
    portalId,
  }));
  return invalidInput(`Property values were not valid: ${JSON.stringify(packed)}`);
}

/** https://github.com/HubSpot/hubspot-api-nodejs/issues/545 shows the body. */
export function contactExists(id: string): HubspotRefusal {
  return new HubspotRefusal(409, 'CONFLICT', `Contact already exists. Existing ID: ${id}`);
}

export function notAuthenticated(): HubspotRefusal {
  return new HubspotRefusal(
    401,
    'INVALID_AUTHENTICATION',
    'Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more details ' +
      'at https://developers.hubspot.com/docs/methods/auth/oauth-overview',
  );
}

export function missingScopes(scopes: readonly string[]): HubspotRefusal {
  return new HubspotRefusal(
    403,
    'MISSING_SCOPES',
    "This app hasn't been granted all required scopes to make this call. Read more about required scopes here: " +
      'https://developers.hubspot.com/scopes.',
    {
      errors: [
        {
          message: 'One or more of the following scopes are required.',
          context: { requiredGranularScopes: scopes },
        },
      ],
      links: { scopes: 'https://developers.hubspot.com/scopes' },
    },
  );
}

/** The body of a 429; its headers come from `rate-limit.ts`. https://github.com/HubSpot/hubspot-api-python/issues/117 */
export function rateLimited(): HubspotRefusal {
  return new HubspotRefusal(429, 'RATE_LIMIT', 'You have reached your ten_secondly_rolling limit.', {
    errorType: 'RATE_LIMIT',
    policyName: 'TEN_SECONDLY_ROLLING',
  });
}
