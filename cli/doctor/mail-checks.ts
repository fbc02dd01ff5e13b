import {
  resendDomains,
  resendKeyAccess,
  type SendingDomain,
} from '../../functions/adapters/resend/account.ts';
import { bareAddress } from '../../functions/adapters/resend/addresses.ts';
import type { RouteSettings } from '../../functions/domain/route.ts';
import { renderMailbox } from '../../functions/domain/template.ts';
import type { Owner } from '../../functions/ports/contacts.ts';
import { type Check, checksOf } from './check.ts';
import { ownerIdsOf } from './crm-checks.ts';
import { destinationOptions, problemOf } from './destination.ts';
import type { Credential, Credentials } from './secrets.ts';

const NO_SECRET = 'there is no secret to try.';

/** Looks whether the mail sender takes both keys and may send in the name of the route's owners. Sends nothing. */
export async function checkMail(
  route: RouteSettings,
  baseUrl: string,
  { found }: Credentials,
  owners: ReadonlyMap<string, Owner>,
): Promise<readonly Check[]> {
  const reading = await checkReading(route.name, baseUrl, found.get('resend read'));
  const writing = await checkWriting(route.name, baseUrl, found.get('resend write'));
  const senders = ownerIdsOf(route).map((ownerId) => {
    const owner = owners.get(ownerId);
    if (owner && reading.domains) return senderDomain(route, owner, reading.domains);
    const why = owner ? 'the domains could not be read.' : 'the owner could not be read.';
    return checksOf(route.name).skipped('sender-domain', `owner ${ownerId}: ${why}`);
  });
  return [reading.check, writing, ...senders];
}

async function checkReading(
  route: string,
  baseUrl: string,
  credential: Credential | undefined,
): Promise<{ check: Check; domains: readonly SendingDomain[] | null }> {
  const { ok, failed, skipped } = checksOf(route);
  if (!credential) return { check: skipped('mail-read', NO_SECRET), domains: null };
  try {
    const domains = await resendDomains(destinationOptions(baseUrl, credential.token));
    return { check: ok('mail-read', 'the key has full access, which reading sent mail needs.'), domains };
  } catch (error) {
    const [detail, fix] = problemOf(error, credential.secretName);
    const why = `${fix} Reading sent mail needs a key with full access.`;
    return { check: failed('mail-read', detail, why), domains: null };
  }
}

async function checkWriting(
  route: string,
  baseUrl: string,
  credential: Credential | undefined,
): Promise<Check> {
  const { ok, failed, skipped } = checksOf(route);
  if (!credential) return skipped('mail-write', NO_SECRET);
  try {
    const access = await resendKeyAccess(destinationOptions(baseUrl, credential.token));
    const surplus = access === 'full' ? ' and has full access, where a sending key is enough' : '';
    return ok('mail-write', `the key is known${surplus}; nothing was sent.`);
  } catch (error) {
    return failed('mail-write', ...problemOf(error, credential.secretName));
  }
}

/** A domain speaks for itself alone: its subdomains are verified one by one. */
function senderDomain(route: RouteSettings, owner: Owner, domains: readonly SendingDomain[]): Check {
  const { ok, failed } = checksOf(route.name);
  const from = bareAddress(senderOf(route, owner));
  const domain = from.slice(from.lastIndexOf('@') + 1);
  if (!from.includes('@')) {
    return failed(
      'sender-domain',
      `owner ${owner.id} gives no From address.`,
      'give this owner an email address in the CRM, or write another From into the route file.',
    );
  }
  const known = domains.find(({ name }) => name.toLowerCase() === domain);
  if (known?.status === 'verified') return ok('sender-domain', `${domain} is verified.`);
  return failed(
    'sender-domain',
    known ? `${domain} is ${known.status} at Resend.` : `Resend does not know ${domain}.`,
    `add ${domain} under Resend, Domains, and set its DNS records; or write another From into the route file.`,
  );
}

function senderOf({ introduction }: RouteSettings, owner: Owner): string {
  const lead = { leadRequestId: 'doctor', email: 'doctor@example.com' };
  return renderMailbox(introduction.from, { lead, owner, reference: 'doctor' });
}
