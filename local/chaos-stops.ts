import type { ActionName } from '../functions/domain/action.ts';
import { stampOf } from './chaos-books-effects.ts';
import type { Journal, TrackedLead } from './chaos-journal.ts';
import type { Bureau } from './chaos-recovery.ts';
import type { InspectedContact, Inspection } from './chaos-sandbox.ts';
import type { Deed } from './chaos-schedule.ts';
import { isAnswerOut } from './chaos-strikes.ts';

/* A stop is possible at any time, and so comes at any time. */

type DeedOf<K extends Deed['do']> = Extract<Deed, { do: K }>;

export async function stopAction({ back, action }: DeedOf<'stop-action'>, bureau: Bureau): Promise<void> {
  const tracked = bureau.journal.back(back);
  if (!tracked) return bureau.journal.missed('stop-action');
  await stopNow(tracked, action, bureau);
}

/** Stops an action while its worker waits for the destination's answer. */
export async function stopAtWork(deed: DeedOf<'stop-at-work'>, bureau: Bureau): Promise<void> {
  const { sandbox, journal } = bureau;
  const tracked = (await isAnswerOut(deed, bureau))
    ? newestOf(deed.action, journal, await sandbox.inspect())
    : undefined;
  if (!tracked) return journal.missed('stop-at-work');
  await stopNow(tracked, deed.action, bureau);
}

/** Whose effect came last. */
function newestOf(
  action: ActionName,
  { leads }: Journal,
  { contacts, tasks, emails }: Inspection,
): TrackedLead | undefined {
  const ofEmail = (email: string | null | undefined) => leads.findLast(({ lead }) => lead.email === email);
  const ofIdentity = (identity: string | null | undefined) =>
    leads.find(({ lead }) => lead.leadRequestId === identity?.split('/')[1]);
  const lastTask = tasks.at(-1);
  switch (action) {
    case 'upsert-contact':
      return ofEmail(contacts.at(-1)?.email);
    case 'assign-owner':
      return ofEmail(contacts.toSorted((a, b) => setAt(a) - setAt(b)).at(-1)?.email);
    case 'create-task':
      return ofIdentity(lastTask && stampOf(lastTask));
    case 'send-introduction':
      return ofIdentity(emails.at(-1)?.key);
  }
}

/** When we last set the owner. */
function setAt({ ownerHistory }: InspectedContact): number {
  const ours = ownerHistory.find(({ sourceType }) => sourceType === 'INTEGRATION');
  return ours ? Date.parse(ours.timestamp) : 0;
}

async function stopNow(tracked: TrackedLead, action: ActionName, bureau: Bureau): Promise<void> {
  const { leadRequestId } = tracked.lead;
  const by = bureau.journal.newPerson();
  const reason = 'Not wanted any more.';
  await bureau.desk.ask(tracked, { leadRequestId, action, decision: 'stop', by, reason });
}
