import type { ActionName } from '../../domain/action.ts';
import type { ReceiverContract } from '../../domain/contract.ts';
import type { Evidence } from '../../domain/evidence.ts';
import { ownerEvidence } from '../../domain/findings.ts';
import type { Handoff } from '../../domain/handoff.ts';
import type { Operation } from '../../domain/operation.ts';
import type { ReadBack } from '../../domain/persons-answer.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ContactReader } from '../../ports/contacts.ts';
import type { EmailReader } from '../../ports/emails.ts';
import type { TaskReader } from '../../ports/tasks.ts';

/** What the record that a person named is to be held against. */
export interface NamedFor<A extends ActionName> {
  readonly handoff: Handoff;
  /** Null where nothing was frozen yet. */
  readonly operation: Operation<A> | null;
}

/** Reads the record that a person names in a `confirm`. Throws `DestinationUnreadable`. */
export type ReadNamed<A extends ActionName> = (recordId: string, held: NamedFor<A>) => Promise<ReadBack>;

interface NamedPorts<R> {
  readonly reader: R;
  readonly contract: ReceiverContract;
  readonly clock: Clock;
}

const MISSING: ReadBack = { kind: 'missing' };

/** A living contact of that id with the lead's address; a merged one is followed to its survivor. */
export function namedContact({
  reader,
  contract,
  clock,
}: NamedPorts<ContactReader>): ReadNamed<'upsert-contact'> {
  return async (recordId, { handoff }) => {
    const readAt = clock();
    const contact = await reader.findById(recordId);
    // Every later action works on it: a stranger would get this lead's owner, task and words.
    const another = contact?.email?.toLowerCase() !== handoff.lead.email;
    if (contact === null || contact.archived || another) return MISSING;
    return record(contract, contact.id, readAt, { archived: false });
  };
}

/** The owner of that id, where the contact has it now. */
export function namedOwner({
  reader,
  contract,
  clock,
}: NamedPorts<ContactReader>): ReadNamed<'assign-owner'> {
  return async (ownerId, { operation }) => {
    if (operation === null) return { kind: 'not-read' };
    const readAt = clock();
    const contact = await reader.findById(operation.body.contactId);
    if (contact === null || contact.archived || contact.ownerId !== ownerId) return MISSING;
    return { kind: 'record', evidence: ownerEvidence(contact, contract, readAt, 'kept') };
  };
}

/** A task of that id with this contact. */
export function namedTask({ reader, contract, clock }: NamedPorts<TaskReader>): ReadNamed<'create-task'> {
  return async (recordId, { operation }) => {
    // Before anything was frozen nobody knows whose task it is.
    if (operation === null) return { kind: 'not-read' };
    const readAt = clock();
    const task = await reader.findTask(recordId);
    if (!task?.contactIds.includes(operation.body.contactId)) return MISSING;
    return record(contract, task.id, readAt, { archived: task.archived, completed: task.completed });
  };
}

/** A message of that id that is on its way, or was, to this person. */
export function namedEmail({
  reader,
  contract,
  clock,
}: NamedPorts<EmailReader>): ReadNamed<'send-introduction'> {
  return async (recordId, { handoff, operation }) => {
    const readAt = clock();
    const sent = await reader.findById(recordId, operation?.body.message.to ?? handoff.lead.email);
    if (sent.kind !== 'sent') return MISSING;
    return record(contract, sent.id, readAt, { lastEvent: sent.lastEvent });
  };
}

function record(
  { destination }: ReceiverContract,
  recordId: string,
  readAt: number,
  facts: Evidence['facts'],
): ReadBack {
  return { kind: 'record', evidence: { kind: 'record', destination, recordId, readAt, facts } };
}
