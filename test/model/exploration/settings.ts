import type { ActionName } from '../../../functions/domain/action.ts';
import type { ReceiverContract } from '../../../functions/domain/contract.ts';
import type { StageNumbers } from '../../../functions/domain/stage-numbers.ts';
import { START } from '../clock.ts';
import { contractOfKind } from '../settings.ts';
import { type Contact, newContact, type Promises } from './destination.ts';

const SECOND = 1_000;

/** Small numbers in the same order as the real ones, so that every loop closes after few turns. */
export const NUMBERS: StageNumbers = {
  httpTimeoutMs: 2 * SECOND,
  claimDeadlineMs: 3 * SECOND,
  functionTimeoutSeconds: 4,
  taskTimeoutSeconds: 6,
  landingBoundMs: 10 * SECOND,
  readLagMs: SECOND,
  searchLagMs: 6 * SECOND,
  backOffBaseMs: 2 * SECOND,
  backOffCapMs: 4 * SECOND,
  backOffFloorMs: SECOND,
  attempts: 2,
  grantExpiryMs: 20 * SECOND,
  askSlaSeconds: 60,
  escalations: 1,
  parkSeconds: 30,
  keyWindowMs: 50 * SECOND,
  keyWindowMarginMs: 10 * SECOND,
  unreadableReads: 2,
};

/** One action at one receiver: the contract that we declare, and what the receiver really does. */
export interface Subject {
  readonly name: string;
  readonly action: ActionName;
  readonly contract: ReceiverContract;
  readonly promises: Promises;
  readonly contact: Contact | null;
}

const promises: Promises = {
  keyWindowMs: null,
  uniqueTasks: false,
  conditionalOwner: false,
  readLagMs: NUMBERS.readLagMs,
  landingBoundMs: NUMBERS.landingBoundMs,
};

function contract(kind: ReceiverContract['kind'], readLagMs = NUMBERS.readLagMs): ReceiverContract {
  const keyed = kind === 'idempotency-key';
  return {
    ...contractOfKind(kind),
    destination: 'model',
    keyWindowMs: keyed ? NUMBERS.keyWindowMs : null,
    keyWindowMarginMs: keyed ? NUMBERS.keyWindowMarginMs : 0,
    landingBoundMs: NUMBERS.landingBoundMs,
    readLagMs,
  };
}

/** Long before anything that a schedule does. */
export const BEFORE = START - 1_000_000;

const LEAD_PROPERTIES = {
  email: 'jo.lind@customer.example.com',
  firstname: 'Jo',
  lastname: 'Lind',
  company: 'Lind Oy',
};
const fresh = newContact('501', BEFORE, LEAD_PROPERTIES);
const owned: Contact = { ...fresh, owners: [{ ownerId: '71', at: BEFORE, source: 'INTEGRATION' }] };

export const SUBJECTS = {
  'introduction by key': {
    action: 'send-introduction',
    contract: contract('idempotency-key'),
    promises: { ...promises, keyWindowMs: NUMBERS.keyWindowMs },
    contact: owned,
  },
  'introduction without contract': {
    action: 'send-introduction',
    contract: contract('none'),
    promises,
    contact: owned,
  },
  'task by search': {
    action: 'create-task',
    contract: contract('stamp-and-search', NUMBERS.searchLagMs),
    promises: { ...promises, readLagMs: NUMBERS.searchLagMs },
    contact: owned,
  },
  'task by unique property': {
    action: 'create-task',
    contract: contract('natural-key'),
    promises: { ...promises, uniqueTasks: true },
    contact: owned,
  },
  'task without contract': { action: 'create-task', contract: contract('none'), promises, contact: owned },
  'contact by email': {
    action: 'upsert-contact',
    contract: contract('natural-key'),
    promises,
    contact: null,
  },
  'contact with blanks': {
    action: 'upsert-contact',
    contract: contract('natural-key'),
    promises,
    contact: newContact('501', BEFORE, { email: LEAD_PROPERTIES.email }),
  },
  'owner read again': {
    action: 'assign-owner',
    contract: contract('natural-key'),
    promises,
    contact: fresh,
  },
  'owner by conditional write': {
    action: 'assign-owner',
    contract: contract('conditional-write'),
    promises: { ...promises, conditionalOwner: true },
    contact: fresh,
  },
} as const satisfies Record<string, Omit<Subject, 'name'>>;

export type SubjectName = keyof typeof SUBJECTS;

export function subjectNamed(name: SubjectName): Subject {
  return { name, ...SUBJECTS[name] };
}
