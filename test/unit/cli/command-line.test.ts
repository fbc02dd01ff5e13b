import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runHandoff } from './run-handoff.ts';

const NOWHERE = ['--endpoint', 'http://127.0.0.1:1'];

it.each([
  [[], 'Usage: handoff'],
  [['sbumit'], "error: unknown command 'sbumit'"],
  [['submit', ...NOWHERE], "error: missing required argument 'file'"],
  [['show', 'a', 'b', ...NOWHERE], 'error: too many arguments'],
  [['waiting', '--jsno', ...NOWHERE], "error: unknown option '--jsno'"],
  [['waiting', '--stage', 'production', ...NOWHERE], 'Allowed choices are local, test, prod.'],
  [['waiting'], '--endpoint http://127.0.0.1:4566'],
  [['waiting', '--stage', 'local'], '--endpoint http://127.0.0.1:4566'],
  [['waiting', '--endpoint', 'localhost:4566'], 'must be an http or https address'],
  [['waiting', '--route', 'webside', ...NOWHERE], 'There is no such route: expected one of website.'],
  [['doctor', 'webside', ...NOWHERE], 'There is no such route: expected one of website.'],
  [['submit', 'leads.ndjson', '--route', 'webside', ...NOWHERE], 'expected one of website.'],
  [['submit', 'leads.xlsx', ...NOWHERE], '.json, .ndjson, .jsonl or .csv'],
  [['show', 'no/such', ...NOWHERE], '1 to 64 of the characters'],
])('%j is wrong usage', async (args, sentence) => {
  const { exitCode, stdout, stderr } = await runHandoff(args);

  expect(stderr).toContain(sentence);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stdout).toBe('');
  expect(exitCode).toBe(2);
});

it.each([
  'submit',
  'show',
  'investigate',
  'waiting',
  'decide',
  'resubmit',
  'routes',
  'brief',
  'doctor',
  'setup',
])('%s --help has an example', async (command) => {
  const { exitCode, stdout } = await runHandoff([command, '--help']);

  expect(stdout).toContain(`Example: handoff ${command}`);
  expect(stdout).toContain('--endpoint <url>');
  expect(exitCode).toBe(0);
});

it('doctor fails one check and skips the others where nothing answers', async () => {
  const { exitCode, stdout, stderr } = await runHandoff(['doctor', '--json', ...NOWHERE]);

  const { stage, passed, checks } = JSON.parse(stdout);
  expect(stage).toBe('local');
  expect(passed).toBe(false);
  expect(checks.map((one: { check: string; state: string }) => [one.check, one.state])).toEqual([
    ['aws', 'failed'],
    ['start-function', 'skipped'],
    ['state-machine', 'skipped'],
    ['ledger', 'skipped'],
    ['leads-queue', 'skipped'],
    ['dead-letter-queue', 'skipped'],
    ['destinations', 'skipped'],
    ['route', 'skipped'],
  ]);
  expect(stderr).toBe('1 of 8 checks failed, 7 were skipped.\n');
  expect(exitCode).toBe(1);
});

it.each(['--version', '-V'])('%s is the version of the package', async (flag) => {
  const { exitCode, stdout, stderr } = await runHandoff([flag]);

  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toBe(stdout.trim());
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
});

it('takes the endpoint and the stage from the environment', async () => {
  const local = await runHandoff(['waiting'], { environment: { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' } });
  expect(local.stderr).toContain('Nothing answers at http://127.0.0.1:1');

  const noRegion = await runHandoff(['waiting'], { environment: { HANDOFF_STAGE: 'test' } });
  expect(noRegion.stderr).toBe('There is no AWS region: set AWS_REGION.\n');
  expect(noRegion.exitCode).toBe(1);
});
