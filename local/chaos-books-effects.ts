import { operationIdentity } from '../functions/domain/action.ts';
import type { ActionState } from '../functions/domain/action-state.ts';
import type { LedgerRecord } from '../functions/domain/handoff.ts';
import type { BookedLead, Imbalance, ImbalanceKind } from './chaos-books.ts';
import { actionOf } from './chaos-books-ledger.ts';
import type { ByHand } from './chaos-requests.ts';
import type { InspectedContact, InspectedTask, Inspection } from './chaos-sandbox.ts';

type Report = (kind: ImbalanceKind, detail: string) => void;

/** A task or an email that we made, under the identity that it carries. */
interface Made {
  readonly id: string;
  readonly identity: string | null;
}

/** The identity under which a task was created, as its text shows it to people. */
export function stampOf({ properties }: InspectedTask): string | null {
  return /Reference: (\S+) lh[0-9a-f]{20}/.exec(properties.hs_task_body ?? '')?.[1] ?? null;
}

/** An id that a merge took away still names the contact. */
export function hasId(contact: InspectedContact, id: string | null | undefined): boolean {
  return id != null && (contact.id === id || contact.mergedIds.includes(id));
}

/** The identity itself, or that of a new operation that a person decided on. */
export function isIdentity(ours: string, identity: string | null): boolean {
  return identity === ours || identity?.startsWith(`${ours}/r`) === true;
}

/** Counts the effects of one lead, and holds the ledger's word against them. */
export function effectImbalances(booked: BookedLead, inspection: Inspection): Imbalance[] {
  const { lead, record } = booked;
  if (!record) return [];
  const found: Imbalance[] = [];
  const report: Report = (kind, detail) => found.push({ leadRequestId: lead.leadRequestId, kind, detail });
  compareContact(booked, record, inspection, report);
  const { tasks, emails } = inspection;
  const made = {
    'create-task': tasks.map((task) => ({ id: task.id, identity: stampOf(task) })),
    'send-introduction': emails.map(({ id, key }) => ({ id, identity: key })),
  };
  for (const name of ['create-task', 'send-introduction'] as const) {
    const ours = operationIdentity(record.handoff, name);
    const mine = made[name].filter(({ identity }) => isIdentity(ours, identity));
    const handMade = booked.byHand.filter(({ action }) => action === name);
    const state = actionOf(record, name);
    countEffects(name === 'create-task' ? 'task-twice' : 'email-twice', state, mine, handMade, report);
    const word = wrongWord(state, mine, handMade, made[name]);
    if (word === null) continue;
    const says = `${name} is ${state.phase} by the ledger (${state.evidence?.recordId ?? 'no record'})`;
    report(word, `${says}, and the destination holds ${mine.length} of it, people made ${handMade.length}`);
  }
  return found;
}

function compareContact(
  { lead }: BookedLead,
  record: LedgerRecord,
  inspection: Inspection,
  report: Report,
): void {
  // What a person has archived may be there a second time.
  const contacts = inspection.contacts.filter(({ email, archived }) => email === lead.email && !archived);
  if (contacts.length > 1) report('contact-twice', `${contacts.length} contacts have its email`);
  const upsert = actionOf(record, 'upsert-contact');
  if (saysDone(upsert) && !inspection.contacts.some((one) => hasId(one, upsert.evidence?.recordId))) {
    report('effect-missing', 'upsert-contact is done by the ledger, and the CRM has no such contact');
  }
  const owner = actionOf(record, 'assign-owner');
  const ownerId = ownerIn(owner.evidence);
  if (saysDone(owner) && ownerId !== null && !hadOwner(record, inspection, ownerId)) {
    report('effect-missing', `assign-owner is done by the ledger, and nobody ever was owner ${ownerId}`);
  }
}

/** Never two of ours; one that a person made besides ours only where they accepted that by name before. */
function countEffects(
  kind: 'task-twice' | 'email-twice',
  { history }: ActionState,
  mine: readonly Made[],
  handMade: readonly ByHand[],
  report: Report,
): void {
  const names = mine.map(({ id, identity }) => `${id} of ${identity}`).join(', ');
  if (mine.length > 1) report(kind, `${mine.length} of ours: ${names}`);
  if (handMade.length > 1) report(kind, `people made ${handMade.length}`);
  const besides = mine.length > 0 && handMade.find(({ riskAccepted }) => !riskAccepted);
  if (besides) report(kind, `${besides.by} made one who had not accepted a second one, besides ${names}`);
  const decided = history.filter(({ event }) => NEW_OPERATIONS.includes(event)).length;
  const undecided = mine.find(({ identity }) => revisionOf(identity) > decided + 1);
  if (undecided) report('new-operation-undecided', `nobody decided on ${undecided.identity}`);
}

/** Decisions after which an operation has a new identity. */
const NEW_OPERATIONS = ['decided-send-as-current-owner', 'decided-amend'];

function revisionOf(identity: string | null): number {
  return Number(/\/r(\d+)$/.exec(identity ?? '')?.[1] ?? 1);
}

/** How the ledger's word about a task or an email differs from what there is. */
function wrongWord(
  state: ActionState,
  mine: readonly Made[],
  handMade: readonly ByHand[],
  all: readonly Made[],
): ImbalanceKind | null {
  const { recordId, kind } = state.evidence ?? {};
  if (saysDone(state)) {
    if (mine.some(({ id }) => id === recordId)) return null;
    if (handMade.some((one) => one.recordId === recordId)) return null;
    // A person's word without a record is true where there is any.
    if (kind === 'attested' && mine.length + handMade.length > 0) return null;
    return all.some(({ id }) => id === recordId) ? 'effect-of-another' : 'effect-missing';
  }
  return deniesEffect(state) && mine.length > 0 ? 'effect-denied' : null;
}

export function saysDone({ phase }: Pick<ActionState, 'phase'>): boolean {
  return phase === 'performed' || phase === 'stopped-but-done';
}

/** By the ledger nothing can be there: it was never claimed, or every attempt provably had no effect. */
function deniesEffect({ phase, mayHaveLanded }: ActionState): boolean {
  return ['open', 'not-applied', 'refused', 'stopped'].includes(phase) && !mayHaveLanded;
}

/** The owner that the evidence names; a person's word names it as its record. */
function ownerIn(evidence: ActionState['evidence']): string | null {
  const ownerId = evidence?.kind === 'attested' ? evidence.recordId : evidence?.facts.ownerId;
  return typeof ownerId === 'string' ? ownerId : null;
}

function hadOwner(record: LedgerRecord, { contacts }: Inspection, ownerId: string): boolean {
  const { evidence } = actionOf(record, 'upsert-contact');
  return contacts
    .filter((contact) => hasId(contact, evidence?.recordId))
    .some(({ ownerHistory }) => ownerHistory.some(({ value }) => value === ownerId));
}
