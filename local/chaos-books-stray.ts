import { operationIdentity } from '../functions/domain/action.ts';
import type { LedgerRecord } from '../functions/domain/handoff.ts';
import type { Books, Imbalance } from './chaos-books.ts';
import { isIdentity, stampOf } from './chaos-books-effects.ts';

/** Effects that no accepted lead stands for: from refused other fields, or out of nowhere. People create records too. */
export function strayEffects({ leads, inspection }: Books): Imbalance[] {
  const records = leads.flatMap(({ record }) => record ?? []);
  const handMade = new Set(leads.flatMap(({ byHand }) => byHand.map(({ recordId }) => recordId)));
  const tasks = inspection.tasks
    .map((task) => ({ id: task.id, stamp: stampOf(task) }))
    .filter(({ id, stamp }) => !handMade.has(id) && !records.some((record) => isTaskOf(record, stamp)))
    .map(({ id, stamp }) => stray(`the task ${id} has the identity ${stamp}`));
  const emails = inspection.emails
    .filter(({ key }) => !records.some((record) => isEmailOf(record, key)))
    .map(({ id, key }) => stray(`the email ${id} has the identity ${key}`));
  const wrongPeople = inspection.emails
    .filter(({ key, to }) => {
      const record = records.find((one) => isEmailOf(one, key));
      return record !== undefined && to.join() !== record.handoff.lead.email;
    })
    .map(({ id, key }) => stray(`the email ${id} has the identity ${key}, and went to somebody else`));
  const contacts = inspection.contacts
    .filter(({ email }) => email?.startsWith('other-'))
    .map(({ id }) => stray(`the contact ${id} comes from fields that were refused`));
  return [...tasks, ...emails, ...wrongPeople, ...contacts];
}

function stray(detail: string): Imbalance {
  return { leadRequestId: null, kind: 'effect-nobody-asked-for', detail };
}

function isTaskOf({ handoff }: LedgerRecord, stamp: string | null): boolean {
  return isIdentity(operationIdentity(handoff, 'create-task'), stamp);
}

function isEmailOf({ handoff }: LedgerRecord, key: string | null): boolean {
  return isIdentity(operationIdentity(handoff, 'send-introduction'), key);
}
