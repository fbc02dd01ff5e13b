import { connect } from 'node:net';
import { expect, test } from 'vitest';
import {
  SandboxPortBusy,
  type SandboxServer,
  startSandboxServer,
} from '../../../functions/sandbox/server.ts';
import { EMAIL, SECRET } from './support.ts';

async function post(server: SandboxServer, path: string, body: unknown): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}` },
    body: JSON.stringify(body),
  });
}

test('a busy port is named in the error', async () => {
  const first = await startSandboxServer({ port: 0, bearer: SECRET });
  const port = Number(new URL(first.url).port);
  const second = startSandboxServer({ port, bearer: SECRET });
  await expect(second).rejects.toThrow(`port ${port}`);
  await expect(second).rejects.toBeInstanceOf(SandboxPortBusy);
  await first.close();
});

test('closing ends hanging connections and answers that are still to come', async () => {
  const server = await startSandboxServer({ port: 0, bearer: SECRET });
  await post(server, '/faults', [
    { operation: 'send-email', kind: 'hang' },
    { operation: 'send-email', kind: 'delay', delayMs: 60_000 },
    { operation: 'send-email', kind: 'slow-body', delayMs: 60_000 },
  ]);
  const hanging = post(server, '/resend/emails', EMAIL);
  const late = post(server, '/resend/emails', EMAIL);
  const slow = (await post(server, '/resend/emails', EMAIL).catch(() => null))?.text();
  const ends = Promise.allSettled([hanging, late, slow]);
  await expect.poll(async () => (await inspect(server)).requests.length, { timeout: 5_000 }).toBe(3);

  await server.close();

  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
});

test('a body beyond a megabyte is refused', async () => {
  const server = await startSandboxServer({ port: 0, bearer: SECRET });
  const refused = await post(server, '/reset', { padding: 'x'.repeat(1_100_000) }).then(
    ({ status }) => status,
    () => 'connection closed',
  );
  expect([413, 'connection closed']).toContain(refused);
  expect((await post(server, '/reset', {})).status).toBe(200);
  await server.close();
});

test('a failure of the sandbox itself is no planned fault: it answers 500 and says so', async () => {
  const ids = () => {
    throw new Error('no more ids');
  };
  const server = await startSandboxServer({ port: 0, bearer: SECRET, ids });
  const failed = await post(server, '/resend/emails', EMAIL);
  expect(failed.status).toBe(500);
  expect(await failed.json()).toEqual({ error: 'The sandbox itself failed: no more ids' });
  await server.close();
});

test('only this machine can connect', async () => {
  const server = await startSandboxServer({ port: 0, bearer: SECRET });
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const port = Number(new URL(server.url).port);
  const elsewhere = await new Promise<string>((resolve) => {
    const socket = connect({ host: '127.0.0.2', port });
    socket.setTimeout(500, () => {
      socket.destroy();
      resolve('no answer');
    });
    socket.once('connect', () => resolve('connected'));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'));
  });
  expect(elsewhere).not.toBe('connected');
  await server.close();
});

test('the given settings, clock and ids are used', async () => {
  const server = await startSandboxServer({
    port: 0,
    bearer: SECRET,
    controlToken: 'control',
    settings: { portalId: 7 },
    clock: () => 0,
    ids: () => '00000000-0000-4000-8000-000000000001',
  });
  const sent = await post(server, '/resend/emails', EMAIL);
  const closed = await fetch(`${server.url}/inspect`);
  const opened = await fetch(`${server.url}/inspect`, { headers: { authorization: 'Bearer control' } });
  expect(await sent.json()).toEqual({ id: '00000000-0000-4000-8000-000000000001' });
  expect(closed.status).toBe(401);
  expect(await opened.json()).toMatchObject({
    settings: { portalId: 7 },
    emails: [{ acceptedAt: '1970-01-01T00:00:00.000Z' }],
  });
  await server.close();
});

async function inspect(server: SandboxServer): Promise<{ requests: unknown[] }> {
  return (await (await fetch(`${server.url}/inspect`)).json()) as { requests: unknown[] };
}
