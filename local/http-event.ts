import { randomBytes } from 'node:crypto';
import { ACCOUNT } from './aws-error.ts';
import type { HttpRequest } from './endpoint.ts';
import type { HttpApiDefinition, HttpApiRoute } from './model.ts';

/**
 * Bodies of these types are handed over as text, all others in base64. AWS does not document the list; this is what others have
 * observed, and a function looks at `isBase64Encoded` anyway.
 */
const TEXT = /^(text\/|application\/(json|javascript|xml)\b)/i;

export type WholeRequest = HttpRequest & { readonly body: Buffer };

/** What was found out about a request that has a route. */
export interface RoutedRequest {
  readonly api: HttpApiDefinition;
  readonly route: HttpApiRoute;
  /** Decoded, beginning with a slash. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly receivedAt: Date;
}

/**
 * The event of a Lambda proxy integration in payload format 2.0.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function proxyEvent(request: WholeRequest, routed: RoutedRequest): Record<string, unknown> {
  const { api, route, path, parameters, requestId, receivedAt } = routed;
  const { method, query, sourceIp } = request;
  const { cookie, ...headers } = request.headers;
  const names = new Set(query.keys());
  const host = String(headers.host ?? '');
  return {
    version: '2.0',
    routeKey: route.key,
    rawPath: path,
    rawQueryString: query.toString(),
    ...(cookie !== undefined && { cookies: cookie.split(/;\s*/) }),
    headers: {
      ...headers,
      'x-amzn-trace-id': `Root=1-${seconds(receivedAt).toString(16)}-${randomBytes(12).toString('hex')}`,
      'x-forwarded-for': sourceIp,
      'x-forwarded-port': host.split(':')[1] ?? '80',
      'x-forwarded-proto': 'http',
    },
    ...(names.size > 0 && {
      queryStringParameters: Object.fromEntries(
        [...names].map((name) => [name, query.getAll(name).join(',')]),
      ),
    }),
    requestContext: {
      accountId: ACCOUNT,
      apiId: api.id,
      domainName: host,
      domainPrefix: api.id,
      http: { method, path, protocol: 'HTTP/1.1', sourceIp, userAgent: headers['user-agent'] ?? '' },
      requestId,
      routeKey: route.key,
      stage: '$default',
      time: commonLogTime(receivedAt),
      timeEpoch: receivedAt.getTime(),
    },
    ...(Object.keys(parameters).length > 0 && { pathParameters: parameters }),
    ...bodyOf(request.body, headers['content-type']),
  };
}

function bodyOf(body: Buffer, type = ''): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  const isText = type === '' || TEXT.test(type);
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

/** `12/Mar/2020:19:03:58 +0000` */
function commonLogTime(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
