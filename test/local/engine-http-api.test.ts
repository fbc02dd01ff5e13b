import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AwsError } from '../../local/aws-error.ts';
import type { HttpRequest } from '../../local/endpoint.ts';
import type { Engine } from '../../local/engine.ts';
import { HttpApis } from '../../local/http-apis.ts';
import type { HttpApiDefinition, HttpApiRoute } from '../../local/model.ts';
import { startFixture } from './fixtures/engine/fixture.ts';

const FUNCTION = 'arn:aws:lambda:us-east-1:000000000000:function:intake';

function routeOf(key: string, more: Partial<HttpApiRoute> = {}): HttpApiRoute {
  const [method = '', path = ''] = key.split(' ');
  return {
    key,
    method,
    segments: path.split('/').slice(1),
    functionArn: FUNCTION,
    timeoutMs: 1_000,
    ...more,
  };
}

const API: HttpApiDefinition = {
  logicalId: 'Api',
  id: 'leads',
  url: 'http://127.0.0.1:4566/_apigateway/leads',
  routes: [routeOf('POST /routes/{route}/leads')],
};

interface Given extends Partial<Omit<HttpRequest, 'body' | 'headers'>> {
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
}

function requestOf({ body = '', headers = {}, ...more }: Given = {}): HttpRequest {
  return {
    method: 'POST',
    path: '/_apigateway/leads/routes/website/leads',
    query: new URLSearchParams(),
    headers: { host: '127.0.0.1:4566', 'content-type': 'application/json', ...headers },
    body: Buffer.from(body),
    sourceIp: '127.0.0.1',
    ...more,
  };
}

/** An API whose function answers with `result`; with what the function was called with. */
function served(result: unknown = { statusCode: 202 }, api: HttpApiDefinition = API, now = () => 0) {
  const events: Record<string, never>[] = [];
  const apis = new HttpApis(
    [api],
    async (_arn, event) => {
      events.push(event as Record<string, never>);
      return { requestId: 'r', failed: false, payload: JSON.stringify(result) };
    },
    now,
  );
  return { events, ask: (request?: Given) => apis.answer(requestOf(request)) };
}

describe('the event of payload format 2.0', () => {
  test('says everything of the request', async () => {
    const { events, ask } = served({ statusCode: 202 }, API, () => Date.UTC(2026, 2, 5, 7, 8, 9));
    const answer = await ask({
      body: '{"a":"é"}',
      headers: { 'user-agent': 'form-tool/1', cookie: 'a=1; b=2', 'webhook-id': 'msg_1' },
      query: new URLSearchParams('x=1&y=2&x=3'),
    });

    expect(events).toEqual([
      {
        version: '2.0',
        routeKey: 'POST /routes/{route}/leads',
        rawPath: '/routes/website/leads',
        rawQueryString: 'x=1&y=2&x=3',
        cookies: ['a=1', 'b=2'],
        headers: {
          host: '127.0.0.1:4566',
          'content-type': 'application/json',
          'user-agent': 'form-tool/1',
          'webhook-id': 'msg_1',
          'x-amzn-trace-id': expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
          'x-forwarded-for': '127.0.0.1',
          'x-forwarded-port': '4566',
          'x-forwarded-proto': 'http',
        },
        queryStringParameters: { x: '1,3', y: '2' },
        requestContext: {
          accountId: '000000000000',
          apiId: 'leads',
          domainName: '127.0.0.1:4566',
          domainPrefix: 'leads',
          http: {
            method: 'POST',
            path: '/routes/website/leads',
            protocol: 'HTTP/1.1',
            sourceIp: '127.0.0.1',
            userAgent: 'form-tool/1',
          },
          requestId: answer.headers?.['apigw-requestid'],
          routeKey: 'POST /routes/{route}/leads',
          stage: '$default',
          time: '05/Mar/2026:07:08:09 +0000',
          timeEpoch: Date.UTC(2026, 2, 5, 7, 8, 9),
        },
        pathParameters: { route: 'website' },
        body: '{"a":"é"}',
        isBase64Encoded: false,
      },
    ]);
  });

  test('has no body, cookies, query or parameters where there are none', async () => {
    const { events, ask } = served({ statusCode: 200 }, { ...API, routes: [routeOf('GET /')] });
    await ask({ method: 'GET', path: '/_apigateway/leads/', body: '' });

    const [event = {}] = events;
    for (const absent of ['body', 'cookies', 'queryStringParameters', 'pathParameters', 'stageVariables']) {
      expect(event).not.toHaveProperty(absent);
    }
    expect(event).toMatchObject({ rawPath: '/', rawQueryString: '', isBase64Encoded: false });
  });

  test.each([
    ['application/json; charset=utf-8', false],
    ['text/plain', false],
    ['application/xml', false],
    ['', false],
    ['application/octet-stream', true],
    ['application/x-www-form-urlencoded', true],
    ['multipart/form-data; boundary=x', true],
  ])('has a body of type "%s" in base64: %s', async (type, isBase64Encoded) => {
    const { events, ask } = served();
    await ask({ body: 'a=ü', headers: { 'content-type': type } });

    expect(events[0]).toMatchObject({ isBase64Encoded, body: isBase64Encoded ? 'YT3DvA==' : 'a=ü' });
  });

  test('has decoded path parameters', async () => {
    const { events, ask } = served();
    await ask({ path: '/_apigateway/leads/routes/a%20b%2Fc/leads' });

    expect(events[0]).toMatchObject({ pathParameters: { route: 'a b/c' }, rawPath: '/routes/a b/c/leads' });
  });
});

describe('the answer', () => {
  test('is what the function says', async () => {
    const { ask } = served({
      statusCode: 409,
      headers: { 'Content-Type': 'application/problem+json', 'Retry-After': 5, 'content-length': '999' },
      cookies: ['a=1', 'b=2'],
      body: '{"status":409}',
    });

    expect(await ask()).toEqual({
      statusCode: 409,
      headers: {
        'content-type': 'application/problem+json',
        'retry-after': '5',
        'set-cookie': ['a=1', 'b=2'],
        'apigw-requestid': expect.stringMatching(/^[\w-]{15}=$/),
      },
      body: '{"status":409}',
    });
  });

  test('is text unless the function says otherwise, and may be bytes', async () => {
    expect(await served({ statusCode: 200, body: 'plain' }).ask()).toMatchObject({
      headers: { 'content-type': 'text/plain;charset=UTF-8' },
      body: 'plain',
    });
    const { ask } = served({ statusCode: 200, body: 'AP8=', isBase64Encoded: true });
    expect((await ask()).body).toEqual(Buffer.from([0, 255]));
  });

  test.each([
    [{ id: 7 }, '{"id":7}'],
    ['text', '"text"'],
    [null, 'null'],
    [[1], '[1]'],
  ])('without a status code is a 200 with all of it as JSON: %j', async (result, body) => {
    expect(await served(result).ask()).toMatchObject({
      statusCode: 200,
      headers: { 'content-type': 'application/json' },
      body,
    });
  });

  test.each([
    { statusCode: '200' },
    { statusCode: 99 },
    { statusCode: 600 },
    { statusCode: 200.5 },
    { statusCode: 200, body: { id: 7 } },
    { statusCode: 200, headers: { 'bad name': 'x' } },
    { statusCode: 200, headers: { x: 'two\nlines' } },
    { statusCode: 200, headers: { x: ['a'] } },
  ])('that cannot be sent is a 500: %j', async (result) => {
    expect(await served(result).ask()).toMatchObject({
      statusCode: 500,
      headers: { 'content-type': 'application/json' },
      body: '{"message":"Internal Server Error"}',
    });
  });

  test.each([
    [
      'the function has failed',
      async () => ({ requestId: 'r', failed: true, payload: '{}' }),
      500,
      'Internal Server Error',
    ],
    [
      'the function is throttled',
      async () => {
        throw new AwsError('TooManyRequestsException', 'Rate Exceeded.', 429);
      },
      503,
      'Service Unavailable',
    ],
    [
      'the function cannot be invoked',
      async () => {
        throw new AwsError('ResourceNotFoundException', 'Function not found.', 404);
      },
      500,
      'Internal Server Error',
    ],
  ])('where %s is of API Gateway', async (_case, invoke, statusCode, message) => {
    const apis = new HttpApis([API], invoke);

    expect(await apis.answer(requestOf())).toMatchObject({
      statusCode,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message }),
    });
  });

  test('is not waited for longer than the integration says', async () => {
    vi.useFakeTimers();
    const apis = new HttpApis([API], () => new Promise(() => {}));
    const answer = apis.answer(requestOf());
    await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();

    expect(await answer).toMatchObject({ statusCode: 503, body: '{"message":"Service Unavailable"}' });
  });
});

describe('what is not routed', () => {
  test.each([
    ['another path', { path: '/_apigateway/leads/routes/website' }],
    ['a longer path', { path: '/_apigateway/leads/routes/website/leads/7' }],
    ['a slash at the end', { path: '/_apigateway/leads/routes/website/leads/' }],
    ['an empty parameter', { path: '/_apigateway/leads/routes//leads' }],
    ['another method', { method: 'GET' }],
    ['another API', { path: '/_apigateway/others/routes/website/leads' }],
    ['no API', { path: '/_apigateway/' }],
  ])('%s is 404', async (_case, request) => {
    const { events, ask } = served();

    expect(await ask(request)).toMatchObject({ statusCode: 404, body: '{"message":"Not Found"}' });
    expect(events).toEqual([]);
  });

  test('a path that is badly encoded is 400', async () => {
    expect(await served().ask({ path: '/_apigateway/leads/routes/%zz/leads' })).toMatchObject({
      statusCode: 400,
      body: '{"message":"Bad Request"}',
    });
  });

  test.each([
    ['10 MB', 10 * 1024 * 1024, 202],
    ['more', 10 * 1024 * 1024 + 1, 413],
  ])('a body of %s is %s bytes and gets %s', async (_case, bytes, statusCode) => {
    expect(await served().ask({ body: Buffer.alloc(bytes, 'x') })).toMatchObject({
      statusCode,
    });
  });

  test('a body that was too large to be read is 413', async () => {
    const apis = new HttpApis([API], () => Promise.reject(new Error('nobody is called')));

    expect(await apis.answer({ ...requestOf(), body: undefined })).toMatchObject({
      statusCode: 413,
      body: '{"message":"Request Entity Too Large"}',
    });
  });
});

test('of several routes the most specific one is taken', async () => {
  const routes = ['ANY /{any}', 'GET /{any}', 'GET /known', 'ANY /known'].map((key) => routeOf(key));
  const { events, ask } = served({ statusCode: 200 }, { ...API, routes });
  for (const path of ['known', 'other']) {
    for (const method of ['GET', 'PUT']) await ask({ method, path: `/_apigateway/leads/${path}` });
  }

  expect(events.map(({ routeKey }) => routeKey)).toEqual([
    'GET /known',
    'ANY /known',
    'GET /{any}',
    'ANY /{any}',
  ]);
});

describe('the limits of the stage', () => {
  test('let a burst through, and then so many per second; the others are 429', async () => {
    let now = 0;
    const limited = { ...API, throttle: { burst: 3, perSecond: 2 } };
    const { ask } = served({ statusCode: 202 }, limited, () => now);
    const statuses = async (count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, () => ask()));
      return answers.map(({ statusCode }) => statusCode);
    };

    expect(await statuses(5)).toEqual([202, 202, 202, 429, 429]);
    expect((await ask()).body).toBe('{"message":"Too Many Requests"}');
    now = 1_000;
    expect(await statuses(3)).toEqual([202, 202, 429]);
    now = 60_000;
    expect(await statuses(4)).toEqual([202, 202, 202, 429]);
  });

  test('are not used up by requests that have no route', async () => {
    const { ask } = served({ statusCode: 202 }, { ...API, throttle: { burst: 1, perSecond: 1 } });
    await ask({ method: 'GET' });

    expect((await ask()).statusCode).toBe(202);
  });
});

describe('in the engine', () => {
  let engine: Engine;

  beforeAll(async () => {
    engine = await startFixture();
  });

  afterAll(() => engine.stop());

  test('the address is an output of the stack, on the one endpoint', async () => {
    expect(engine.outputs.ApiUrl).toBe(`${engine.url}/_apigateway/fixture%20things`);
    expect(engine.httpApis).toMatchObject([
      { url: engine.outputs.ApiUrl, routes: [{ key: 'POST /things/{thing}' }] },
    ]);
  });

  test('a request comes to its function, and the answer back', async () => {
    const response = await fetch(`${engine.outputs.ApiUrl}/things/7?a=1`, {
      method: 'POST',
      // What makes a request one to an AWS service makes no difference here.
      headers: { 'content-type': 'text/plain', 'x-amz-target': 'AmazonSQS.ListQueues' },
      body: 'hello',
    });

    expect(response.status).toBe(200);
    expect(response.headers.get('apigw-requestid')).toMatch(/=$/);
    expect(await response.json()).toMatchObject({
      echo: {
        routeKey: 'POST /things/{thing}',
        pathParameters: { thing: '7' },
        queryStringParameters: { a: '1' },
        body: 'hello',
        headers: { 'x-amz-target': 'AmazonSQS.ListQueues' },
      },
    });
  });

  test('bytes come as they are', async () => {
    const bytes = Buffer.from([0, 1, 254, 255]);
    const response = await fetch(`${engine.outputs.ApiUrl}/things/7`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: bytes,
    });

    const { echo } = (await response.json()) as { echo: { body: string; isBase64Encoded: boolean } };
    expect(echo.isBase64Encoded).toBe(true);
    expect(Buffer.from(echo.body, 'base64')).toEqual(bytes);
  });

  test.each([11, 17])('a body of %s MB is 413', async (megabytes) => {
    const response = await fetch(`${engine.outputs.ApiUrl}/things/7`, {
      method: 'POST',
      body: Buffer.alloc(megabytes * 1024 * 1024, 'x'),
    });

    expect([response.status, await response.json()]).toEqual([413, { message: 'Request Entity Too Large' }]);
  });

  test('a header that comes twice comes once, with both values', async () => {
    const { hostname, port, pathname } = new URL(`${engine.outputs.ApiUrl}/things/7`);
    const text = await new Promise<string>((resolve, reject) => {
      const sent = httpRequest({ hostname, port, path: pathname, method: 'POST' }, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => {
          body += chunk.toString();
        });
        response.on('end', () => resolve(body));
      });
      sent.on('error', reject);
      sent.setHeader('x-many', ['a', 'b']);
      sent.end('x');
    });

    expect(JSON.parse(text).echo.headers['x-many']).toBe('a, b');
  });

  test('a page in a browser cannot call it', async () => {
    const response = await fetch(`${engine.outputs.ApiUrl}/things/7`, {
      method: 'POST',
      headers: { origin: 'http://elsewhere.example.com' },
    });

    expect(response.status).toBe(403);
  });

  test('the AWS services on the same endpoint are what they were', async () => {
    const response = await fetch(engine.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.ListQueues' },
      body: '{}',
    });

    expect(await response.json()).toMatchObject({ QueueUrls: expect.arrayContaining([expect.any(String)]) });
    expect((await fetch(`${engine.url}/things/7`, { method: 'POST', body: '' })).status).toBe(400);
  });
});
