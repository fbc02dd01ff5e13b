/** What the sandbox destination shows of one lead. */
export interface Effects {
  readonly contacts: number;
  readonly ownerWrites: number;
  readonly tasks: number;
  readonly emails: number;
}

const ONE_OF_EACH: Effects = { contacts: 1, ownerWrites: 1, tasks: 1, emails: 1 };

/** One lead of the rehearsal, what goes wrong with it, and what must be true at its end. */
export interface Story {
  readonly title: string;
  readonly lead: { readonly leadRequestId: string; readonly email: string };
  readonly fault?: { readonly operation: string; readonly kind: string };
  readonly effects: Effects;
  /** In their order; the two branches of the parallel state are entered in either. */
  readonly states: readonly string[];
}

const QUIET_STATES = [
  'Upsert contact',
  'Assign owner',
  'Create task and send introduction',
  'Create task',
  'Send introduction',
  'Close record',
];

export const STORIES: readonly Story[] = [
  {
    title: 'a quiet lead',
    lead: { leadRequestId: 'rehearsal-quiet', email: 'quiet@rehearsal.example.com' },
    effects: ONE_OF_EACH,
    states: QUIET_STATES,
  },
  {
    title: 'a lead whose introduction is accepted, but the confirmation is lost',
    lead: { leadRequestId: 'rehearsal-lost-answer', email: 'lost-answer@rehearsal.example.com' },
    fault: { operation: 'send-email', kind: 'apply-then-drop' },
    effects: ONE_OF_EACH,
    states: [
      ...QUIET_STATES.slice(0, -1),
      'Reconcile introduction',
      'Introduction: what now?',
      'Introduction: kept',
      'Close record',
    ],
  },
];

interface Inspected {
  readonly contacts: readonly {
    readonly id: string;
    readonly email: string;
    readonly ownerHistory: readonly { readonly sourceType: string }[];
  }[];
  readonly tasks: readonly { readonly contactIds: readonly string[] }[];
  readonly emails: readonly { readonly to: readonly string[] }[];
}

/** Counts at the destination itself. */
export async function effectsAt(sandboxUrl: string, email: string): Promise<Effects> {
  const { contacts, tasks, emails } = (await (await fetch(`${sandboxUrl}/inspect`)).json()) as Inspected;
  const mine = contacts.filter((contact) => contact.email === email);
  const history = mine.flatMap(({ ownerHistory }) => ownerHistory);
  return {
    contacts: mine.length,
    ownerWrites: history.filter(({ sourceType }) => sourceType === 'INTEGRATION').length,
    tasks: tasks.filter(({ contactIds }) => mine.some(({ id }) => contactIds.includes(id))).length,
    emails: emails.filter(({ to }) => to.includes(email)).length,
  };
}

export async function planFault(sandboxUrl: string, { lead, fault }: Story): Promise<void> {
  if (fault === undefined) return;
  const response = await fetch(`${sandboxUrl}/faults`, {
    method: 'POST',
    body: JSON.stringify({ ...fault, match: { email: lead.email } }),
  });
  if (!response.ok) throw new Error(`The sandbox refused the fault: ${await response.text()}`);
}
