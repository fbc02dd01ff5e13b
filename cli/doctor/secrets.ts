import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { HUBSPOT } from '../../functions/adapters/hubspot/contract.ts';
import { RESEND } from '../../functions/adapters/resend/contract.ts';
import { type RouteSettings, secretName } from '../../functions/domain/route.ts';
import type { AwsAccess } from '../aws/access.ts';
import { awsFailure } from './aws-failure.ts';
import { type Check, checksOf } from './check.ts';

/** Which of a route's four credentials. */
export type CredentialUse = 'hubspot read' | 'hubspot write' | 'resend read' | 'resend write';

/** A credential that is there: its secret's name, and its value, which is never shown. */
export interface Credential {
  readonly secretName: string;
  readonly token: string;
}

export interface Credentials {
  readonly checks: readonly Check[];
  readonly found: ReadonlyMap<CredentialUse, Credential>;
}

/** Reads the four secrets of a route. */
export async function checkSecrets(aws: AwsAccess, route: RouteSettings): Promise<Credentials> {
  const checks: Check[] = [];
  const found = new Map<CredentialUse, Credential>();
  for (const destination of [HUBSPOT, RESEND]) {
    for (const use of ['read', 'write'] as const) {
      const name = secretName(aws.settings.stage, route.name, destination, use);
      const { check, token } = await checkSecret(aws, route.name, name);
      checks.push(check);
      if (token !== undefined) {
        found.set(`${destination} ${use}` as CredentialUse, { secretName: name, token });
      }
    }
  }
  return { checks, found };
}

async function checkSecret(
  aws: AwsAccess,
  route: string,
  name: string,
): Promise<{ check: Check; token?: string }> {
  const { ok, failed } = checksOf(route);
  const put = `aws secretsmanager put-secret-value --secret-id ${name} --secret-string file://token.txt`;
  try {
    const answer = await aws.secrets.send(new GetSecretValueCommand({ SecretId: name }));
    const token = answer.SecretString?.trim() ?? '';
    if (token !== '') return { check: ok('secret', name), token };
    return { check: failed('secret', `${name} is empty.`, `put the token into it as plain text: ${put}`) };
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') {
      const create = `aws secretsmanager create-secret --name ${name} --secret-string file://token.txt`;
      return {
        check: failed(
          'secret',
          `${name} does not exist.`,
          `create it with the token as plain text: ${create}`,
        ),
      };
    }
    const { problem, fix, answered } = awsFailure(error, aws.settings);
    const allow = 'allow secretsmanager:GetSecretValue on it.';
    return { check: failed('secret', `${name}: ${problem}`, answered ? allow : (fix ?? allow)) };
  }
}
