import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createSandbox, type Sandbox } from './sandbox.ts';
import type { SettingsInput } from './settings.ts';
import type { Clock, Ids, SandboxResponse } from './wire.ts';

export interface SandboxServerOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly bearer: string;
  readonly controlToken?: string;
  readonly settings?: SettingsInput;
  /** The system's clock and random UUIDs unless given. */
  readonly clock?: Clock;
  readonly ids?: Ids;
}

export interface SandboxServer {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** Ends open connections and pending answers too. */
  close(): Promise<void>;
}

/** The port is taken by somebody else. */
export class SandboxPortBusy extends Error {
  override readonly name = 'SandboxPortBusy';
  readonly port: number;

  constructor(port: number) {
    super(`The sandbox cannot listen on port ${port} of 127.0.0.1: another program uses it.`);
    this.port = port;
  }
}

const HOST = '127.0.0.1';
const MAX_BODY_BYTES = 1_000_000;
/** A trickling body arrives in this many pieces. */
const TRICKLE_PIECES = 4;

/** Serves a sandbox on 127.0.0.1. Throws `SandboxPortBusy`. */
export async function startSandboxServer(options: SandboxServerOptions): Promise<SandboxServer> {
  const sandbox = createSandbox({
    clock: options.clock ?? Date.now,
    ids: options.ids ?? randomUUID,
    bearer: options.bearer,
    ...(options.controlToken === undefined ? {} : { controlToken: options.controlToken }),
    ...(options.settings === undefined ? {} : { settings: options.settings }),
  });
  const timers = new Set<NodeJS.Timeout>();
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    serve(sandbox, request, response, timers).catch((error) => fail(response, error));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new SandboxPortBusy(options.port) : error),
    );
    server.listen(options.port, HOST, resolve);
  });
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve, reject) => {
        for (const timer of timers) clearTimeout(timer);
        server.close((error) => (error ? reject(error) : resolve()));
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function serve(
  sandbox: Sandbox,
  request: IncomingMessage,
  response: ServerResponse,
  timers: Set<NodeJS.Timeout>,
): Promise<void> {
  const body = await readBody(request);
  if (body === null) {
    response.writeHead(413).end();
    return;
  }
  const answer = await sandbox.handle({
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    headers: headersOf(request),
    body,
  });
  deliver(answer, request, response, timers);
}

/** The sandbox's own failure has to look different from every planned fault. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.destroyed || response.headersSent) {
    response.destroy();
    return;
  }
  const reason = error instanceof Error ? error.message : 'unknown';
  response
    .writeHead(500, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: `The sandbox itself failed: ${reason}` }));
}

/** Carries out a response directive on the socket. */
function deliver(
  answer: SandboxResponse,
  request: IncomingMessage,
  response: ServerResponse,
  timers: Set<NodeJS.Timeout>,
): void {
  const { delivery } = answer;
  switch (delivery.kind) {
    case 'drop':
      request.socket.destroy();
      return;
    case 'hang':
      return;
    case 'answer':
      sendWhole(answer, response);
      return;
    case 'answer-late':
      later(timers, response, delivery.delayMs, () => sendWhole(answer, response));
      return;
    case 'trickle':
      trickle(answer, response, delivery.delayMs, timers);
      return;
  }
}

function sendWhole(answer: SandboxResponse, response: ServerResponse): void {
  response.writeHead(answer.status, sizedHeaders(answer)).end(answer.body);
}

/** With the body's size, so that a client can tell a whole body from a part of one. */
function sizedHeaders({ status, headers, body }: SandboxResponse): Record<string, string> {
  return status === 204 ? { ...headers } : { ...headers, 'content-length': String(Buffer.byteLength(body)) };
}

function trickle(
  answer: SandboxResponse,
  response: ServerResponse,
  delayMs: number,
  timers: Set<NodeJS.Timeout>,
): void {
  const bytes = Buffer.from(answer.body);
  response.writeHead(answer.status, sizedHeaders(answer));
  response.flushHeaders();
  const size = Math.ceil(bytes.length / TRICKLE_PIECES);
  for (let piece = 0; piece < TRICKLE_PIECES; piece += 1) {
    const part = bytes.subarray(piece * size, (piece + 1) * size);
    const isLast = piece === TRICKLE_PIECES - 1;
    later(timers, response, (delayMs * (piece + 1)) / TRICKLE_PIECES, () =>
      isLast ? response.end(part) : response.write(part),
    );
  }
}

/** A timer that neither outlives the server nor writes to a client that has gone. */
function later(
  timers: Set<NodeJS.Timeout>,
  response: ServerResponse,
  delayMs: number,
  action: () => void,
): void {
  const timer = setTimeout(() => {
    timers.delete(timer);
    if (!response.destroyed) action();
  }, delayMs);
  timers.add(timer);
  response.once('close', () => {
    clearTimeout(timer);
    timers.delete(timer);
  });
}

/** Null when the body is larger than the sandbox takes. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function headersOf(request: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}
