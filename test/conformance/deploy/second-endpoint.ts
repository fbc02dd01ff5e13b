import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { end, hasEnded, ProgramFailed, run, start } from './processes.ts';

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';

/** The rehearsal cannot begin on this machine; the message says what is missing. */
export class NotHere extends Error {
  override readonly name = 'NotHere';
}

/** An AWS-compatible endpoint that this project did not write, on 127.0.0.1. */
export interface SecondEndpoint {
  readonly url: string;
  /** What answers there, with its version. */
  readonly name: string;
  /** The types of resources that its CloudFormation creates, as its own code lists them. */
  readonly creatable: ReadonlySet<string>;
  /** Those that it was given all the same and passed over, as it said so itself. */
  passedOver(): string[];
  stop(): Promise<void>;
}

export interface SecondEndpointOptions {
  /** The folder with `moto_node.py`; it is only read. */
  readonly source: string;
  /** The project, whose `jsonata` the endpoint evaluates with. */
  readonly root: string;
  /** An empty directory to work in. */
  readonly workDir: string;
  readonly env: NodeJS.ProcessEnv;
}

const STARTS_WITHIN_MS = 60_000;

/**
 * Copies the endpoint, gives it the project's own jsonata (the version that AWS documents) and starts it.
 *
 * @throws NotHere without the folder, Python or moto; ProgramFailed when it does not start
 */
export async function startSecondEndpoint(options: SecondEndpointOptions): Promise<SecondEndpoint> {
  const { source, root, workDir, env } = options;
  if (!existsSync(join(source, 'moto_node.py'))) {
    throw new NotHere(`There is no second AWS endpoint at ${source}: the deploy cannot be rehearsed.`);
  }
  const { name, creatable } = await whatMotoIs(workDir, env);
  const home = join(workDir, 'endpoint');
  cpSync(source, home, { recursive: true });
  const modules = join(home, 'jsn', 'node_modules');
  mkdirSync(modules, { recursive: true });
  cpSync(join(root, 'node_modules', 'jsonata'), join(modules, 'jsonata'), { recursive: true });

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = start({
    command: 'python3',
    args: ['moto_node.py', String(port)],
    cwd: home,
    env: { ...env, MOTO_ACCOUNT_ID: ACCOUNT, DOCKER_HOST: 'unix:///nonexistent', TMPDIR: workDir },
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const giveUpAt = Date.now() + STARTS_WITHIN_MS;
  while (!(await answers(url))) {
    const failure = hasEnded(server) ? 'ended' : Date.now() > giveUpAt ? 'did not answer in time' : null;
    if (failure !== null) {
      await end(server);
      throw new ProgramFailed('The second endpoint', failure, output);
    }
    await sleep(100);
  }
  return {
    url,
    name,
    creatable,
    passedOver: () => {
      const said = [...output.matchAll(/No Moto CloudFormation support for (\S+)/g)];
      return [...new Set(said.map(([, type = '']) => type))];
    },
    stop: () => end(server),
  };
}

/** Its CloudFormation has no call that lists the types it knows. */
const WHAT_MOTO_IS = `
import json, moto
from moto.cloudformation.parsing import get_model_map
print(json.dumps({"name": "moto " + moto.__version__, "creatable": sorted(get_model_map())}))
`;

async function whatMotoIs(
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Pick<SecondEndpoint, 'name' | 'creatable'>> {
  const args = ['-W', 'ignore', '-c', WHAT_MOTO_IS];
  try {
    const told = await run('python3', { command: 'python3', args, cwd, env }, STARTS_WITHIN_MS);
    const { name, creatable } = JSON.parse(told) as { name: string; creatable: string[] };
    return { name, creatable: new Set(creatable) };
  } catch {
    throw new NotHere("The second AWS endpoint needs Python with moto: pip install 'moto[server]==5.2.1'.");
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new NotHere('No port is free on 127.0.0.1.');
  return address.port;
}
