import type { ReceiverContract } from '../../domain/contract.ts';
import { contactFinding } from '../../domain/findings.ts';
import type { ContactReader } from '../../ports/contacts.ts';
import type { ReadDestination } from '../reconcile.ts';

/** Is the contact there, and does it hold what the lead request brought? Follows merges; sees archived contacts. */
export function readContact(
  reader: ContactReader,
  contract: ReceiverContract,
): ReadDestination<'upsert-contact'> {
  return async ({ body }, _state, times) =>
    contactFinding(await reader.findByEmail(body.email), body, contract, times);
}
