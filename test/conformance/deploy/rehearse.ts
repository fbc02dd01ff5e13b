import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startSandboxServer } from '../../../functions/sandbox/server.ts';
import { type Account, account } from './account.ts';
import { cdk, ownEnvironment } from './cdk.ts';
import { endpointLimits } from './endpoint-limits.ts';
import { handOff, type Place, sweepByHand, tellByHand } from './hand-off.ts';
import { notRehearsed } from './not-rehearsed.ts';
import { endAll } from './processes.ts';
import type { Template } from './reduced-template.ts';
import { NotHere, startSecondEndpoint } from './second-endpoint.ts';
import { STORIES } from './stories.ts';
import { Unexpected } from './unexpected.ts';

const HELP = `node test/conformance/deploy/rehearse.ts [--endpoint-folder DIR]

Rehearses a deployment of stage test, with no account: starts a second AWS-compatible endpoint (moto) and a sandbox destination
on 127.0.0.1, synthesizes, takes out of the template what that endpoint cannot create or act on, bootstraps, deploys, creates the
secrets, hands leads off by the start function and by the queue, decides about one through the recovery state machine, counts the
effects at the destination, destroys, and says what was not rehearsed. Exits 1 when anything is not as it must be.

  --endpoint-folder DIR   where the endpoint's moto_node.py is (../shared/aws-endpoint)
  --help                  print this
`;

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const STACK = 'lead-handoff-test';
const ROUTE = 'website';

type CleanUp = () => unknown;

async function rehearse(endpointFolder: string, cleanUps: CleanUp[]): Promise<void> {
  const workDir = mkdtempSync(join(tmpdir(), 'lead-handoff-rehearsal-'));
  cleanUps.push(() => rmSync(workDir, { recursive: true, force: true, maxRetries: 5 }));
  const env = ownEnvironment(ROOT, workDir);

  const endpoint = await timed('second endpoint started', async () => {
    const started = await startSecondEndpoint({ source: endpointFolder, root: ROOT, workDir, env });
    cleanUps.push(() => started.stop());
    return [started, `${started.name}, node ${process.versions.node}`];
  });
  const bearer = randomUUID();
  const sandbox = await startSandboxServer({ port: 0, bearer });
  cleanUps.push(() => sandbox.close());
  const app = cdk({ root: ROOT, workDir, endpointUrl: endpoint.url, stackName: STACK, env });
  const operator = account(endpoint.url);
  const place: Place = { operator, sandboxUrl: sandbox.url, stackName: STACK, route: ROUTE };

  const whole = await timed('synthesized', async () => {
    const template = await app.synthesize('stage=test', `sandboxUrl=${sandbox.url}`);
    return [template, `cdk ${await app.version()}, ${sizeOf(template)} resources`];
  });
  const { deployed, takenOut } = app.takeOut(endpointLimits(endpoint.creatable));
  await timed('bootstrapped', async () => [await app.bootstrap(), 'the assembly’s account and region']);
  await timed('secrets created', async () => [await createSecrets(operator, bearer), '4 of the route']);
  await timed('deployed', async () => {
    await app.deploy();
    await everyResource(operator, deployed);
    const left = sizeOf(whole) - sizeOf(deployed);
    return [undefined, `all ${sizeOf(deployed)} resources that were not taken out (${left} were)`];
  });
  for (const story of STORIES) {
    await timed(`handed off ${story.title}`, async () => [undefined, await handOff(story, place)]);
  }
  await timed('told by hand', async () => [undefined, await tellByHand(place)]);
  await timed('swept by hand', async () => [undefined, await sweepByHand(place)]);
  await timed('destroyed', async () => {
    await app.destroy();
    const left = await operator.tables();
    if (left.length > 0)
      throw new Unexpected(`After the destroy there are still tables: ${left.join(', ')}.`);
    return [undefined, 'no table is left'];
  });
  say('Not rehearsed:');
  const passedOver = endpoint.passedOver();
  for (const line of notRehearsed({ takenOut, deployed, passedOver })) say(`  ${line}`);
}

async function createSecrets(operator: Account, bearer: string): Promise<void> {
  for (const destination of ['hubspot', 'resend']) {
    for (const use of ['read', 'write']) {
      await operator.createSecret(`test/${ROUTE}/${destination}/${use}`, `${bearer}.${use}`);
    }
  }
}

/** Every resource of the template stands in the stack; a type that the endpoint skipped would show here. */
async function everyResource(operator: Account, { Resources }: Template): Promise<void> {
  const made = new Set(await operator.resourcesOf(STACK));
  const missing = Object.entries(Resources).filter(([logicalId]) => !made.has(logicalId));
  if (missing.length === 0) return;
  const named = missing.map(([logicalId, { Type }]) => `${logicalId} (${Type})`).join(', ');
  throw new Unexpected(`The endpoint did not create ${named}.`);
}

function sizeOf({ Resources }: Template): number {
  return Object.keys(Resources).length;
}

/** The step's result, and a line that says how long it took and what was seen. */
async function timed<T>(step: string, take: () => Promise<[T, string]>): Promise<T> {
  const startedAt = performance.now();
  const [result, seen] = await take();
  say(`✓ ${step} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${seen}`);
  return result;
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
