import net, { type Socket } from 'node:net';

/** One HTTP request as it came over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WireServer {
  readonly url: string;
  readonly port: number;
  /** Whole requests, counted at the socket, over all connections. */
  readonly requests: readonly WireRequest[];
  readonly connections: () => number;
  close(): Promise<void>;
}

/** What the server does with a request: it owns the socket. */
export type Script = (socket: Socket, request: WireRequest, index: number) => void;

/** A server without an HTTP library, so that a test decides every byte and counts every connection. */
export async function wireServer(
  script: Script,
  onConnection?: (socket: Socket) => void,
): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    if (onConnection) return onConnection(socket);
    let pending = '';
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      for (let taken = takeRequest(pending); taken; taken = takeRequest(pending)) {
        pending = taken.rest;
        requests.push(taken.request);
        script(socket, taken.request, requests.length - 1);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A server that answers requests in turn; the last answer is given to all that follow. */
export function answering(...answers: Answer[]): Promise<WireServer> {
  return wireServer((socket, _request, index) => {
    const answer = answers[Math.min(index, answers.length - 1)] ?? { status: 500 };
    socket.end(answerText(answer));
  });
}

export interface Answer {
  readonly status: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function answerText({ status, json, text, headers = {} }: Answer): string {
  const body = text ?? (json === undefined ? '' : JSON.stringify(json));
  const lines = [
    `HTTP/1.1 ${status} Whatever`,
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** A port on which nothing listens. */
export async function deadPort(): Promise<number> {
  const server = await wireServer(() => {});
  await server.close();
  return server.port;
}

function takeRequest(text: string): { request: WireRequest; rest: string } | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [start = '', ...lines] = text.slice(0, end).split('\r\n');
  const [method = '', path = ''] = start.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
  if (text.length < bodyEnd) return null;
  const body = Buffer.from(text.slice(end + 4, bodyEnd), 'latin1').toString('utf8');
  return { request: { method, path, headers, body }, rest: text.slice(bodyEnd) };
}
