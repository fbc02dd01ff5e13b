import * as v from 'valibot';
import { DestinationUnreadable } from '../../ports/destination-unreadable.ts';
import { type DestinationOptions, tokenWithin } from '../http/destination-options.ts';
import { callOnce } from '../http/effect-aware-client.ts';
import { failureCode } from '../http/failure-code.ts';
import { parsed } from '../http/json.ts';
import { readSession } from '../http/read-session.ts';
import { RESEND } from './contract.ts';

const PAGE_SIZE = 100;
const PAGES = 20;

/** A domain that the account may send from, or wants to. */
export interface SendingDomain {
  readonly name: string;
  /** `verified` when mail may be sent from it. */
  readonly status: string;
}

const page = v.object({
  data: v.array(v.object({ id: v.string(), name: v.string(), status: v.string() })),
  has_more: v.optional(v.boolean(), false),
});

const problem = v.object({ name: v.string() });

/**
 * Every domain of the account, which needs a key with full access.
 *
 * @see https://resend.com/docs/api-reference/domains/list-domains
 * @throws DestinationUnreadable with a code of `readSession`, or `page-cap`
 */
export async function resendDomains(options: DestinationOptions): Promise<readonly SendingDomain[]> {
  const session = readSession({ name: RESEND, saysNotFound: () => false }, options);
  const domains: SendingDomain[] = [];
  let after: string | undefined;
  for (let read = 0; read < PAGES; read++) {
    const query = new URLSearchParams({
      limit: String(PAGE_SIZE),
      ...(after === undefined ? {} : { after }),
    });
    const answer = await session.ask({ method: 'GET', path: `/domains?${query}`, label: '/domains' }, page);
    if (answer === null) throw new DestinationUnreadable(RESEND, 'status-404');
    domains.push(...answer.data.map(({ name, status }) => ({ name, status })));
    after = answer.data.at(-1)?.id;
    if (!answer.has_more || after === undefined) return domains;
  }
  throw new DestinationUnreadable(RESEND, 'page-cap');
}

/**
 * Whether a key may send only, or do everything; nothing is sent. A sending key is one that Resend knows and does not let read:
 * it answers 401 `restricted_api_key`.
 *
 * @see https://resend.com/docs/api-reference/errors
 * @throws DestinationUnreadable with code `secret-unavailable`, `credentials`, `status-<n>`, or one of the failure codes
 */
export async function resendKeyAccess(options: DestinationOptions): Promise<'sending' | 'full'> {
  const unreadable = (code: string) => new DestinationUnreadable(RESEND, code);
  const token = await tokenWithin(options.token, options.timeoutMs).catch(() => {
    throw unreadable('secret-unavailable');
  });
  const answer = await callOnce({
    method: 'GET',
    url: `${options.baseUrl}/domains?limit=1`,
    label: '/domains',
    headers: { authorization: `Bearer ${token}` },
    timeoutMs: options.timeoutMs,
  }).catch((error) => {
    throw unreadable(failureCode(error));
  });
  if (answer.status === 200) return 'full';
  const name = parsed(problem, answer.text)?.name ?? '';
  if (answer.status === 401 && name === 'restricted_api_key') return 'sending';
  // A key that Resend does not know has been answered with 400, 401 and 403.
  const refused = answer.status === 400 || answer.status === 401 || answer.status === 403;
  throw unreadable(refused ? 'credentials' : `status-${answer.status}`);
}
