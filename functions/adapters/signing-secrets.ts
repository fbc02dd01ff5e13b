import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { Clock } from '../ports/clock.ts';
import type { SigningSecrets } from '../ports/secrets.ts';
import { SecretUnavailable } from './secrets.ts';
import { isSigningSecret } from './webhook-signature.ts';

/** How long secrets are kept before they are read again: a new one is valid within a minute, and so is the end of an old one. */
const MAX_AGE_MS = 60_000;

/**
 * The version that holds and the one before it: while a secret is rotated its senders sign with one or the other
 * (https://docs.aws.amazon.com/secretsmanager/latest/userguide/whats-in-a-secret.html#term_version).
 */
const VERSIONS = ['AWSCURRENT', 'AWSPREVIOUS'] as const;

/** One client per process. */
function secretsManager(): SecretsManagerClient {
  return new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 1_000, throwOnRequestTimeout: true },
  });
}

/**
 * Signing secrets from Secrets Manager. Powertools keeps one value per name, whatever the version, so they are kept here; that there
 * is no secret is kept as well, because anybody may post to a name.
 */
export function signingSecrets(
  client: Pick<SecretsManagerClient, 'send'> = secretsManager(),
  clock: Clock = Date.now,
): SigningSecrets {
  const kept = new Map<string, { readonly secrets: readonly string[]; readonly until: number }>();
  return async (secretName) => {
    const known = kept.get(secretName);
    if (known && clock() < known.until) return known.secrets;
    const versions = await Promise.all(VERSIONS.map((stage) => versionOf(secretName, stage, client)));
    const secrets = versions.filter((secret) => secret !== null);
    kept.set(secretName, { secrets, until: clock() + MAX_AGE_MS });
    return secrets;
  };
}

/** @throws SecretUnavailable, also for one that cannot be used */
async function versionOf(
  SecretId: string,
  VersionStage: string,
  client: Pick<SecretsManagerClient, 'send'>,
): Promise<string | null> {
  const { SecretString } = await client
    .send(new GetSecretValueCommand({ SecretId, VersionStage }))
    .catch((error: unknown) => {
      if (error instanceof ResourceNotFoundException) return { SecretString: null };
      throw new SecretUnavailable(SecretId);
    });
  if (SecretString === null) return null;
  const secret = SecretString?.trim() ?? '';
  if (!isSigningSecret(secret)) throw new SecretUnavailable(SecretId);
  return secret;
}
