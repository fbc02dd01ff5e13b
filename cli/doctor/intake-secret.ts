import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { isSigningSecret } from '../../functions/adapters/webhook-signature.ts';
import { intakeSecretName, type RouteSettings } from '../../functions/domain/route.ts';
import type { AwsAccess } from '../aws/access.ts';
import { awsFailure } from './aws-failure.ts';
import { type Check, checksOf } from './check.ts';

const NEW_KEY = '--secret-string "whsec_$(openssl rand -base64 32)"';

/** Looks whether the key is there by which the senders of a route sign what they post. */
export async function checkIntakeSecret(aws: AwsAccess, { name: route }: RouteSettings): Promise<Check> {
  const { ok, failed } = checksOf(route);
  const check = 'intake-secret';
  const name = intakeSecretName(aws.settings.stage, route);
  try {
    const { SecretString } = await aws.secrets.send(new GetSecretValueCommand({ SecretId: name }));
    if (isSigningSecret(SecretString?.trim() ?? '')) return ok(check, name);
    const put = `aws secretsmanager put-secret-value --secret-id ${name} ${NEW_KEY}`;
    return failed(check, `${name} is no key of Standard Webhooks.`, `put one into it: ${put}`);
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') {
      const create = `aws secretsmanager create-secret --name ${name} ${NEW_KEY}`;
      return failed(
        check,
        `${name} does not exist, so nobody can hand leads in over HTTP.`,
        `create it, and give it to the sender: ${create}`,
      );
    }
    const { problem, fix, answered } = awsFailure(error, aws.settings);
    const allow = 'allow secretsmanager:GetSecretValue on it.';
    return failed(check, `${name}: ${problem}`, answered ? allow : (fix ?? allow));
  }
}
