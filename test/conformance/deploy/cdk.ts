import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CREDENTIALS } from './account.ts';
import { run } from './processes.ts';
import { reducedTemplate, type TakenOut, type Template, type Unfit } from './reduced-template.ts';
import { ACCOUNT, REGION } from './second-endpoint.ts';

const WITHIN_MS = 180_000;

export interface CdkOptions {
  /** The project. */
  readonly root: string;
  /** A directory to work in; the cloud assembly is put there. */
  readonly workDir: string;
  readonly endpointUrl: string;
  readonly stackName: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The `cdk` command at one endpoint, with one cloud assembly that is synthesized once. */
export interface Cdk {
  version(): Promise<string>;
  synthesize(...context: string[]): Promise<Template>;
  /** Writes a template without what does not fit in the place of the synthesized one. */
  takeOut(unfit: Unfit): { readonly deployed: Template; readonly takenOut: readonly TakenOut[] };
  bootstrap(): Promise<void>;
  deploy(): Promise<void>;
  destroy(): Promise<void>;
}

/** Every command throws ProgramFailed. */
export function cdk({ root, workDir, endpointUrl, stackName, env }: CdkOptions): Cdk {
  const assembly = join(workDir, 'cdk.out');
  const templateFile = join(assembly, `${stackName}.template.json`);
  const atEndpoint = { ...env, AWS_ENDPOINT_URL: endpointUrl, AWS_ENDPOINT_URL_S3: endpointUrl };
  const cdk = (...args: string[]) =>
    run(`cdk ${args[0]}`, { command: 'cdk', args, cwd: root, env: atEndpoint }, WITHIN_MS);
  const template = () => JSON.parse(readFileSync(templateFile, 'utf8')) as Template;
  const ofAssembly = ['--app', assembly];

  return {
    version: async () => (await cdk('--version')).trim(),
    async synthesize(...context) {
      await cdk('synth', '--quiet', ...context.flatMap((one) => ['-c', one]), '--output', assembly);
      return template();
    },
    takeOut(unfit) {
      const { template: deployed, takenOut } = reducedTemplate(template(), unfit);
      writeFileSync(templateFile, JSON.stringify(deployed, null, 1));
      return { deployed, takenOut };
    },
    async bootstrap() {
      await cdk('bootstrap', `aws://${ACCOUNT}/${REGION}`, ...ofAssembly);
    },
    async deploy() {
      await cdk('deploy', ...ofAssembly, '--require-approval', 'never');
    },
    async destroy() {
      await cdk('destroy', ...ofAssembly, '--force');
    },
  };
}

/** This process's environment without any AWS account in it. */
export function ownEnvironment(root: string, workDir: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(AWS|CDK)_/.test(name));
  return {
    ...Object.fromEntries(kept),
    PATH: [join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter),
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
