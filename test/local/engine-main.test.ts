import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  ASSEMBLY,
  clientSettings,
  isRunning,
  newDirectory,
  spawnEngine,
  startFixture,
} from './fixtures/engine/fixture.ts';

const MAIN = fileURLToPath(new URL('../../local/main.ts', import.meta.url));
let directory: ReturnType<typeof newDirectory>;

beforeEach(() => {
  directory = newDirectory();
});

afterEach(() => directory.remove());

function run(...flags: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...flags], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

test('--help tells every flag', async () => {
  const { code, stdout } = await run('--help');

  expect(code).toBe(0);
  for (const flag of [
    '--port',
    '--sandbox-port',
    '--sandbox-url',
    '--data',
    '--fresh',
    '--assembly',
    '--max-processes',
    '--verbose',
  ]) {
    expect(stdout).toContain(flag);
  }
});

test.each([
  [['--prot', '4566'], "error: unknown option '--prot'"],
  [
    ['--port', 'x'],
    "error: option '--port <port>' argument 'x' is invalid. It must be a whole number from 0 to 65535.",
  ],
  [['extra'], 'error: too many arguments. Expected 0 arguments but got 1.'],
])('wrong usage %j is exit code 2 and says what is wrong', async (flags, sentence) => {
  const { code, stdout, stderr } = await run(...flags);

  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
  expect(stdout).toBe('');
});

test('Ctrl-C during the synthesis says that it was interrupted, and blames nothing', async () => {
  const child = spawn(
    process.execPath,
    [MAIN, '--data', directory.path, '--port', '0', '--sandbox-port', '0'],
    {
      // A group of its own, to which the synthesis belongs, as in a terminal.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let stderr = '';
  const begun = Promise.withResolvers<void>();
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    if (stderr.includes('Synthesizing')) begun.resolve();
  });
  await begun.promise;
  await sleep(500);
  process.kill(-(child.pid as number), 'SIGINT');
  const [code] = await once(child, 'close');

  expect(stderr).toMatch(/^Synthesizing [^\n]*\nInterrupted\.\n$/);
  expect(code).toBe(130);
});

test('a busy port is one sentence that names the port and the flag', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;

  const onPort = await run('--assembly', ASSEMBLY, '--data', directory.path, '--port', String(port));
  const onSandboxPort = await run(
    '--assembly',
    ASSEMBLY,
    '--data',
    directory.path,
    '--port',
    '0',
    '--sandbox-port',
    String(port),
  );
  other.close();

  expect(onPort).toMatchObject({
    code: 1,
    stderr: `Port ${port} on 127.0.0.1 is in use: stop what listens there, or give another one with --port.\n`,
  });
  expect(onSandboxPort).toMatchObject({
    code: 1,
    stderr: `Port ${port} on 127.0.0.1 is in use: stop what listens there, or give another one with --sandbox-port.\n`,
  });
});

test('a second engine on the same data is refused in one sentence', async () => {
  const first = await startFixture({ dataDir: directory.path });

  const second = await run('--assembly', ASSEMBLY, '--data', directory.path, '--port', '0', '--fresh');
  await first.stop();

  expect(second).toMatchObject({
    code: 1,
    stderr: `Another engine (process ${process.pid}) works in ${directory.path}: stop it, or give another directory with --data.\n`,
  });
});

test('--fresh does not empty a directory that is not its own', async () => {
  writeFileSync(join(directory.path, 'thesis.txt'), 'years of work');

  const { code, stderr } = await run(
    '--assembly',
    ASSEMBLY,
    '--data',
    directory.path,
    '--port',
    '0',
    '--fresh',
  );

  expect(code).toBe(1);
  expect(stderr).toContain('is not a data directory of the embedded engine');
});

test('what it is at goes to stderr, without colour where that is no terminal', async () => {
  const engine = await spawnEngine('--port', '0', '--data', directory.path);
  engine.child.kill('SIGTERM');
  await engine.ended();

  expect(engine.errors()).toBe('Starting the engine: 3 functions, 1 state machine, 1 table …\n');
  expect(engine.output()).not.toContain('\u001b');
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends everything and exits with 0', async (signal) => {
  const engine = await spawnEngine('--port', '0', '--data', directory.path);
  const lambda = new LambdaClient(clientSettings(engine.url));
  const answer = await lambda.send(new InvokeCommand({ FunctionName: 'fixture-worker' }));
  const { pid } = JSON.parse(answer.Payload?.transformToString() ?? '');

  engine.child.kill(signal);

  expect(await engine.ended()).toBe(0);
  expect(isRunning(pid)).toBe(false);
  expect(engine.output()).toContain(
    `HTTP API      POST ${engine.url}/_apigateway/fixture%20things/things/{thing}\n`,
  );
  expect(engine.output()).toMatch(
    /Talk to it with the AWS CLI:[\s\S]*AWS_ENDPOINT_URL=http:\/\/127\.0\.0\.1:\d+/,
  );
});
