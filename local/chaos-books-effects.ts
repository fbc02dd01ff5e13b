import { type ActionName, operationIdentity } from '../functions/domain/action.ts';
import type { ActionState } from '../functions/domain/action-state.ts';
import type { LedgerRecord } from '../functions/domain/handoff.ts';
import type { BookedLead, Books, Imbalance, ImbalanceKind } from './chaos-books.ts';
import { actionOf } from './chaos-books-ledger.ts';
import type { InspectedContact, InspectedEmail, InspectedTask, Inspection } from './chaos-sandbox.ts';

/** The identity under which a task was created, as its text shows it to people. */
export function stampOf({ properties }: InspectedTask): string | null {
  return /Reference: (\S+) lh[0-9a-f]{20}/.exec(properties.hs_task_body ?? '')?.[1] ?? null;
}

/** An id that a merge took away still names the contact. */
export function hasId(contact: InspectedContact, id: string | null | undefined): boolean {
  return id != null && (contact.id === id || contact.mergedIds.includes(id));
}

/** Counts the effects of one lead, and holds the ledger's word against them. */
export function effectImbalances(booked: BookedLead, inspection: Inspection): Imbalance[] {
  const { lead, record } = booked;
  if (!record) return [];
  const found: Imbalance[] = [];
  const report = (kind: ImbalanceKind, detail: string) =>
    found.push({ leadRequestId: lead.leadRequestId, kind, detail });

  const contacts = inspection.contacts.filter(({ email }) => email === lead.email);
  if (contacts.length > 1) report('contact-twice', `${contacts.length} contacts have its email`);
  const upsert = actionOf(record, 'upsert-contact');
  if (saysDone(upsert) && !inspection.contacts.some((one) => hasId(one, upsert.evidence?.recordId))) {
    report('effect-missing', 'upsert-contact is done by the ledger, and the CRM has no such contact');
  }
  const owner = actionOf(record, 'assign-owner');
  const ownerId = owner.evidence?.facts.ownerId;
  if (saysDone(owner) && typeof ownerId === 'string' && !hadOwner(record, inspection, ownerId)) {
    report('effect-missing', `assign-owner is done by the ledger, and nobody ever was owner ${ownerId}`);
  }

  const tasks = inspection.tasks.filter((task) => isOf(record, 'create-task', stampOf(task)));
  const emails = inspection.emails.filter(({ key }) => isOf(record, 'send-introduction', key));
  for (const [kind, effects] of [
    ['task-twice', Map.groupBy(tasks, (task) => stampOf(task))],
    ['email-twice', Map.groupBy(emails, ({ key }) => key)],
  ] as const) {
    for (const [identity, same] of effects) {
      if (same.length > 1)
        report(kind, `${same.length} for ${identity}: ${same.map(({ id }) => id).join(', ')}`);
    }
  }
  for (const [name, mine, all] of [
    ['create-task', tasks, inspection.tasks],
    ['send-introduction', emails, inspection.emails],
  ] as const) {
    const state = actionOf(record, name);
    const wrong = wrongWord(state, mine, all);
    if (wrong)
      report(
        wrong,
        `${name} is ${state.phase} by the ledger (${state.evidence?.recordId ?? 'no record'}), and the destination holds ${mine.length} of it`,
      );
  }
  return found;
}

/** How the ledger's word about a task or an email differs from what the destination holds. */
function wrongWord(
  state: ActionState,
  mine: readonly { readonly id: string }[],
  all: readonly (InspectedTask | InspectedEmail)[],
): ImbalanceKind | null {
  const recordId = state.evidence?.recordId;
  if (saysDone(state)) {
    if (mine.some(({ id }) => id === recordId)) return null;
    return all.some(({ id }) => id === recordId) ? 'effect-of-another' : 'effect-missing';
  }
  return deniesEffect(state) && mine.length > 0 ? 'effect-denied' : null;
}

function saysDone({ phase }: ActionState): boolean {
  return phase === 'performed' || phase === 'stopped-but-done';
}

/** By the ledger nothing can be there: it was never claimed, or every attempt provably had no effect. */
function deniesEffect({ phase, mayHaveLanded }: ActionState): boolean {
  return ['open', 'not-applied', 'refused', 'stopped'].includes(phase) && !mayHaveLanded;
}

function hadOwner(record: LedgerRecord, { contacts }: Inspection, ownerId: string): boolean {
  const { evidence } = actionOf(record, 'upsert-contact');
  return contacts
    .filter((contact) => hasId(contact, evidence?.recordId))
    .some(({ ownerHistory }) => ownerHistory.some(({ value }) => value === ownerId));
}

function isOf({ handoff }: LedgerRecord, action: ActionName, identity: string | null): boolean {
  const ours = operationIdentity(handoff, action);
  return identity === ours || identity?.startsWith(`${ours}/r`) === true;
}

/** Effects that no accepted lead stands for: from refused other fields, or out of nowhere. People create contacts too. */
export function strayEffects({ leads, inspection }: Books): Imbalance[] {
  const records = leads.flatMap(({ record }) => record ?? []);
  const stray = (kind: 'task' | 'email', id: string, identity: string | null): Imbalance => ({
    leadRequestId: null,
    kind: 'effect-nobody-asked-for',
    detail: `the ${kind} ${id} has the identity ${identity}`,
  });
  const tasks = inspection.tasks
    .map((task) => ({ id: task.id, stamp: stampOf(task) }))
    .filter(({ stamp }) => !records.some((record) => isOf(record, 'create-task', stamp)))
    .map(({ id, stamp }) => stray('task', id, stamp));
  const emails = inspection.emails
    .filter(({ key }) => !records.some((record) => isOf(record, 'send-introduction', key)))
    .map(({ id, key }) => stray('email', id, key));
  const wrongPeople = inspection.emails
    .filter(({ key, to }) => {
      const record = records.find((one) => isOf(one, 'send-introduction', key));
      return record !== undefined && to.join() !== record.handoff.lead.email;
    })
    .map(({ id, key }) => stray('email', id, `${key}, and went to somebody else`));
  const contacts = inspection.contacts
    .filter(({ email }) => email?.startsWith('other-'))
    .map(
      ({ id }): Imbalance => ({
        leadRequestId: null,
        kind: 'effect-nobody-asked-for',
        detail: `the contact ${id} comes from fields that were refused`,
      }),
    );
  return [...tasks, ...emails, ...wrongPeople, ...contacts];
}
