import { getSecret } from '@aws-lambda-powertools/parameters/secrets';

/** Seconds that a credential is kept before it is read again: a rotated one is picked up within a minute. */
const MAX_AGE_SECONDS = 60;

/** A destination's credential could not be read, or is empty. The message names the secret, never its value. */
export class SecretUnavailable extends Error {
  override readonly name = 'SecretUnavailable';
  readonly secretName: string;

  constructor(secretName: string) {
    super(`The secret ${secretName} could not be read, or is empty.`);
    this.secretName = secretName;
  }
}

/**
 * The bearer token that a secret holds as plain text, fetched when it is first needed.
 *
 * The returned function throws SecretUnavailable.
 */
export function bearerToken(secretName: string): () => Promise<string> {
  return async () => {
    const value = await getSecret(secretName, { maxAge: MAX_AGE_SECONDS }).catch(() => undefined);
    if (typeof value !== 'string' || value.trim() === '') throw new SecretUnavailable(secretName);
    return value.trim();
  };
}
