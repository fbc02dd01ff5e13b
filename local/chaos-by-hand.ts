import type { ActionName } from '../functions/domain/action.ts';
import { liveContact } from './chaos-choices.ts';
import { PERSONS_OWNERS } from './chaos-faults.ts';
import type { TrackedLead } from './chaos-journal.ts';
import type { SandboxControl } from './chaos-sandbox.ts';

/** What a person has done by hand. `recordId` is what they can name of it. */
export interface Done {
  readonly recordId: string | null;
}

/**
 * Does by hand what an action would have done, at the CRM's screens or from the person's own mailbox.
 *
 * @returns null where there is nothing to do it on, or where it is there already: then it was not done
 */
export async function doByHand(
  action: ActionName,
  { lead }: Pick<TrackedLead, 'lead'>,
  contactId: string | null,
  pick: number,
  sandbox: SandboxControl,
): Promise<Done | null> {
  const contact = liveContact(await sandbox.inspect(), lead.email, contactId);
  switch (action) {
    case 'upsert-contact': {
      if (contact) return null;
      const { email, firstName = '' } = lead;
      return done(await sandbox.act('create', { properties: { email, firstname: firstName } }));
    }
    case 'assign-owner': {
      const ownerId = PERSONS_OWNERS[Math.floor(pick * PERSONS_OWNERS.length)] ?? PERSONS_OWNERS[0];
      if (!contact || !(await sandbox.person('set-owner', { contactId: contact.id, ownerId }))) return null;
      return { recordId: ownerId };
    }
    case 'create-task': {
      if (!contact) return null;
      const properties = { hs_task_subject: 'Call', hs_timestamp: String(Date.now()) };
      return done(await sandbox.act('create-task', { contactId: contact.id, properties }));
    }
    case 'send-introduction':
      return { recordId: null };
  }
}

function done(record: unknown): Done | null {
  const { id } = (record ?? {}) as { id?: unknown };
  return typeof id === 'string' ? { recordId: id } : null;
}
