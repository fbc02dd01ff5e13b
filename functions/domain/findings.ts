import type { ReceiverContract } from './contract.ts';
import type { ContactSnapshot, OwnerChange, SentEmail, TaskSnapshot } from './destination-records.ts';
import type { Evidence } from './evidence.ts';
import type { Absent, Finding, Unclear } from './finding.ts';
import type { AssignOwnerBody, SendIntroductionBody, UpsertContactBody } from './operation.ts';

/** When a read began, and from when on a read may prove absence; epoch milliseconds of our clock. */
export interface ReadTimes {
  readonly readStartedAt: number;
  readonly settleAt: number;
}

/** "Not found" proves absence only in a read that started at or after the settle time. */
export function notFound({ readStartedAt, settleAt }: ReadTimes): Absent | Unclear {
  return readStartedAt >= settleAt ? { finding: 'absent' } : { finding: 'unclear', cause: 'too-early' };
}

export const UNREADABLE: Unclear = { finding: 'unclear', cause: 'unreadable' };

/** Done when the contact exists and holds a value for every field of the lead request. */
export function contactFinding(
  contact: ContactSnapshot | null,
  body: UpsertContactBody,
  contract: ReceiverContract,
  times: ReadTimes,
): Finding {
  if (contact === null) return notFound(times);
  const evidence = contactEvidence(contact, contract, times);
  if (contact.archived) {
    return { finding: 'superseded', cause: 'contact-archived', evidence, absenceProven: false };
  }
  return missingProperties(contact, body).length === 0 ? { finding: 'done', evidence } : notFound(times);
}

/** Names of the frozen properties that the contact does not hold as it should. */
export function missingProperties(contact: ContactSnapshot, body: UpsertContactBody): string[] {
  return Object.entries(body.properties)
    .filter(([name, value]) => {
      const held = contact.properties[name];
      return held === undefined || held === '' || (body.values === 'overwrite' && held !== value);
    })
    .map(([name]) => name);
}

function contactEvidence(contact: ContactSnapshot, contract: ReceiverContract, times: ReadTimes): Evidence {
  return {
    kind: 'record',
    destination: contract.destination,
    recordId: contact.id,
    readAt: times.readStartedAt,
    facts: { archived: contact.archived },
  };
}

/** The owner values that the CRM recorded after the baseline was read, newest first. */
export function changesSince(
  history: readonly OwnerChange[],
  baselineChangedAt: number | null,
): readonly OwnerChange[] {
  return baselineChangedAt === null ? history : history.filter((change) => change.at > baselineChangedAt);
}

/**
 * Done when the owner is the one we write and nobody else's value lies between the baseline and ours.
 *
 * HubSpot has no conditional write: a foreign value below ours in the history means that our write may have gone over it.
 */
export function ownerFinding(
  contact: ContactSnapshot | null,
  body: AssignOwnerBody,
  contract: ReceiverContract,
  times: ReadTimes,
): Finding {
  if (contact === null) {
    return { finding: 'superseded', cause: 'contact-deleted', evidence: null, absenceProven: false };
  }
  const evidence = ownerEvidence(
    contact,
    contract,
    times.readStartedAt,
    contact.ownerId === body.ownerId ? 'set' : 'kept',
  );
  if (contact.archived) {
    return { finding: 'superseded', cause: 'contact-archived', evidence, absenceProven: false };
  }
  const changes = changesSince(contact.ownerHistory, body.baseline.changedAt);
  if (contact.ownerId === body.ownerId) {
    return overwritten(changes, body.ownerId)
      ? {
          finding: 'superseded',
          cause: 'possible-overwrite',
          evidence: namingOverwritten(evidence, changes, body.ownerId),
          absenceProven: false,
        }
      : { finding: 'done', evidence };
  }
  const untouched = contact.ownerId === body.baseline.ownerId && changes.length === 0;
  return untouched
    ? notFound(times)
    : { finding: 'superseded', cause: 'owner-changed', evidence, absenceProven: false };
}

/**
 * A value written over the API lies directly on somebody else's that came after the baseline. A person who chose the same
 * owner (`CRM_UI`) has overwritten nothing by mistake.
 */
export function overwritten(changes: readonly OwnerChange[], ours: string): boolean {
  const foreign = changes.findIndex((change) => change.ownerId !== ours);
  if (foreign <= 0) return false;
  const above = changes[foreign - 1];
  return above?.source === 'INTEGRATION';
}

/** The fact `overwrittenOwnerId`: the newest value that is not ours; null where somebody had cleared the owner. */
function namingOverwritten(evidence: Evidence, changes: readonly OwnerChange[], ours: string): Evidence {
  const overwrittenOwnerId = changes.find(({ ownerId }) => ownerId !== ours)?.ownerId ?? null;
  return { ...evidence, facts: { ...evidence.facts, overwrittenOwnerId } };
}

export function ownerEvidence(
  contact: ContactSnapshot,
  contract: ReceiverContract,
  readAt: number,
  how: 'set' | 'kept',
): Evidence {
  return {
    kind: 'record',
    destination: contract.destination,
    recordId: contact.id,
    readAt,
    facts: { ownerId: contact.ownerId, owner: how },
  };
}

/** Done when a task with our stamp exists, whatever people did with it since. */
export function taskFinding(
  task: TaskSnapshot | null,
  contract: ReceiverContract,
  times: ReadTimes,
): Finding {
  if (task === null) return notFound(times);
  const evidence: Evidence = {
    kind: 'record',
    destination: contract.destination,
    recordId: task.id,
    readAt: times.readStartedAt,
    facts: { archived: task.archived, completed: task.completed },
  };
  return task.archived
    ? { finding: 'superseded', cause: 'task-changed', evidence, absenceProven: false }
    : { finding: 'done', evidence };
}

/** Done when the mail sender shows the frozen message as sent; else the owner decides whether it may still go out. */
export function introductionFinding(
  sent: SentEmail,
  contact: ContactSnapshot | null,
  body: SendIntroductionBody,
  contract: ReceiverContract,
  times: ReadTimes,
): Finding {
  if (sent.kind === 'sent') {
    const evidence: Evidence = {
      kind: 'record',
      destination: contract.destination,
      recordId: sent.id,
      readAt: times.readStartedAt,
      facts: {
        lastEvent: sent.lastEvent,
        senderOwnerId: body.ownerId,
        currentOwnerId: contact?.ownerId ?? null,
      },
    };
    return { finding: 'done', evidence };
  }
  if (sent.kind === 'page-cap' || sent.kind === 'pending') return UNREADABLE;
  const absence = notFound(times);
  const absenceProven = absence.finding === 'absent';
  if (contact === null) {
    return { finding: 'superseded', cause: 'contact-deleted', evidence: null, absenceProven };
  }
  if (contact.archived) {
    return { finding: 'superseded', cause: 'contact-archived', evidence: null, absenceProven };
  }
  return contact.ownerId === body.ownerId
    ? absence
    : { finding: 'superseded', cause: 'sender-no-longer-owner', evidence: null, absenceProven };
}
