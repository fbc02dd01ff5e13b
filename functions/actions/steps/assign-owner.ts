import type { ReceiverContract } from '../../domain/contract.ts';
import type { ContactSnapshot } from '../../domain/destination-records.ts';
import { changesSince, overwritten, ownerEvidence } from '../../domain/findings.ts';
import type { AssignOwnerBody } from '../../domain/operation.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { RouteSettings } from '../../domain/route.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ContactReader, ContactWriter, WriteCall } from '../../ports/contacts.ts';
import { type ActionSteps, afterReading, contactToFreeze } from './steps.ts';

export interface AssignOwnerPorts {
  readonly reader: ContactReader;
  readonly writer: ContactWriter;
  readonly route: Pick<RouteSettings, 'existingOwner'>;
  readonly contract: ReceiverContract;
  readonly clock: Clock;
}

/** Reads the owner, writes ours where nobody else's is, and reads again: a CRM without conditional writes allows no more. */
export function assignOwnerSteps(ports: AssignOwnerPorts): ActionSteps<'assign-owner'> {
  return {
    async freeze(input) {
      const { handoff, contactId, previous } = input;
      const contact = await contactToFreeze(ports.reader, input);
      const id = contact?.id ?? contactId ?? '';
      const before = previous?.body as AssignOwnerBody | undefined;
      return {
        contactId: id,
        ownerId: handoff.ownerId,
        // Whoever set an owner since it was first read is not taken for the one who was there before.
        baseline:
          before?.contactId === id
            ? before.baseline
            : { ownerId: contact?.ownerId ?? null, changedAt: contact?.ownerHistory[0]?.at ?? null },
      };
    },
    perform: ({ body }, call) => {
      const readStartedAt = ports.clock();
      return afterReading(
        () => ports.reader.findById(body.contactId),
        (contact) => {
          if (contact === null) return { outcome: 'refused', reason: 'contact-deleted' };
          if (contact.archived) return { outcome: 'refused', reason: 'contact-archived' };
          return standingOwner(contact, body, readStartedAt, ports) ?? write(contact, body, call, ports);
        },
      );
    },
  };
}

/** The outcome where nothing has to be written; null where ours has to be. */
function standingOwner(
  contact: ContactSnapshot,
  body: AssignOwnerBody,
  readAt: number,
  { route, contract }: AssignOwnerPorts,
): Outcome | null {
  const changes = changesSince(contact.ownerHistory, body.baseline.changedAt);
  if (contact.ownerId === body.ownerId) {
    if (overwritten(changes, body.ownerId)) return { outcome: 'unknown', reason: 'possible-overwrite' };
    return { outcome: 'performed', evidence: ownerEvidence(contact, contract, readAt, 'set') };
  }
  if (contact.ownerId !== body.baseline.ownerId || changes.length > 0) {
    return { outcome: 'not-applied', reason: 'owner-changed', requestLeft: false };
  }
  if (contact.ownerId !== null && route.existingOwner === 'keep') {
    return { outcome: 'performed', evidence: ownerEvidence(contact, contract, readAt, 'kept') };
  }
  return null;
}

async function write(
  contact: ContactSnapshot,
  body: AssignOwnerBody,
  call: WriteCall,
  { reader, writer }: AssignOwnerPorts,
): Promise<Outcome> {
  const written = await writer.setOwner(contact.id, body.ownerId, call);
  if (written.outcome !== 'performed') return written;
  const after = await reader.findById(contact.id).catch(() => null);
  if (after === null) return { outcome: 'unknown', reason: 'not-read-back' };
  const changes = changesSince(after.ownerHistory, body.baseline.changedAt);
  if (overwritten(changes, body.ownerId)) return { outcome: 'unknown', reason: 'possible-overwrite' };
  // A read that does not show our write yet does not show either what lies under it: reconcile looks later.
  return changes.some(({ ownerId }) => ownerId === body.ownerId)
    ? written
    : { outcome: 'unknown', reason: 'not-read-back' };
}
