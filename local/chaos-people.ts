import type { Journal, TrackedLead } from './chaos-journal.ts';
import type { SandboxControl } from './chaos-sandbox.ts';
import type { Deed } from './chaos-schedule.ts';

type PersonsDeed = Extract<Deed, { do: 'set-owner' | 'merge' | 'archive' | 'opt-out' }>;

/** People at the CRM's screens, while handoffs are under way. */
export async function personDoes(
  deed: PersonsDeed,
  tracked: TrackedLead,
  sandbox: SandboxControl,
  journal: Journal,
): Promise<void> {
  const { totals } = journal;
  const { email } = tracked.lead;
  const done = (line: string) => journal.note(tracked, `a person: ${line}`);
  switch (deed.do) {
    case 'set-owner':
      if (!(await sandbox.person('set-owner', { email, ownerId: deed.ownerId }))) break;
      totals.reassignments += 1;
      return done(`owner ${deed.ownerId ?? 'cleared'}`);
    case 'merge':
      if (!(await merge(deed.survivor, email, sandbox))) break;
      totals.merges += 1;
      return done(`merged, the ${deed.survivor}’s values survive`);
    case 'archive':
      if (!(await sandbox.person('archive', { email }))) break;
      totals.archived += 1;
      return done('archived the contact');
    case 'opt-out':
      if (!(await sandbox.person('opt-out', { email }))) break;
      totals.optOuts += 1;
      tracked.optedOutAt = Date.now();
      return done('opted out');
  }
  journal.missed(deed.do);
}

/** With a contact that nobody owns, so that the owner's history stays the lead's own. */
async function merge(survivor: 'lead' | 'other', email: string, sandbox: SandboxControl): Promise<boolean> {
  const double = `double-${email}`;
  await sandbox.person('create', { properties: { email: double } }).catch(() => false);
  const [primary, other] = survivor === 'lead' ? [email, double] : [double, email];
  return sandbox.person('merge', { email: primary, otherEmail: other }).catch(() => false);
}
