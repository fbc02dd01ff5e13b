import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ACCOUNT, AwsError, arn } from './aws-error.ts';
import { HTTP_APIS_PATH } from './http-api-url.ts';

/** Another program, or another engine, listens on the port. */
export class PortInUse extends Error {
  override readonly name = 'PortInUse';
  readonly port: number;
  readonly flag: string;

  constructor(port: number, flag = '--port') {
    super(`Port ${port} on 127.0.0.1 is in use: stop what listens there, or give another one with ${flag}.`);
    this.port = port;
    this.flag = flag;
  }
}

/** A service of the AWS JSON protocols: one function for all of its operations. */
export type JsonService = (operation: string, body: Record<string, unknown>) => Promise<JsonAnswer>;

export interface JsonAnswer {
  readonly statusCode?: number;
  readonly body: unknown;
}

export interface RestRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Record<string, string | undefined>;
  readonly body: string;
}

/** A request to an HTTP API, as it came. */
export interface HttpRequest extends Omit<RestRequest, 'body'> {
  readonly sourceIp: string;
  /** Undefined when it is larger than anything that is answered here. */
  readonly body: Buffer | undefined;
}

export interface RestAnswer {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body: string | Buffer;
}

export interface Services {
  /** By the first part of `X-Amz-Target`, such as `AWSStepFunctions`. */
  readonly json: Readonly<Record<string, JsonService>>;
  readonly lambda: (request: RestRequest) => Promise<RestAnswer>;
  readonly httpApis: (request: HttpRequest) => Promise<RestAnswer>;
}

const LARGEST_BODY = 16 * 1024 * 1024;

/**
 * The one address that all AWS clients talk to. Listens on 127.0.0.1 only and checks no signatures.
 *
 * @see https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html
 */
export class Endpoint {
  readonly #server: Server;
  #services: Services | undefined;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        sendError(response, new AwsError('InternalFailure', `The embedded engine failed: ${error}`, 500));
      });
    });
    this.#server.keepAliveTimeout = 0;
  }

  /** @throws PortInUse */
  static async listen(port: number): Promise<Endpoint> {
    const endpoint = new Endpoint();
    await new Promise<void>((resolve, reject) => {
      endpoint.#server.once('error', (error: NodeJS.ErrnoException) => {
        reject(error.code === 'EADDRINUSE' ? new PortInUse(port) : error);
      });
      endpoint.#server.listen(port, '127.0.0.1', resolve);
    });
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on requests are answered; before, they get `ServiceUnavailable`, which clients retry. */
  serve(services: Services): void {
    this.#services = services;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await readBody(request);
    const url = new URL(request.url ?? '/', this.url);
    const target = request.headers['x-amz-target'];
    const isRest = url.pathname.startsWith('/2015-03-31/');
    response.setHeader('x-amzn-RequestId', randomUUID());
    try {
      if (request.headers.origin !== undefined) {
        throw new AwsError(
          'AccessDeniedException',
          'Pages in a browser may not talk to the embedded engine.',
          403,
        );
      }
      if (!this.#services) throw new AwsError('ServiceUnavailable', 'The embedded engine is starting.', 503);
      if (url.pathname.startsWith(HTTP_APIS_PATH)) {
        send(response, await this.#services.httpApis({ ...described(request, url), body: bytes }));
        return;
      }
      if (bytes === undefined) {
        throw new AwsError('RequestEntityTooLargeException', 'The request is larger than 16 MiB.', 413);
      }
      const body = bytes.toString('utf8');
      if (typeof target === 'string') await this.#json(this.#services, target, body, request, response);
      else if (isRest) send(response, await this.#services.lambda({ ...described(request, url), body }));
      else answerOther(request, url, body, response);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      sendError(response, error, isRest);
    }
  }

  async #json(
    services: Services,
    target: string,
    body: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const dot = target.indexOf('.');
    const service = services.json[target.slice(0, dot)];
    if (!service) throw unknownOperation(target);
    const answer = await service(target.slice(dot + 1), parseJson(body));
    response.writeHead(answer.statusCode ?? 200, {
      'content-type': request.headers['content-type'] ?? 'application/x-amz-json-1.0',
    });
    response.end(JSON.stringify(answer.body));
  }
}

function described(request: IncomingMessage, url: URL): Omit<HttpRequest, 'body'> {
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers as Record<string, string | undefined>,
    sourceIp: request.socket.remoteAddress ?? '',
  };
}

function send(response: ServerResponse, { statusCode, headers, body }: RestAnswer): void {
  response.writeHead(statusCode, { 'content-type': 'application/json', ...headers });
  response.end(body);
}

/** The refusal of what the engine does not speak. */
export function unknownOperation(name: string, why = ''): AwsError {
  return new AwsError('UnknownOperationException', `The embedded engine does not speak ${name}.${why}`);
}

/** STS and the greeting: what has neither a target nor a REST path. */
function answerOther(request: IncomingMessage, url: URL, body: string, response: ServerResponse): void {
  if (request.method === 'GET' && url.pathname === '/' && request.headers.authorization === undefined) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ engine: 'lead-handoff', account: ACCOUNT }));
    return;
  }
  const form = new URLSearchParams(body);
  const action = form.get('Action') ?? url.searchParams.get('Action');
  if (action !== 'GetCallerIdentity') {
    const service = /\/([^/]+)\/aws4_request/.exec(request.headers.authorization ?? '')?.[1];
    const name = [service, action ?? `${request.method} ${url.pathname}`].filter(Boolean).join(' ');
    sendXmlError(response, unknownOperation(name), service);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/xml' });
  response.end(
    `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>` +
      `<Arn>${arn('sts', 'assumed-role/local/local').replace('us-east-1', '')}</Arn><UserId>LOCAL</UserId>` +
      `<Account>${ACCOUNT}</Account></GetCallerIdentityResult><ResponseMetadata><RequestId>${randomUUID()}` +
      `</RequestId></ResponseMetadata></GetCallerIdentityResponse>`,
  );
}

function sendError(response: ServerResponse, error: AwsError, isRest = false): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(error.statusCode, {
    'content-type': isRest ? 'application/json' : 'application/x-amz-json-1.0',
    'x-amzn-errortype': error.code,
  });
  const body = isRest ? { Type: 'User', Message: error.message } : { message: error.message };
  response.end(JSON.stringify({ __type: error.code, ...body, ...error.fields }));
}

/** Services of the older protocols read XML; S3 alone without the outer element. */
function sendXmlError(response: ServerResponse, error: AwsError, service?: string): void {
  const inner = `<Error><Type>Sender</Type><Code>${error.code}</Code><Message>${error.message}</Message></Error>`;
  response.writeHead(error.statusCode, { 'content-type': 'text/xml' });
  response.end(service === 's3' ? inner : `<ErrorResponse>${inner}</ErrorResponse>`);
}

function parseJson(body: string): Record<string, unknown> {
  try {
    return body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
  } catch {
    throw new AwsError('SerializationException', 'The request body is not JSON.');
  }
}

/** The whole body, or undefined when it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= LARGEST_BODY) chunks.push(chunk);
  }
  return size > LARGEST_BODY ? undefined : Buffer.concat(chunks);
}
