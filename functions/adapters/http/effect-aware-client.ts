import http from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import { currentTraceparent } from '../traceparent.ts';
import { CLOSED, DEADLINE, HttpCallFailed, type Phase, TOO_LARGE } from './http-call-failed.ts';

const USER_AGENT = 'lead-handoff';
const MAX_RESPONSE_BYTES = 5 * 1024 * 1024;

/** One HTTP request. */
export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  /** The path with its values left out (`/contacts/{email}`), for error messages. */
  readonly label: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds for everything: name, connection, request, and the whole answer. */
  readonly timeoutMs: number;
}

/** A whole answer, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Sends one request on a connection of its own and waits for the whole answer: no retry, no redirect, no reuse of a socket.
 *
 * The request is written only once the connection (and TLS) stands, so that a failure before that moment proves that no byte
 * left. Answers longer than 5 MB are given up on.
 *
 * @throws HttpCallFailed naming the phase that failed and whether the request may have left.
 */
export function callOnce(call: HttpCall): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    let phase: Phase = firstPhase(call.url);
    let requestLeft = false;
    let settled = false;
    let request: http.ClientRequest | undefined;
    let timer: NodeJS.Timeout | undefined;
    const endsAt = performance.now() + call.timeoutMs;

    const settle = (act: () => void) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      act();
      request?.destroy();
    };
    const fail = (code: string) => settle(() => reject(new HttpCallFailed(call, phase, code, requestLeft)));
    const isLate = () => !(performance.now() < endsAt);

    const sendNow = () => {
      if (settled) return;
      if (isLate()) return fail(DEADLINE);
      phase = 'send';
      requestLeft = true;
      request?.end(call.body);
    };
    const follow = (socket: Socket, secure: boolean) => {
      const connected = () => {
        if (secure) phase = 'tls';
        else sendNow();
      };
      socket.once('lookup', (error) => {
        if (!error && phase === 'resolve') phase = 'connect';
      });
      if (secure) socket.once('secureConnect', sendNow);
      if (socket.connecting) socket.once('connect', connected);
      else connected();
    };
    const read = (response: http.IncomingMessage) => {
      phase = 'body';
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_RESPONSE_BYTES) fail(TOO_LARGE);
        else chunks.push(chunk);
      });
      response.on('error', (error) => fail(codeOf(error)));
      response.on('close', () => fail(CLOSED));
      response.on('end', () => settle(() => resolve(answerOf(response, Buffer.concat(chunks)))));
    };

    if (isLate()) return fail(DEADLINE);
    timer = setTimeout(() => fail(DEADLINE), call.timeoutMs);
    try {
      const url = new URL(call.url);
      const secure = url.protocol === 'https:';
      request = (secure ? https : http).request(url, {
        method: call.method,
        agent: false,
        headers: headersOf(call),
      });
      request.on('socket', (socket) => follow(socket, secure));
      request.on('finish', () => {
        if (phase === 'send') phase = 'response';
      });
      request.on('response', read);
      request.on('error', (error) => fail(codeOf(error)));
      request.on('close', () => {
        if (phase !== 'body') fail(CLOSED);
      });
    } catch (error) {
      fail(codeOf(error));
    }
  });
}

function firstPhase(url: string): Phase {
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return isIP(host) ? 'connect' : 'resolve';
}

function headersOf(call: HttpCall): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': USER_AGENT,
    ...call.headers,
  };
  if (call.body !== undefined) {
    headers['content-type'] = 'application/json';
    headers['content-length'] = String(Buffer.byteLength(call.body));
  }
  const traceparent = currentTraceparent();
  if (traceparent) headers.traceparent = traceparent;
  return headers;
}

function answerOf(response: http.IncomingMessage, body: Buffer): HttpAnswer {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return { status: response.statusCode ?? 0, headers, text: body.toString('utf8') };
}

/** Node's code alone: its messages name hosts and addresses. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code) ? code : 'UNKNOWN';
}
