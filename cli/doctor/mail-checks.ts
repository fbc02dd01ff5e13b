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
import type { Credentials } from './secrets.ts';

/** Looks whether the mail sender takes both keys and may send in the name of the route's owners. Sends nothing. */
export async function checkMail(
  route: RouteSettings,
  baseUrl: string,
  { found }: Credentials,
  owners: ReadonlyMap<string, Owner>,
): Promise<readonly Check[]> {
  const { ok, failed, skipped } = checksOf(route.name);
  const checks: Check[] = [];
  const reading = found.get('resend read');
  const writing = found.get('resend write');
  let domains: readonly SendingDomain[] | null = null;

  if (!reading) checks.push(skipped('mail-read', 'there is no secret to try.'));
  else {
    try {
      domains = await resendDomains(destinationOptions(baseUrl, reading.token));
      checks.push(ok('mail-read', 'the key has full access, which reading sent mail needs.'));
    } catch (error) {
      const [detail, fix] = problemOf(error, reading.secretName);
      checks.push(failed('mail-read', detail, `${fix} Reading sent mail needs a key with full access.`));
    }
  }

  if (!writing) checks.push(skipped('mail-write', 'there is no secret to try.'));
  else {
    try {
      const access = await resendKeyAccess(destinationOptions(baseUrl, writing.token));
      const surplus = access === 'full' ? ' and has full access, where a sending key is enough' : '';
      checks.push(ok('mail-write', `the key is known${surplus}; nothing was sent.`));
    } catch (error) {
      checks.push(failed('mail-write', ...problemOf(error, writing.secretName)));
    }
  }

  for (const ownerId of ownerIdsOf(route)) {
    const owner = owners.get(ownerId);
    if (!owner || domains === null) {
      const why = owner ? 'the domains could not be read.' : 'the owner could not be read.';
      checks.push(skipped('sender-domain', `owner ${ownerId}: ${why}`));
    } else {
      checks.push(senderDomain(route, owner, domains));
    }
  }
  return checks;
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
  return renderMailbox(introduction.from, { lead, owner });
}
