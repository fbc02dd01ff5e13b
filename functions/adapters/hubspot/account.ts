import * as v from 'valibot';
import { DestinationUnreadable } from '../../ports/destination-unreadable.ts';
import type { DestinationOptions } from '../http/destination-options.ts';
import { readSession } from '../http/read-session.ts';
import { HUBSPOT } from './contract.ts';

/** What a private app's token may do, and in which account. */
export interface HubspotCredential {
  readonly portalId: string;
  readonly scopes: readonly string[];
}

/** What the reads of a route need. Tasks live under the contact scopes. */
export const READ_SCOPES = ['crm.objects.contacts.read', 'crm.objects.owners.read'] as const;
/** What the writes of a route need. */
export const WRITE_SCOPES = ['crm.objects.contacts.write'] as const;

const tokenInfo = v.object({
  hubId: v.pipe(v.number(), v.transform(String)),
  scopes: v.array(v.string()),
});

/**
 * Asks HubSpot what a token may do. HubSpot takes the token in the body of a POST, which changes nothing.
 *
 * @see https://developers.hubspot.com/docs/apps/legacy-apps/private-apps/overview
 * @throws DestinationUnreadable with a code of `readSession`
 */
export async function hubspotCredential(options: DestinationOptions): Promise<HubspotCredential> {
  const path = '/oauth/v2/private-apps/get/access-token-info';
  const tokenKey = await options.token();
  const body = JSON.stringify({ tokenKey });
  const session = readSession({ name: HUBSPOT, saysNotFound: () => false }, options);
  const info = await session.ask({ method: 'POST', path, label: path, body }, tokenInfo);
  if (info === null) throw new DestinationUnreadable(HUBSPOT, 'status-404');
  return { portalId: info.hubId, scopes: info.scopes };
}
