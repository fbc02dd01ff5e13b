import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

/** The AWS CLI as a person has it, told nothing but where the local endpoint is. */

export const hasAwsCli = spawnSync('aws', ['--version']).status === 0;

export type AwsCli = (...args: string[]) => Promise<Record<string, unknown>>;

/** Runs `aws`; the answer is its output as data. Throws with its stderr where it fails. */
export function awsCli(endpoint: string): AwsCli {
  return async (...args) => {
    const { stdout } = await promisify(execFile)('aws', [...args, '--output', 'json'], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        AWS_ENDPOINT_URL: endpoint,
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        AWS_DEFAULT_REGION: 'us-east-1',
        AWS_PAGER: '',
      },
    });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
}
