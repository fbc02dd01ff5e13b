import type { ReceiverContract } from '../../domain/contract.ts';
import { ownerFinding } from '../../domain/findings.ts';
import type { ContactReader } from '../../ports/contacts.ts';
import type { ReadDestination } from '../reconcile.ts';

/** Who owns the contact, and who owned it since we first looked? */
export function readOwner(
  reader: ContactReader,
  contract: ReceiverContract,
): ReadDestination<'assign-owner'> {
  return async ({ body }, _state, times) =>
    ownerFinding(await reader.findById(body.contactId), body, contract, times);
}
