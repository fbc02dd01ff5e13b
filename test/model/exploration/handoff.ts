import { type ActionName, executionName, operationIdentity } from '../../../functions/domain/action.ts';
import { type ActionState, openAction } from '../../../functions/domain/action-state.ts';
import type { Amendment } from '../../../functions/domain/amendment.ts';
import type { Evidence } from '../../../functions/domain/evidence.ts';
import type { Conflict, Handoff } from '../../../functions/domain/handoff.ts';
import type { LeadRequest } from '../../../functions/domain/lead-request.ts';
import { personKey } from '../../../functions/domain/same-person.ts';
import { KEY, LEAD } from '../bench.ts';
import { BEFORE } from './settings.ts';

export { KEY };

/** The run that the start function started. */
export const FIRST_RUN = executionName(KEY, 1);
/** The run that takes the fence. */
export const SECOND_RUN = executionName(KEY, 2);
/** A run that never had the fence. */
export const STRANGER = executionName(KEY, 9);

export function runOf(execution: string): number {
  return Number(execution.split('.').at(-1));
}

/** The hash of the fields that came first. */
export const FIRST_FIELDS = 'intent';

/** Fields that come under the id, by their hash. */
const FIELDS: Readonly<Record<string, LeadRequest>> = {
  [FIRST_FIELDS]: LEAD,
  'other-name': { ...LEAD, firstName: 'Joan', company: 'Lind AB' },
  'other-address': { ...LEAD, email: 'jo@customer.example.com' },
};

export type OtherFields = 'other-name' | 'other-address';

export function fieldsNamed(hash: string): LeadRequest {
  const fields = FIELDS[hash];
  if (!fields) throw new Error(`There are no fields ${hash}.`);
  return fields;
}

/** The fields as they are kept beside those that hold. */
export function conflictOf(intentHash: string): Conflict {
  return { intentHash, firstSeenAt: BEFORE, lead: fieldsNamed(intentHash) };
}

export function personOf(hash: string): string {
  return personKey(fieldsNamed(hash).email);
}

/** The handoff whose one action is explored. */
export function handoffOf(
  execution: string,
  closedAt: number | null = null,
  amendments: readonly Amendment[] = [],
): Handoff {
  return {
    ...KEY,
    lead: fieldsNamed(amendments.at(-1)?.intentHash ?? FIRST_FIELDS),
    ownerId: '71',
    intentHash: FIRST_FIELDS,
    acceptedAt: BEFORE,
    closedAt,
    execution,
    run: runOf(execution),
    amendments,
  };
}

/** An action before the explored one: performed long ago. */
export function performedBefore(action: ActionName): ActionState {
  const evidence: Evidence = {
    kind: 'receipt',
    destination: 'model',
    recordId: '501',
    readAt: BEFORE,
    facts: { ownerId: '71' },
  };
  return {
    ...openAction(action),
    phase: 'performed',
    attempt: 1,
    version: 2,
    operation: { revision: 1, identity: operationIdentity(KEY, action), bodyHash: 'before' },
    requestLeft: true,
    evidence,
  };
}
