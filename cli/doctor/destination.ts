import type { DestinationOptions } from '../../functions/adapters/http/destination-options.ts';
import { DestinationUnreadable } from '../../functions/ports/destination-unreadable.ts';
import { sentenceOf } from '../errors.ts';

const TIMEOUT_MS = 8_000;

/** Where the scopes of a HubSpot token are set. */
export const SCOPES_AT = 'HubSpot, Settings, Integrations, Private Apps';

export function destinationOptions(baseUrl: string, token: string): DestinationOptions {
  return { baseUrl, token: async () => token, timeoutMs: TIMEOUT_MS, clock: Date.now };
}

/** What a failed question to a destination means, and what to do about it. */
export function problemOf(error: unknown, secretName: string): [detail: string, fix: string] {
  if (!(error instanceof DestinationUnreadable)) return [sentenceOf(error), 'run this again.'];
  const { destination, code } = error;
  if (code === 'credentials') {
    return [
      `${destination} does not take the token in ${secretName}.`,
      `put a valid token into ${secretName}.`,
    ];
  }
  if (code === 'rate-limited') return [error.message, 'run this again in a minute.'];
  return [error.message, `look whether ${destination} is up and can be reached from this machine.`];
}
