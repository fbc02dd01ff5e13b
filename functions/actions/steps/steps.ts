import type { ActionName } from '../../domain/action.ts';
import { Held } from '../../domain/errors.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { ContactReader, ContactSnapshot } from '../../ports/contacts.ts';
import { DestinationUnreadable } from '../../ports/destination-unreadable.ts';
import type { Perform } from '../attempt.ts';
import type { Freeze, FreezeInput } from '../prepare.ts';

/** What is particular to one action: how its operation is frozen, and how it calls the destination. */
export interface ActionSteps<A extends ActionName> {
  readonly freeze: Freeze<A>;
  readonly perform: Perform<A>;
}

/**
 * The contact as the CRM shows it now; null when it has none.
 *
 * @throws Held while "none" may only mean that the new contact is not visible yet; DestinationUnreadable.
 */
export async function contactToFreeze(
  reader: ContactReader,
  { contactId, readsMayLag }: FreezeInput,
): Promise<ContactSnapshot | null> {
  const contact = await reader.findById(contactId ?? '');
  if (contact === null && readsMayLag) throw new Held('contact-not-visible');
  return contact;
}

/**
 * Reads, then goes on with what was read. A read that gave no answer changed nothing, so the attempt had no effect; what is thrown
 * afterwards is no word on that.
 */
export async function afterReading<T>(
  read: () => Promise<T>,
  goOn: (found: T) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  let found: T;
  try {
    found = await read();
  } catch (error) {
    if (!(error instanceof DestinationUnreadable)) throw error;
    return {
      outcome: 'not-applied',
      reason: `${error.destination}-unreadable-${error.code}`,
      requestLeft: false,
    };
  }
  return goOn(found);
}
