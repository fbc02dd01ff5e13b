import type { ReceiverContract } from '../../domain/contract.ts';
import { introductionFinding } from '../../domain/findings.ts';
import type { ContactReader } from '../../ports/contacts.ts';
import type { EmailReader } from '../../ports/emails.ts';
import type { ReadDestination } from '../reconcile.ts';

/** Did the frozen message go out, and is its sender still the owner? */
export function readIntroduction(
  mail: EmailReader,
  crm: ContactReader,
  contract: ReceiverContract,
): ReadDestination<'send-introduction'> {
  return async (operation, state, times) => {
    const since = state.firstClaimAt ?? operation.frozenAt;
    const sent = await mail.findSent(operation.body.message, Math.min(since, operation.frozenAt));
    const contact =
      sent.kind === 'sent'
        ? await crm.findById(operation.body.contactId).catch(() => null)
        : await crm.findById(operation.body.contactId);
    return introductionFinding(sent, contact, operation.body, contract, times);
  };
}
