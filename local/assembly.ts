import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** `bin/app.ts` ended with an error; its own words are in the message. */
export class SynthesisFailed extends Error {
  override readonly name = 'SynthesisFailed';
}

/** The directory is not a cloud assembly, or a part of it is missing. */
export class NotAnAssembly extends Error {
  override readonly name = 'NotAnAssembly';
}

export interface Template {
  Resources?: Record<string, TemplateResource>;
  Parameters?: Record<string, { Type: string; Default?: unknown }>;
  Conditions?: Record<string, unknown>;
  Mappings?: Record<string, Record<string, Record<string, unknown>>>;
  Outputs?: Record<string, { Value: unknown; Export?: { Name: unknown } }>;
}

export interface TemplateResource {
  Type: string;
  Properties?: Record<string, unknown>;
  Condition?: string;
}

export interface AssembledStack {
  readonly name: string;
  readonly template: Template;
  /** Directory or file of each asset, by the object key it would have in S3. */
  readonly assets: ReadonlyMap<string, string>;
}

interface Manifest {
  artifacts?: Record<string, { type: string; properties?: Record<string, string> }>;
}

interface AssetManifest {
  files?: Record<string, { source: { path?: string }; destinations: Record<string, { objectKey: string }> }>;
}

/**
 * Reads the stacks of a cloud assembly, those of nested stages included.
 *
 * @see https://docs.aws.amazon.com/cdk/v2/guide/deploy.html (cloud assembly)
 * @throws NotAnAssembly
 */
export function readAssembly(directory: string): AssembledStack[] {
  const manifest = readJson<Manifest>(join(directory, 'manifest.json'));
  const artifacts = Object.entries(manifest.artifacts ?? {});
  const assets = new Map<string, string>();
  for (const [, artifact] of artifacts) {
    if (artifact.type !== 'cdk:asset-manifest' || !artifact.properties?.file) continue;
    for (const [key, path] of readAssets(directory, artifact.properties.file)) assets.set(key, path);
  }
  return artifacts.flatMap(([id, { type, properties = {} }]) => {
    if (type === 'cdk:cloud-assembly' && properties.directoryName) {
      return readAssembly(join(directory, properties.directoryName));
    }
    if (type !== 'aws:cloudformation:stack' || !properties.templateFile) return [];
    const template = readJson<Template>(join(directory, properties.templateFile));
    return [{ name: properties.stackName ?? id, template, assets }];
  });
}

function readAssets(directory: string, file: string): [string, string][] {
  const manifest = readJson<AssetManifest>(join(directory, file));
  return Object.values(manifest.files ?? {}).flatMap(({ source, destinations }) =>
    Object.values(destinations).flatMap(({ objectKey }): [string, string][] =>
      source.path ? [[objectKey, resolve(directory, source.path)]] : [],
    ),
  );
}

function readJson<T>(path: string): T {
  if (!existsSync(path))
    throw new NotAnAssembly(`There is no ${path}: this is not a complete cloud assembly.`);
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

/**
 * Runs the CDK app and leaves its cloud assembly in `outDir`, in place of what was there.
 *
 * @throws SynthesisFailed with what the app wrote to stderr
 */
export async function synthesize(
  app: string,
  outDir: string,
  context: Record<string, string>,
): Promise<void> {
  rmSync(outDir, { recursive: true, force: true });
  const child = spawn(process.execPath, [app], {
    env: {
      ...process.env,
      CDK_OUTDIR: outDir,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      // CloudFormation never sees this template, so its lint is left out: a quarter of the time. cdk-nag still runs.
      CDK_VALIDATION: 'false',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const code = await new Promise<number | null>((done, failed) => {
    child.once('error', failed);
    child.once('close', done);
  });
  if (code !== 0) throw new SynthesisFailed(`The app did not synthesize for stage local:\n${stderr.trim()}`);
}
