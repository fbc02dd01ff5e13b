import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { ActionName, LeadKey } from '../../domain/action.ts';
import type { ActionState } from '../../domain/action-state.ts';
import type { DeadLetter } from '../../domain/dead-letter.ts';
import type { Conflict, Handoff, OpenHandoff, Waiting, WaitingSubject } from '../../domain/handoff.ts';
import type { Operation } from '../../domain/operation.ts';
import type { PersonsHandoff } from '../../domain/same-person.ts';

export type Item = Record<string, AttributeValue>;

const DEAD_LETTERS = 'DEAD#';

/** Item keys of the ledger table. */
export const keys = {
  lead: (key: LeadKey) => `LEAD#${key.route}/${key.leadRequestId}`,
  handoff: 'HANDOFF',
  action: (action: ActionName) => `ACTION#${action}`,
  operation: (action: ActionName, revision: number) => `OPERATION#${action}#${revision}`,
  waiting: (subject: WaitingSubject) => `WAITING#${subject}`,
  conflict: (hash: string) => `CONFLICT#${hash}`,
  deadLetter: (messageId: string) => `${DEAD_LETTERS}${messageId}`,
  person: (person: string) => `PERSON#${person}`,
  route: (route: string) => `ROUTE#${route}`,
  routeState: 'STATE',
  rotation: 'ROTATION',
  destination: (destination: string) => `DESTINATION#${destination}`,
  breaker: 'BREAKER',
};

/** The index partition of waiting work: asks by route, parks by what they wait for. */
export function waitingPartition(kind: Waiting['kind'], partition: string): string {
  return `${kind}#${partition}`;
}

/** The index partition of a route's handoffs that are not closed. */
export function openPartition(route: string): string {
  return `open#${route}`;
}

export function toItem(pk: string, sk: string, value: object): Item {
  return marshall({ ...value, pk, sk }, { removeUndefinedValues: true });
}

export function fromItem(item: Item): { pk: string; sk: string; value: Record<string, unknown> } {
  const { pk, sk, waitingKey: _key, waitingSince: _since, expiresAt: _expiry, ...value } = unmarshall(item);
  return { pk, sk, value };
}

export const toAction = (item: Item) => fromItem(item).value as unknown as ActionState;
export const toHandoff = (item: Item) => fromItem(item).value as unknown as Handoff;
export const toOperation = (item: Item) => fromItem(item).value as unknown as Operation;
export const toDeadLetter = (item: Item) => fromItem(item).value as unknown as DeadLetter;
export const toPersonsHandoff = (item: Item) => fromItem(item).value as unknown as PersonsHandoff;
/** A dead letter waits by itself, the others have an item of their own. */
export const toWaiting = (item: Item): Waiting => {
  const { sk, value } = fromItem(item);
  return (sk.startsWith(DEAD_LETTERS) ? value.waiting : value) as Waiting;
};
export const toOpenHandoff = (item: Item): OpenHandoff => {
  const { route, leadRequestId, execution, run, acceptedAt } = toHandoff(item);
  return { route, leadRequestId, execution, run, acceptedAt };
};
export const toConflict = (item: Item) => fromItem(item).value as unknown as Conflict;

/** The lead that an item's partition key belongs to. */
export function leadKeyOf(pk: string): LeadKey {
  const path = pk.slice('LEAD#'.length);
  const slash = path.indexOf('/');
  return { route: path.slice(0, slash), leadRequestId: path.slice(slash + 1) };
}
