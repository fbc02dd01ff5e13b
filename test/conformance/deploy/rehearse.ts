import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { startSandboxServer } from '../../../functions/sandbox/server.ts';
import { type Account, account, CREDENTIALS } from './account.ts';
import { endAll, run } from './processes.ts';
import { ACCOUNT, NotHere, REGION, type SecondEndpoint, startSecondEndpoint } from './second-endpoint.ts';
import { effectsAt, planFault, STORIES, type Story } from './stories.ts';

const HELP = `node test/conformance/deploy/rehearse.ts [--endpoint-folder DIR]

Rehearses a deployment of stage test, with no account: starts a second AWS-compatible endpoint (moto) and a sandbox destination
on 127.0.0.1, bootstraps, deploys, creates the secrets, hands two leads off, counts the effects at the destination, destroys.
Exits 1 when anything is not as it must be.

  --endpoint-folder DIR   where the endpoint's moto_node.py is (../shared/aws-endpoint)
  --help                  print this
`;

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const STACK = 'lead-handoff-test';
const ROUTE = 'website';
const CDK_WITHIN_MS = 180_000;
const HANDOFF_WITHIN_MS = 90_000;

/** What this endpoint does not do whatever the stack says, so that the rehearsal says nothing about it. */
const NOT_REHEARSED = [
  'IAM, KMS and resource policies are stored and not enforced: permissions are held by test/stack.',
  'Traces and log delivery go nowhere.',
  'The function URL of the deployed sandbox: a local sandbox was named instead (-c sandboxUrl=).',
  'Updates of a deployed stack, and redrive of an execution.',
  'Warm starts: every invocation is a new process, on x86-64 or whatever this machine is.',
];

/** Something is not as it must be; the rehearsal goes on to destroy what it deployed. */
class Unexpected extends Error {
  override readonly name = 'Unexpected';
}

type CleanUp = () => unknown;

async function rehearse(endpointFolder: string, cleanUps: CleanUp[]): Promise<void> {
  const workDir = mkdtempSync(join(tmpdir(), 'lead-handoff-rehearsal-'));
  cleanUps.push(() => rmSync(workDir, { recursive: true, force: true, maxRetries: 5 }));
  const plainEnv = ownEnvironment(workDir);

  const endpoint = await timed('second endpoint started', async () => {
    const started = await startSecondEndpoint({ source: endpointFolder, root: ROOT, workDir, env: plainEnv });
    cleanUps.push(() => started.stop());
    return [started, `${started.name}, node ${process.versions.node}`];
  });
  const bearer = randomUUID();
  const sandbox = await startSandboxServer({ port: 0, bearer });
  cleanUps.push(() => sandbox.close());

  const outDir = join(workDir, 'cdk.out');
  const env = { ...plainEnv, AWS_ENDPOINT_URL: endpoint.url, AWS_ENDPOINT_URL_S3: endpoint.url };
  const cdk = (what: string, ...args: string[]) =>
    run(
      `cdk ${what}`,
      { command: 'cdk', args: [what, ...args, '--output', outDir], cwd: ROOT, env },
      CDK_WITHIN_MS,
    );
  const app = ['-c', 'stage=test', '-c', `sandboxUrl=${sandbox.url}`];
  const operator = account(endpoint.url);

  await timed('bootstrapped', async () => [
    await cdk('bootstrap', `aws://${ACCOUNT}/${REGION}`),
    `cdk ${(await run('cdk', { command: 'cdk', args: ['--version'], cwd: ROOT, env }, CDK_WITHIN_MS)).trim()}`,
  ]);
  await timed('secrets created', async () => [await createSecrets(operator, bearer), '4 of the route']);
  await timed('deployed', async () => {
    await cdk('deploy', ...app, '--require-approval', 'never');
    return [undefined, await everyResource(operator, outDir)];
  });
  for (const story of STORIES) await handOff(story, operator, sandbox.url);
  await timed('destroyed', async () => {
    await cdk('destroy', ...app, '--force');
    const left = await operator.tables();
    if (left.length > 0)
      throw new Unexpected(`After the destroy there are still tables: ${left.join(', ')}.`);
    return [undefined, 'no table is left'];
  });
  sayWhatWasNot(endpoint);
}

async function createSecrets(operator: Account, bearer: string): Promise<void> {
  for (const destination of ['hubspot', 'resend']) {
    for (const use of ['read', 'write']) {
      await operator.createSecret(`test/${ROUTE}/${destination}/${use}`, `${bearer}.${use}`);
    }
  }
}

/** Every resource of the template stands in the stack; a type that the endpoint skipped would show here. */
async function everyResource(operator: Account, outDir: string): Promise<string> {
  const template = JSON.parse(readFileSync(join(outDir, `${STACK}.template.json`), 'utf8')) as {
    Resources: Record<string, { Type: string }>;
  };
  const made = new Set(await operator.resourcesOf(STACK));
  const wanted = Object.entries(template.Resources).filter(([, { Type }]) => Type !== 'AWS::CDK::Metadata');
  const missing = wanted.filter(([logicalId]) => !made.has(logicalId));
  if (missing.length > 0) {
    const named = missing.map(([logicalId, { Type }]) => `${logicalId} (${Type})`).join(', ');
    throw new Unexpected(`The endpoint did not create ${named}.`);
  }
  return `all ${wanted.length} resources of the template`;
}

async function handOff(story: Story, operator: Account, sandboxUrl: string): Promise<void> {
  const { title, lead } = story;
  await timed(`handed off ${title}`, async () => {
    await planFault(sandboxUrl, story);
    const event = { route: ROUTE, lead: { ...lead, firstName: 'Rehearsal', company: 'Rehearsal' } };
    const accepted = (await operator.invoke(`${STACK}-start`, event)) as { execution: string };
    const { status, states } = await operator.untilEnded(STACK, accepted.execution, HANDOFF_WITHIN_MS);
    expectEqual(`the status of ${accepted.execution}`, status, 'SUCCEEDED');
    expectEqual(`the states of ${accepted.execution}`, [...states].sort(), [...story.states].sort());
    expectEqual(`the effects of ${title}`, await effectsAt(sandboxUrl, lead.email), story.effects);
    return [undefined, `SUCCEEDED, ${states.length} states, one of each at the destination`];
  });
}

function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Unexpected(`${what}: expected ${JSON.stringify(expected)}, but found ${JSON.stringify(actual)}.`);
}

function sayWhatWasNot(endpoint: SecondEndpoint): void {
  const passedOver = endpoint.passedOver().map((type) => `${type}: passed over by this endpoint.`);
  say('Not rehearsed, because this endpoint cannot:');
  for (const line of [...NOT_REHEARSED, ...passedOver]) say(`  ${line}`);
}

/** The step's result, and a line that says how long it took and what was seen. */
async function timed<T>(step: string, take: () => Promise<[T, string]>): Promise<T> {
  const startedAt = performance.now();
  const [result, seen] = await take();
  say(`✓ ${step} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${seen}`);
  return result;
}

/** This process's environment without any AWS account in it. */
function ownEnvironment(workDir: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(AWS|CDK)_/.test(name));
  return {
    ...Object.fromEntries(kept),
    PATH: [join(ROOT, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter),
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_CONFIG_FILE: join(workDir, 'no-aws-config'),
    AWS_SHARED_CREDENTIALS_FILE: join(workDir, 'no-aws-credentials'),
    AWS_EC2_METADATA_DISABLED: 'true',
    CDK_DEFAULT_ACCOUNT: ACCOUNT,
    CDK_DEFAULT_REGION: REGION,
    CDK_DISABLE_VERSION_CHECK: '1',
    CDK_HOME: join(workDir, 'cdk-home'),
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function cleanUp(cleanUps: CleanUp[]): Promise<void> {
  cleanUps.push(endAll);
  for (let next = cleanUps.pop(); next; next = cleanUps.pop()) {
    try {
      await next();
    } catch (error) {
      process.stderr.write(`The rehearsal did not clean up: ${String(error)}\n`);
    }
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { help: { type: 'boolean' }, 'endpoint-folder': { type: 'string' } },
  });
  if (values.help) {
    say(HELP);
    return 0;
  }
  const cleanUps: CleanUp[] = [];
  const stopEarly = () => void cleanUp(cleanUps).finally(() => process.exit(1));
  process.once('SIGINT', stopEarly).once('SIGTERM', stopEarly);
  try {
    await rehearse(values['endpoint-folder'] ?? join(ROOT, '..', 'shared', 'aws-endpoint'), cleanUps);
    return 0;
  } catch (error) {
    const known = error instanceof Unexpected || error instanceof NotHere;
    process.stderr.write(`✗ ${known ? error.message : String(error)}\n`);
    return 1;
  } finally {
    await cleanUp(cleanUps);
    process.off('SIGINT', stopEarly).off('SIGTERM', stopEarly);
  }
}

process.exitCode = await main();
