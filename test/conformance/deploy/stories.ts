import type { ActionName } from '../../../functions/domain/action.ts';
import type { DecisionKind } from '../../../functions/domain/decision.ts';

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
  readonly by: 'start function' | 'queue';
  readonly fault?: Readonly<Record<string, unknown>>;
  /** What a person is asked about and decides. */
  readonly decision?: { readonly action: ActionName; readonly decision: DecisionKind };
  readonly effects: Effects;
  /**
   * In their order; the two branches of the parallel state are entered in either. Without waits and the look that follows each: how
   * many there are is a matter of time.
   */
  readonly states: readonly string[];
}

const BEFORE_CLOSE = [
  'Upsert contact',
  'Assign owner',
  'Create task and send introduction',
  'Create task',
  'Send introduction',
];
const WAIT = 'Introduction: wait';
const LOOK = ['Reconcile introduction', 'Introduction: what now?'];

export const STORIES: readonly Story[] = [
  {
    title: 'a quiet lead',
    lead: { leadRequestId: 'rehearsal-quiet', email: 'quiet@rehearsal.example.com' },
    by: 'start function',
    effects: ONE_OF_EACH,
    states: [...BEFORE_CLOSE, 'Close record'],
  },
  {
    title: 'a lead whose introduction is accepted, but the confirmation is lost',
    lead: { leadRequestId: 'rehearsal-lost-answer', email: 'lost-answer@rehearsal.example.com' },
    by: 'queue',
    fault: { operation: 'send-email', kind: 'apply-then-drop' },
    effects: ONE_OF_EACH,
    states: [...BEFORE_CLOSE, ...LOOK, 'Introduction: kept', 'Close record'],
  },
  {
    title: 'a lead whose introduction is refused, until a person lets it go on',
    lead: { leadRequestId: 'rehearsal-decided', email: 'decided@rehearsal.example.com' },
    by: 'queue',
    fault: { operation: 'send-email', kind: 'status', status: 422 },
    decision: { action: 'send-introduction', decision: 'resume' },
    effects: ONE_OF_EACH,
    states: [
      ...BEFORE_CLOSE,
      ...LOOK,
      'Introduction: ask recovery owner',
      ...LOOK,
      'Send introduction',
      'Close record',
    ],
  },
];

/** The states of a run as a story tells them. */
export function toldStates(entered: readonly string[]): string[] {
  const told = entered.filter((state) => state !== WAIT);
  for (let waits = entered.length - told.length; waits > 0; waits -= 1) {
    for (const state of LOOK) told.splice(told.indexOf(state), 1);
  }
  return told;
}

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
