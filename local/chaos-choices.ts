import { type ActionName, operationIdentity } from '../functions/domain/action.ts';
import type { DecisionKind } from '../functions/domain/decision.ts';
import type { FilledAction, FilledRecord } from '../functions/domain/filled-record.ts';
import type { Choice } from '../functions/domain/recovery-choices.ts';
import { hasId, isIdentity, stampOf } from './chaos-books-effects.ts';
import type { TrackedLead } from './chaos-journal.ts';
import type { PersonsInput } from './chaos-requests.ts';
import type { InspectedContact, Inspection } from './chaos-sandbox.ts';

/** How often each is chosen where it is possible. Whoever stops everything learns nothing. */
const WEIGHTS: Readonly<Record<DecisionKind, number>> = {
  resume: 4,
  confirm: 4,
  'take-over': 4,
  'keep-owner': 4,
  'send-as-current-owner': 4,
  stop: 1,
  // Only who has taken it over knows whether it was done, and comes back by himself.
  release: 0,
  amend: 1,
};

/** Fields that somebody has corrected are meant to be put in place. */
const CORRECTION_WEIGHT = 10;

/** A decision that the record offers, ready to be made. */
export interface Chosen {
  readonly input: PersonsInput & { readonly action: ActionName };
  readonly riskAccepted: boolean;
}

/** The people who choose. */
export interface Choosing {
  /** What a person sees of an action's effect at the destinations. */
  readonly seen: (action: ActionName) => string | null;
  /** The name of the route's approver. */
  readonly approver: string;
  /** Hashes of fields that no approver puts in the place of the lead's: they are another person's. */
  readonly notTheirs: readonly string[];
}

/**
 * One of the choices that the record offers and that an honest person can make: who confirms has seen the effect.
 *
 * @param pick in [0, 1)
 * @param by what the person types as their name, unless it takes an approver
 */
export function chosenFrom(
  filled: FilledRecord,
  { seen, approver, notTheirs }: Choosing,
  pick: number,
  by: string,
): Chosen | null {
  const weighted = filled.actions
    .flatMap((action) => action.choices.map((choice) => ({ action, choice })))
    .filter(({ choice }) => choice.decision !== 'amend' || !notTheirs.includes(choice.input.evidence ?? ''))
    .map((one) => ({ ...one, weight: weightOf(one, seen) }))
    .filter(({ weight }) => weight > 0);
  let left = pick * weighted.reduce((total, { weight }) => total + weight, 0);
  const found = weighted.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  return found ? made(found.choice, seen, pick, found.choice.approversOnly ? approver : by) : null;
}

function weightOf(
  { action, choice }: { action: FilledAction; choice: Choice },
  seen: (action: ActionName) => string | null,
): number {
  const { decision, input } = choice;
  if (decision === 'confirm') {
    // Somebody else has it in hand, and says himself what came of it.
    return action.phase !== 'taken-over' && seen(action.action) !== null ? WEIGHTS.confirm : 0;
  }
  return decision === 'amend' && input.evidence !== undefined ? CORRECTION_WEIGHT : WEIGHTS[decision];
}

function made(
  { input, decision }: Choice,
  seen: (action: ActionName) => string | null,
  pick: number,
  by: string,
): Chosen {
  const chosen = { ...input, by, reason: 'Looked at it.' };
  const riskAccepted = input.riskAccepted === true;
  if (decision !== 'confirm') return { input: chosen, riskAccepted };
  const { evidence: _offered, ...rest } = chosen;
  const recordId = seen(input.action);
  // Without a record it is the person's word alone; a contact is needed by its id.
  const named = recordId !== null && (input.action === 'upsert-contact' || pick < 0.7);
  return { input: { ...rest, ...(named ? { evidence: recordId } : {}) }, riskAccepted };
}

/** What a person sees of an action's effect at the destinations: the record's id, or the owner's; null for nothing. */
export function effectSeen(
  action: ActionName,
  { lead, byHand }: Pick<TrackedLead, 'lead' | 'byHand'>,
  { route, leadRequestId, contactId }: Pick<FilledRecord, 'route' | 'leadRequestId' | 'contactId'>,
  inspection: Inspection,
): string | null {
  const identity = operationIdentity({ route, leadRequestId }, action);
  const handMade = byHand.find((one) => one.action === action)?.recordId ?? null;
  switch (action) {
    case 'upsert-contact':
      return liveContact(inspection, lead.email, contactId)?.id ?? null;
    case 'assign-owner':
      return liveContact(inspection, lead.email, contactId)?.ownerId ?? null;
    case 'create-task':
      return inspection.tasks.find((task) => isIdentity(identity, stampOf(task)))?.id ?? handMade;
    case 'send-introduction':
      return inspection.emails.find(({ key }) => isIdentity(identity, key))?.id ?? handMade;
  }
}

export function liveContact(
  { contacts }: Inspection,
  email: string,
  contactId: string | null,
): InspectedContact | null {
  const live = contacts.filter(({ archived }) => !archived);
  return live.find((one) => hasId(one, contactId)) ?? live.find((one) => one.email === email) ?? null;
}
