import { Webhook, WebhookVerificationError } from 'standardwebhooks';

/** The headers of a signed request, names in lower case. */
export type SignedHeaders = Readonly<Record<string, string | undefined>>;

const ID = 'webhook-id';
const TIMESTAMP = 'webhook-timestamp';
const SIGNATURE = 'webhook-signature';

/** Characters of an id, without the full stop, which parts what is signed; and a time in whole seconds. */
const WELL_FORMED_ID = /^[\x21-\x2d\x2f-\x7e]{1,256}$/;
const WELL_FORMED_TIMESTAMP = /^\d{1,12}$/;

/**
 * Whether one of the secrets has signed this body in the last five minutes, by the rules of Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 *
 * The library compares in constant time, takes several signatures separated by blanks, and reads the clock itself. It is as lenient as
 * `parseInt` about the time; here that is digits and nothing else.
 */
export function isSigned(body: string, headers: SignedHeaders, secrets: readonly string[]): boolean {
  const id = headers[ID] ?? '';
  const timestamp = headers[TIMESTAMP] ?? '';
  if (!WELL_FORMED_ID.test(id) || !WELL_FORMED_TIMESTAMP.test(timestamp)) return false;
  const signed = { [ID]: id, [TIMESTAMP]: timestamp, [SIGNATURE]: headers[SIGNATURE] ?? '' };
  // Every secret is tried, so that the time it takes does not tell which one it was.
  return secrets.map((secret) => verifies(new Webhook(secret), body, signed)).includes(true);
}

function verifies(webhook: Webhook, body: string, headers: Record<string, string>): boolean {
  try {
    webhook.verify(body, headers, { jsonParse: false });
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

/** Whether the text can be used as a secret: base64, with or without `whsec_` before it. */
export function isSigningSecret(text: string): boolean {
  try {
    return new Webhook(text) !== null;
  } catch {
    return false;
  }
}
