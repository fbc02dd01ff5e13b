import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it went over the wire, with what came back. */
export interface Exchange {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** Null where the connection ended without an answer. */
  readonly answer: { readonly status: number; readonly body: string } | null;
}

export interface Recorder {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  /** What has been recorded since the last call. */
  taken(): Exchange[];
  close(): Promise<void>;
}

/** Passes every request on to `target` as it is, and keeps both directions. */
export async function recorder(target: string): Promise<Recorder> {
  const exchanges: Exchange[] = [];
  let seen = 0;
  const server = createServer(async (incoming, outgoing) => {
    const body = await textOf(incoming);
    const url = new URL(incoming.url ?? '/', target);
    const kept = { method: incoming.method ?? '', path: url.pathname, query: url.searchParams };
    const keep = (answer: Exchange['answer']) =>
      exchanges.push({ ...kept, headers: incoming.headers, body, answer });
    const passedOn = send(`${target}${incoming.url}`, { method: kept.method, headers: incoming.headers });
    passedOn.on('error', () => {
      keep(null);
      incoming.socket.destroy();
    });
    passedOn.on('response', async (response) => {
      const text = await textOf(response);
      keep({ status: response.statusCode ?? 0, body: text });
      outgoing.writeHead(response.statusCode ?? 0, response.headers).end(text);
    });
    passedOn.end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    taken() {
      const fresh = exchanges.slice(seen);
      seen = exchanges.length;
      return fresh;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
