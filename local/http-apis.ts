import { randomBytes } from 'node:crypto';
import { AwsError } from './aws-error.ts';
import type { HttpRequest, RestAnswer } from './endpoint.ts';
import { answerOf, INTERNAL_SERVER_ERROR, message } from './http-answer.ts';
import { HTTP_APIS_PATH } from './http-api-url.ts';
import { proxyEvent, type RoutedRequest, type WholeRequest } from './http-event.ts';
import type { InvocationResult } from './lambda-process.ts';
import type { HttpApiDefinition, HttpApiRoute } from './model.ts';
import { TokenBucket } from './token-bucket.ts';

type Invoke = (functionArn: string, event: unknown) => Promise<InvocationResult>;

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const LARGEST_BODY = 10 * 1024 * 1024;

const NOT_FOUND = message(404, 'Not Found');
/** For an integration that takes too long, and for a function that is throttled. */
const SERVICE_UNAVAILABLE = message(503, 'Service Unavailable');

/**
 * Amazon API Gateway's HTTP APIs with Lambda proxy integrations: everything but what the function itself answers has the form that
 * API Gateway gives it, `{"message": …}`.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api.html
 */
export class HttpApis {
  readonly #apis: readonly HttpApiDefinition[];
  readonly #invoke: Invoke;
  readonly #now: () => number;
  readonly #buckets = new Map<HttpApiRoute, TokenBucket>();

  /** @param now milliseconds since the epoch */
  constructor(apis: readonly HttpApiDefinition[], invoke: Invoke, now: () => number = Date.now) {
    this.#apis = apis;
    this.#invoke = invoke;
    this.#now = now;
    for (const { routes, throttle } of apis) {
      if (!throttle) continue;
      for (const route of routes) {
        this.#buckets.set(route, new TokenBucket(throttle.burst, throttle.perSecond, now));
      }
    }
  }

  /** Answers a request whose path begins with `/_apigateway/<api id>`. */
  async answer(request: HttpRequest): Promise<RestAnswer> {
    const requestId = `${randomBytes(11).toString('base64url')}=`;
    const answer = await this.#answer(request, requestId);
    return { ...answer, headers: { ...answer.headers, 'apigw-requestid': requestId } };
  }

  async #answer(request: HttpRequest, requestId: string): Promise<RestAnswer> {
    if (request.body === undefined || request.body.length > LARGEST_BODY) {
      return message(413, 'Request Entity Too Large');
    }
    const decoded = decodedSegments(request.path);
    if (decoded === undefined) return message(400, 'Bad Request');
    const [apiId, ...segments] = decoded;
    const api = this.#apis.find(({ id }) => id === apiId);
    const found = api && findRoute(api.routes, request.method, segments);
    if (!api || !found) return NOT_FOUND;
    if (this.#buckets.get(found.route)?.take() === false) return message(429, 'Too Many Requests');
    const receivedAt = new Date(this.#now());
    return this.#integrate(
      { ...request, body: request.body },
      { api, ...found, path: `/${segments.join('/')}`, requestId, receivedAt },
    );
  }

  /** A function that is no longer waited for runs on to its own timeout, as in AWS. */
  async #integrate(request: WholeRequest, routed: RoutedRequest): Promise<RestAnswer> {
    const { functionArn, timeoutMs } = routed.route;
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), timeoutMs);
    });
    try {
      const result = await Promise.race([this.#invoke(functionArn, proxyEvent(request, routed)), tooLong]);
      return result === undefined ? SERVICE_UNAVAILABLE : answerOf(result);
    } catch (refused) {
      if (!(refused instanceof AwsError)) throw refused;
      return refused.statusCode === 429 ? SERVICE_UNAVAILABLE : INTERNAL_SERVER_ERROR;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Undefined for a path that is not correctly encoded. */
function decodedSegments(path: string): string[] | undefined {
  try {
    return path.slice(HTTP_APIS_PATH.length).split('/').map(decodeURIComponent);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

interface Found {
  readonly route: HttpApiRoute;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Of several routes the one with the fewest parameters, and of those the one with the method before `ANY`. */
function findRoute(
  routes: readonly HttpApiRoute[],
  method: string,
  segments: readonly string[],
): Found | undefined {
  const found = routes
    .filter((route) => route.method === method || route.method === 'ANY')
    .flatMap((route): Found[] => {
      const parameters = matched(route.segments, segments);
      return parameters ? [{ route, parameters }] : [];
    });
  const rank = ({ route, parameters }: Found) =>
    Object.keys(parameters).length * 2 + (route.method === 'ANY' ? 1 : 0);
  return found.toSorted((a, b) => rank(a) - rank(b))[0];
}

function matched(
  template: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  if (template.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [i, part] of template.entries()) {
    const given = segments[i] ?? '';
    const [, name] = /^\{(.+)\}$/.exec(part) ?? [];
    if (name === undefined ? part !== given : given === '') return undefined;
    if (name !== undefined) parameters[name] = given;
  }
  return parameters;
}
