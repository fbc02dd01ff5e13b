import * as v from 'valibot';
import { APP_IDS, type Credential } from './auth.ts';
import { type Call, jsonBody } from './call.ts';
import { notAuthenticated } from './hubspot-errors.ts';
import { type Answer, ok } from './wire.ts';

/** What a client reads to check its credentials before it does anything. */

const READ_SCOPES = [
  'oauth',
  'crm.objects.contacts.read',
  'crm.objects.owners.read',
  'crm.schemas.contacts.read',
];
const WRITE_SCOPES = ['crm.objects.contacts.write', 'crm.schemas.contacts.write'];

/** Tasks live under the contact scopes (guide of the tasks API, "Scope requirements"). */
const SCOPES: Readonly<Record<Credential, readonly string[]>> = {
  read: READ_SCOPES,
  write: [...READ_SCOPES, ...WRITE_SCOPES],
  full: [...READ_SCOPES, ...WRITE_SCOPES],
};

/**
 * `POST /oauth/v2/private-apps/get/access-token-info`: the token is in the body, and what it may do is in the answer.
 * https://developers.hubspot.com/docs/apps/legacy-apps/private-apps/overview
 */
export function readTokenInfo(call: Call): Answer {
  const parsed = v.safeParse(v.object({ tokenKey: v.string() }), jsonBody(call));
  const credential = parsed.success ? call.keyring.identifyToken(parsed.output.tokenKey) : null;
  if (!credential) throw notAuthenticated();
  const body = {
    userId: 9000,
    hubId: call.state.settings.portalId,
    appId: APP_IDS[credential],
    scopes: SCOPES[credential],
  };
  return ok(body);
}

/** https://developers.hubspot.com/docs/api-reference/legacy/account/account-information/get-account-details */
export function readAccount(call: Call): Answer {
  const body = {
    portalId: call.state.settings.portalId,
    accountType: 'DEVELOPER_TEST',
    timeZone: 'Europe/Berlin',
    companyCurrency: 'EUR',
    additionalCurrencies: [],
    utcOffset: '+01:00',
    utcOffsetMilliseconds: 3_600_000,
    uiDomain: 'app.hubspot.com',
    dataHostingLocation: 'eu1',
  };
  return ok(body);
}
