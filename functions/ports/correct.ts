import type { LeadKey } from '../domain/action.ts';
import type { Amendment } from '../domain/amendment.ts';
import { fieldsOf, type Handoff } from '../domain/handoff.ts';
import type { LeadRequest } from '../domain/lead-request.ts';
import type { RouteSettings } from '../domain/route.ts';
import { personKey, personTimes } from '../domain/same-person.ts';
import { type Ledger, LedgerUnavailable } from './ledger.ts';

/** The fields that came under an id with that hash. Throws `LedgerUnavailable`, also where there are none. */
export async function correctedFields(
  key: LeadKey,
  intentHash: string,
  ledger: Ledger,
): Promise<LeadRequest> {
  const conflict = await ledger.conflict(key, intentHash);
  if (conflict === null) throw new LedgerUnavailable('the corrected fields are not there', null);
  return conflict.lead;
}

/**
 * Puts the corrected fields that an attempt was claimed with in the place of the lead's, once. Those that held stay where an approver
 * can choose them again. With another address the lead is another person's from now on, and no more the one's before.
 *
 * The amendment is written last: whoever finds it missing does all of it again.
 *
 * @returns the handoff as it stands then
 * @throws LedgerUnavailable; doing it again is safe
 */
export async function correct(
  handoff: Handoff,
  amendment: Amendment,
  {
    ledger,
    route,
  }: { readonly ledger: Ledger; readonly route: Pick<RouteSettings, 'samePerson' | 'retentionDays'> },
): Promise<Handoff> {
  if (handoff.amendments.some(({ decisionId }) => decisionId === amendment.decisionId)) return handoff;
  const { lead, acceptedAt } = handoff;
  const corrected = await correctedFields(handoff, amendment.intentHash, ledger);
  const [before, after] = [personKey(lead.email), personKey(corrected.email)];
  if (before !== after && route.samePerson.policy !== 'allow') {
    await ledger.claimPerson(after, handoff, amendment.at, personTimes(amendment.at, route));
    await ledger.releasePerson(before, handoff);
  }
  await ledger.addConflict(handoff, { intentHash: fieldsOf(handoff), firstSeenAt: acceptedAt, lead });
  await ledger.amend(handoff, amendment);
  return { ...handoff, lead: corrected, amendments: [...handoff.amendments, amendment] };
}
