import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SandboxServer, startSandboxServer } from '../../../functions/sandbox/server.ts';
import { runHandoff } from './run-handoff.ts';

const LEAD = '{"leadRequestId":"a-1","email":"ann@example.com"}';
const COMMANDS: readonly (readonly string[])[] = [['waiting'], ['routes'], ['show', 'a-1'], ['submit', '-']];
const AS_PRINTED =
  'give the AWS address that "npm run local" prints, http://127.0.0.1:4566 unless it was told another port.';

const servers: Server[] = [];
let sandbox: SandboxServer;
const at: Record<string, string> = {};

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function web(status: number, type: string, body: string): Server {
  const answer: RequestListener = (request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  };
  const server = createHttpServer(answer);
  // A command that waited for the connection to end would not end within the time of its test.
  server.keepAliveTimeout = 300_000;
  return server;
}

beforeAll(async () => {
  sandbox = await startSandboxServer({ port: 0, bearer: 'secret' });
  at['the sandbox destination'] = sandbox.url;
  at['a web server'] = await listen(web(200, 'text/html', '<html></html>'));
  at['a web server without the page'] = await listen(web(404, 'text/html', '<html></html>'));
  at['a web server that fails'] = await listen(web(500, 'text/html', '<html></html>'));
  // Without a look at who answers this is a table without items, and a handoff that does not exist.
  at['an API that answers {}'] = await listen(web(200, 'application/json', '{}'));
  at['a program without HTTP'] = await listen(createTcpServer((socket) => socket.end('220 mail ready\r\n')));
  at['a program that hangs up'] = await listen(createTcpServer((socket) => socket.destroy()));
});

afterAll(async () => {
  await sandbox.close();
  for (const server of servers) server.close();
});

function handoff(command: readonly string[], endpoint: string) {
  return runHandoff([...command, '--endpoint', endpoint], { stdin: LEAD });
}

function expectSentence(
  ended: { exitCode: number | null; stdout: string; stderr: string },
  command: readonly string[],
  sentence: string,
): void {
  const nothing = command[0] === 'submit' ? 'Nothing was submitted.\n' : '';
  expect(ended.stderr).toBe(`${sentence}\n${nothing}`);
  expect(ended.stdout).toBe('');
  expect(ended.exitCode).toBe(1);
}

describe.each(COMMANDS)('%s', (...command) => {
  it('says that the sandbox destination does not speak AWS', async () => {
    const ended = await handoff(command, sandbox.url);

    expectSentence(ended, command, `What answers at ${sandbox.url} does not speak AWS: ${AS_PRINTED}`);
  });

  it('says that nothing answers at a dead port', async () => {
    const ended = await handoff(command, 'http://127.0.0.1:1');

    const problem = 'Nothing answers at http://127.0.0.1:1 (ECONNREFUSED)';
    expectSentence(ended, command, `${problem}: start "npm run local", or ${AS_PRINTED}`);
  });
});

it.each([
  'a web server',
  'a web server without the page',
  'a web server that fails',
  'an API that answers {}',
  'a program without HTTP',
])('says that %s does not speak AWS', async (who) => {
  const url = at[who] ?? '';
  const ended = await handoff(['show', 'a-1'], url);

  expectSentence(ended, ['show'], `What answers at ${url} does not speak AWS: ${AS_PRINTED}`);
});

it.each([
  ['show', 'a-1'],
  ['submit', '-'],
])('%s says that an http port does not speak https', async (...command) => {
  const url = at['a web server']?.replace('http', 'https') ?? '';
  const ended = await handoff(command, url);

  const problem = `What listens at ${url} does not speak https (EPROTO)`;
  expectSentence(ended, command, `${problem}: give ${at['a web server']}.`);
});

it('does not say that nothing was submitted to a program that hangs up', async () => {
  const { stderr, exitCode } = await handoff(['submit', '-'], at['a program that hangs up'] ?? '');

  expect(stderr).toContain('closes the connection without an answer (ECONNRESET)');
  expect(stderr).not.toContain('Nothing was submitted.');
  expect(exitCode).toBe(1);
});

it.each(['the sandbox destination', 'a web server'])(
  'doctor says of %s what is wrong and what to do, and how many checks it skipped',
  async (who) => {
    const url = at[who] ?? '';
    const { exitCode, stdout, stderr } = await handoff(['doctor'], url);

    expect(stdout).toContain(
      `What answers at ${url} does not speak AWS.\n         To mend it: ${AS_PRINTED}\n`,
    );
    expect(stderr).toBe('1 of 8 checks failed, 7 were skipped.\n');
    expect(exitCode).toBe(1);
  },
);
