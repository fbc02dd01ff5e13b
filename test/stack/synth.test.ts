import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const outdir = mkdtempSync(join(tmpdir(), 'handoff-synth-'));
const compiled = mkdtempSync(join(tmpdir(), 'handoff-compiled-'));
afterAll(() => {
  for (const directory of [outdir, compiled]) rmSync(directory, { recursive: true });
});

/** Runs the app as `cdk` and the embedded engine do. */
function runApp(context: Record<string, unknown>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/app.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: {
      // No account, no region, no container: whatever the app needs is in the project.
      PATH: '',
      CDK_DOCKER: '/nonexistent',
      CDK_OUTDIR: outdir,
      // What Node compiled of the app at its first run, the others need not.
      NODE_COMPILE_CACHE: compiled,
      CDK_CONTEXT_JSON: JSON.stringify(context),
    },
  });
  return { status, said: (stdout + stderr).trim() };
}

/** CDK's own switch for apps whose code is not wanted; the bundles of all stages are the same. */
const WITHOUT_CODE = { 'aws:cdk:bundling-stacks': [] };

test.each([
  ['local', {}],
  ['test', WITHOUT_CODE],
  ['prod', WITHOUT_CODE],
])('stage %s passes its rules and says nothing', { timeout: 60_000 }, (stage, context) => {
  expect(runApp({ stage, ...context })).toEqual({ status: 0, said: '' });
  expect(existsSync(join(outdir, `lead-handoff-${stage}.template.json`))).toBe(true);
});

test('without a stage it is stage test, so that production is only meant when it is said', () => {
  expect(cdkJson.context.stage).toBe('test');
});

test('every function is a bundle with the routes beside it', () => {
  const manifest = JSON.parse(readFileSync(join(outdir, 'lead-handoff-local.assets.json'), 'utf8'));
  const packages = Object.values<{ source: { path: string; packaging: string } }>(manifest.files).filter(
    ({ source }) => source.packaging === 'zip',
  );
  expect(packages.length).toBeGreaterThan(0);
  for (const { source } of packages) {
    expect(existsSync(join(outdir, source.path, 'index.mjs'))).toBe(true);
    const routesFile = JSON.parse(readFileSync(join(outdir, source.path, 'routes.json'), 'utf8'));
    expect(routesFile).toMatchObject({
      stage: 'local',
      numbers: { functionTimeoutSeconds: 3 },
      routes: [{ name: 'website' }],
    });
  }
});

test.each([
  [{ stage: 'production' }, 'There is no stage "production": say -c stage= with one of local, test, prod.'],
  [{ stage: 'prod', sandboxUrl: 'http://x' }, 'Production has no sandbox: leave -c sandboxUrl= out.'],
  [{ stage: 'test', sandboxUrl: 'x' }, '-c sandboxUrl= needs an http or https address, but got "x".'],
])('%o is refused in one sentence', (context, sentence) => {
  expect(runApp(context)).toEqual({ status: 1, said: sentence });
});
