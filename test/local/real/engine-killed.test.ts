import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handoffStatus } from '../../../functions/domain/handoff.ts';
import { SANDBOX_BEARER, startSandbox } from '../../../local/sandbox.ts';
import { type AssemblyCopy, assemblyWith } from './assembly-copy.ts';
import { Destination, functionNames, leadOf, ledgerAt, ONE_OF_EACH, ROUTE, settled, until } from './stack.ts';

const MAIN = fileURLToPath(new URL('../../../local/main.ts', import.meta.url));

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let destination: Destination;
let data: string;
let assembly: AssemblyCopy;
const started: ChildProcess[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, bearer: SANDBOX_BEARER });
  destination = new Destination(sandbox.url);
  data = mkdtempSync(join(tmpdir(), 'lead-handoff-'));
  assembly = await assemblyWith(sandbox.url);
}, 120_000);

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await sandbox.close();
  rmSync(data, { recursive: true, force: true });
  assembly.remove();
});

/** `npm run local` on the test's data and sandbox; resolves with its endpoint. */
async function startEngineProcess(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [
    ...[MAIN, '--port', '0', '--sandbox-url', sandbox.url],
    ...['--data', data, '--assembly', assembly.directory],
  ]);
  started.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await until('the engine is ready', () => {
    if (child.exitCode !== null) throw new Error(output);
    return output.includes('Ready.');
  });
  return { child, url: /AWS endpoint\s+(\S+)/.exec(output)?.[1] ?? '' };
}

async function submitAt(url: string, lead: object): Promise<string> {
  const client = new LambdaClient({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const { Payload } = await client.send(
    new InvokeCommand({ FunctionName: functionNames.start, Payload: JSON.stringify({ route: ROUTE, lead }) }),
  );
  client.destroy();
  return Buffer.from(Payload ?? []).toString();
}

test.each([
  ['create-contact', 'engine-dies-contact'],
  ['set-owner', 'engine-dies-owner'],
  ['send-email', 'engine-dies-email'],
])(
  'the engine is killed while %s is under way, restarted on its data, and the lead comes again: one of each',
  async (operation, leadRequestId) => {
    const lead = leadOf(leadRequestId);
    await destination.plan({ operation, kind: 'delay', delayMs: 800 });
    const before = (await destination.inspect()).requests.filter(({ fault }) => fault).length;
    const first = await startEngineProcess();
    expect(await submitAt(first.url, lead)).toContain('"status":"accepted"');
    await until(`${operation} is under way`, async () => {
      const { requests } = await destination.inspect();
      return requests.filter(({ fault }) => fault).length > before;
    });
    const exited = new Promise((resolve) => first.child.once('exit', resolve));
    first.child.kill('SIGKILL');
    await exited;

    const second = await startEngineProcess();
    const answer = await submitAt(second.url, lead);
    expect(answer).toMatch(/"status":"(repeated|closed)"/);
    const record = await settled(ledgerAt(second.url), leadRequestId);
    expect(handoffStatus(record)).toBe('closed');
    expect(await destination.effects(lead.email)).toEqual(ONE_OF_EACH);

    const stopped = new Promise((resolve) => second.child.once('exit', resolve));
    second.child.kill('SIGTERM');
    expect(await stopped).toBe(0);
  },
  120_000,
);

test('nothing is left running after the engine was killed and stopped', async () => {
  await until('every function process has ended', () => {
    const commands = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => {
        try {
          return readFileSync(`/proc/${pid}/environ`, 'utf8') + readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        } catch {
          return '';
        }
      });
    return !commands.some((text) => text.includes('lambda-bootstrap') && text.includes(assembly.directory));
  });
});
