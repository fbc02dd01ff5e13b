import type { Socket } from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { callOnce, type HttpCall } from '../../../functions/adapters/http/effect-aware-client.ts';
import { HttpCallFailed } from '../../../functions/adapters/http/http-call-failed.ts';
import { selfSigned } from './self-signed.ts';
import { answerText, deadPort, type WireServer, wireServer } from './wire-server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

function keep<T extends { close(): Promise<void> }>(server: T): T {
  open.push(server);
  return server;
}

/** Milliseconds: enough to connect on a busy machine, since the phase that runs out is asserted. */
const SHORT = 1_000;
const SECRETS = 'jane@example.com Jane sesame';

function post(base: string, over: Partial<HttpCall> = {}): HttpCall {
  return {
    method: 'POST',
    url: `${base}/contacts/jane@example.com?name=Jane`,
    label: '/contacts/{email}',
    headers: { authorization: 'Bearer sesame' },
    body: '{"email":"jane@example.com"}',
    timeoutMs: 5_000,
    ...over,
  };
}

async function failureOf(call: HttpCall): Promise<HttpCallFailed> {
  const failure = await callOnce(call).then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(HttpCallFailed);
  const failed = failure as HttpCallFailed;
  const everything = `${failed.message} ${failed.stack} ${JSON.stringify(failed)}`;
  for (const secret of SECRETS.split(' ')) expect(everything).not.toContain(secret);
  expect(everything).not.toContain('127.0.0.1');
  return failed;
}

function told({ phase, code, requestLeft }: HttpCallFailed) {
  return { phase, code, requestLeft };
}

describe('no byte of the request left', () => {
  it('when the name does not resolve', async () => {
    const failed = await failureOf(post('http://nowhere.invalid'));

    expect(failed).toMatchObject({ phase: 'resolve', requestLeft: false });
    expect(failed.code).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
  });

  it('when the connection is refused', async () => {
    const failed = await failureOf(post(`http://127.0.0.1:${await deadPort()}`));

    expect(told(failed)).toEqual({ phase: 'connect', code: 'ECONNREFUSED', requestLeft: false });
    expect(failed.message).toBe('POST /contacts/{email} failed while connecting (ECONNREFUSED).');
  });

  it('when the connection of a name is refused', async () => {
    const failed = await failureOf(post(`http://localhost:${await deadPort()}`));

    expect(failed).toMatchObject({ phase: 'connect', requestLeft: false });
  });

  it('when the deadline had passed before anything began', async () => {
    const server = keep(await wireServer(() => {}));

    for (const timeoutMs of [0, -5, Number.NaN]) {
      expect(told(await failureOf(post(server.url, { timeoutMs })))).toEqual({
        phase: 'connect',
        code: 'DEADLINE',
        requestLeft: false,
      });
    }
    expect(server.connections()).toBe(0);
  });

  it('when the other side does not speak TLS', async () => {
    const bytes: Buffer[] = [];
    const server = keep(
      await wireServer(
        () => {},
        (socket) => {
          socket.on('data', (chunk: Buffer) => bytes.push(chunk));
          socket.write('HTTP/1.1 400 Bad Request\r\n\r\n');
        },
      ),
    );

    const failed = await failureOf(post(`https://127.0.0.1:${server.port}`));

    expect(failed).toMatchObject({ phase: 'tls', requestLeft: false });
    expect(Buffer.concat(bytes).toString('latin1')).not.toContain('POST');
  });

  it('when the other side never finishes the TLS handshake', async () => {
    const server = keep(
      await wireServer(
        () => {},
        (socket) => socket.resume(),
      ),
    );

    const failed = await failureOf(post(`https://127.0.0.1:${server.port}`, { timeoutMs: SHORT }));

    expect(told(failed)).toEqual({ phase: 'tls', code: 'DEADLINE', requestLeft: false });
  });

  it('when nobody vouches for the certificate', async () => {
    const server = keep(await tlsServer());

    const failed = await failureOf(post(`https://localhost:${server.port}`));

    expect(told(failed)).toEqual({
      phase: 'tls',
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      requestLeft: false,
    });
    await server.closed();
    expect(server.received()).toBe('');
  });

  it('when a header cannot be sent', async () => {
    const server = keep(await wireServer(() => {}));

    const failed = await failureOf(post(server.url, { headers: { authorization: 'Bearer a\nb' } }));

    expect(failed).toMatchObject({ code: 'ERR_INVALID_CHAR', requestLeft: false });
    expect(server.connections()).toBe(0);
  });
});

describe('the request may have left', () => {
  const cases: {
    name: string;
    play: (socket: Socket) => void;
    expected: { phase: string; code: string | RegExp };
    timeoutMs?: number;
  }[] = [
    {
      name: 'when the connection is reset after the request',
      play: (socket) => socket.resetAndDestroy(),
      expected: { phase: 'response', code: 'ECONNRESET' },
    },
    {
      name: 'when the connection is closed without an answer',
      play: (socket) => socket.end(),
      expected: { phase: 'response', code: 'ECONNRESET' },
    },
    {
      name: 'when no answer comes in time',
      play: () => {},
      expected: { phase: 'response', code: 'DEADLINE' },
      timeoutMs: SHORT,
    },
    {
      name: 'when the answer is not HTTP',
      play: (socket) => socket.end('jane@example.com said hello\r\n\r\n'),
      expected: { phase: 'response', code: /^HPE_/ },
    },
    {
      name: 'when the answer breaks off',
      play: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":'),
      expected: { phase: 'body', code: 'ECONNRESET' },
    },
    {
      name: 'when the answer stops in the middle until the deadline',
      play: (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":'),
      expected: { phase: 'body', code: 'DEADLINE' },
      timeoutMs: SHORT,
    },
    {
      name: 'when the answer is longer than we read',
      play: (socket) => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${6 * 1024 * 1024}\r\n\r\n`);
        socket.write(Buffer.alloc(6 * 1024 * 1024, 'x'));
      },
      expected: { phase: 'body', code: 'TOO_LARGE' },
    },
  ];

  it.each(cases)('$name', async ({ play, expected, timeoutMs = 5_000 }) => {
    const server = keep(await wireServer((socket) => play(socket)));

    const failed = await failureOf(post(server.url, { timeoutMs }));

    expect(failed.requestLeft).toBe(true);
    expect(failed.phase).toBe(expected.phase);
    expect(failed.code).toMatch(expected.code);
    expect(server.requests).toHaveLength(1);
    expect(server.connections()).toBe(1);
  });

  it('only from the moment we write, when the connection is reset as soon as it stands', async () => {
    const server = keep(
      await wireServer(
        () => {},
        (socket) => socket.resetAndDestroy(),
      ),
    );

    const failed = await failureOf(post(server.url));

    // The reset races with our first write; each side of it has one truth.
    expect([
      { phase: 'connect', code: 'ECONNRESET', requestLeft: false },
      { phase: 'send', code: 'ECONNRESET', requestLeft: true },
      { phase: 'send', code: 'EPIPE', requestLeft: true },
      { phase: 'response', code: 'ECONNRESET', requestLeft: true },
    ]).toContainEqual(told(failed));
    expect(server.connections()).toBe(1);
  });

  it('when the connection breaks in the middle of a long request', async () => {
    const server = keep(
      await wireServer(
        () => {},
        (socket) => socket.once('data', () => socket.resetAndDestroy()),
      ),
    );

    const failed = await failureOf(post(server.url, { body: 'x'.repeat(30 * 1024 * 1024) }));

    expect(failed).toMatchObject({ phase: 'send', requestLeft: true });
    expect(failed.code).toMatch(/^(ECONNRESET|EPIPE)$/);
    expect(server.connections()).toBe(1);
  });
});

describe('an answer', () => {
  it('comes with status, headers and text, whatever the status', async () => {
    const server = keep(
      await wireServer((socket) =>
        socket.end(answerText({ status: 503, text: 'später', headers: { 'Retry-After': '7' } })),
      ),
    );

    const answer = await callOnce(post(server.url));

    expect(answer).toMatchObject({ status: 503, text: 'später' });
    expect(answer.headers['retry-after']).toBe('7');
  });

  it('may end with the connection instead of a length', async () => {
    const server = keep(
      await wireServer((socket) => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"id":"1"}')),
    );

    expect((await callOnce(post(server.url))).text).toBe('{"id":"1"}');
  });

  it('that is a redirect is not followed', async () => {
    const elsewhere = keep(await wireServer(() => {}));
    const server = keep(
      await wireServer((socket) =>
        socket.end(answerText({ status: 307, headers: { location: elsewhere.url } })),
      ),
    );

    expect((await callOnce(post(server.url))).status).toBe(307);
    expect(elsewhere.connections()).toBe(0);
  });

  it('costs one connection and one request per call, even when the server would keep the connection', async () => {
    const server = keep(
      await wireServer((socket) =>
        socket.write(answerText({ status: 200, text: '{}', headers: { connection: 'keep-alive' } })),
      ),
    );

    for (let i = 0; i < 3; i++) await callOnce(post(server.url));

    expect(server.requests).toHaveLength(3);
    expect(server.connections()).toBe(3);
  });

  it('follows a request that carries the trace, our name and the exact body', async () => {
    const server = keep(await wireServer((socket) => socket.end(answerText({ status: 200 }))));
    process.env._X_AMZN_TRACE_ID =
      'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1';

    await callOnce(post(server.url, { body: '{"name":"Jörg"}' })).finally(() => {
      delete process.env._X_AMZN_TRACE_ID;
    });

    const [request] = server.requests;
    expect(request?.body).toBe('{"name":"Jörg"}');
    expect(request?.headers).toMatchObject({
      'user-agent': 'lead-handoff',
      traceparent: '00-5759e988bd862e3fe1be46a994272793-53995c3f42cd8ad8-01',
      'content-type': 'application/json',
      'content-length': '16',
    });
  });

  it('comes over TLS from a server whose certificate is trusted', async () => {
    const server = keep(await tlsServer());
    const usual = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...usual, server.cert]);

    const answer = await callOnce(post(`https://localhost:${server.port}`)).finally(() =>
      tls.setDefaultCACertificates(usual),
    );

    expect(answer.text).toBe('{"over":"tls"}');
    expect(server.received()).toContain('POST /contacts/jane@example.com?name=Jane HTTP/1.1');
  });
});

async function tlsServer(): Promise<
  Pick<WireServer, 'port' | 'close'> & { cert: string; received(): string; closed(): Promise<void> }
> {
  const { key, cert } = selfSigned();
  const closed = Promise.withResolvers<void>();
  let received = '';
  const server = tls.createServer({ key, cert }, (socket) => {
    socket.on('error', () => {});
    socket.on('close', () => closed.resolve());
    socket.on('data', (chunk) => {
      received += chunk.toString('utf8');
      socket.end(answerText({ status: 200, text: '{"over":"tls"}' }));
    });
  });
  server.on('tlsClientError', () => closed.resolve());
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    port: (server.address() as { port: number }).port,
    cert,
    received: () => received,
    closed: () => closed.promise,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
