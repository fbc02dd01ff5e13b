import { ACTIONS, type ActionName } from '../functions/domain/action.ts';
import type { TrackedLead } from './chaos-journal.ts';
import { ROUTE } from './chaos-names.ts';
import { type Bureau, waitingLead } from './chaos-recovery.ts';
import type { PersonsInput } from './chaos-requests.ts';
import type { Deed } from './chaos-schedule.ts';

type Misdecide = Extract<Deed, { do: 'misdecide' }>;

/** A person decides something that nobody may decide; nothing but a refusal is right. */
export async function misdecide({ lead, as }: Misdecide, bureau: Bureau): Promise<void> {
  const { desk, journal } = bureau;
  const closed = journal.leads.filter(({ standing }) => standing === 'closed');
  const tracked = as === 'closed' ? closed[Math.floor(lead * closed.length)] : waitingLead(lead, journal);
  if (!tracked) return journal.missed('misdecide');
  const right = {
    leadRequestId: tracked.lead.leadRequestId,
    action: await askedAction(tracked, bureau),
    decision: 'resume',
    by: journal.newPerson(),
    reason: 'By mistake.',
  };
  await desk.ask(tracked, mistaken(as, right), true);
}

/** One that a person is asked about. */
async function askedAction({ lead }: TrackedLead, { engine }: Bureau): Promise<ActionName> {
  const key = { route: ROUTE, leadRequestId: lead.leadRequestId };
  const record = await engine.aws?.ledger.record(key).catch(() => null);
  const asked = record?.waiting.map(({ action }) => action) ?? [];
  return ACTIONS.find((name) => asked.includes(name)) ?? 'upsert-contact';
}

function mistaken(as: Misdecide['as'], right: PersonsInput): PersonsInput {
  switch (as) {
    case 'wrong-finding':
      // A finding that no action has: owners are changed, tasks are, contacts are not.
      return { ...right, finding: 'superseded:contact-changed' };
    case 'no-approver':
      return { ...right, decision: 'amend' };
    case 'impossible':
      return { ...right, decision: 'keep-owner', action: 'create-task' };
    case 'no-reason':
      return { ...right, reason: '' };
    case 'no-decision':
      return { ...right, decision: 'perhaps' };
    case 'unknown-lead':
      return { ...right, leadRequestId: `nobody-${right.leadRequestId}` };
    case 'closed':
      return right;
  }
}
