import type { ReceiverContract } from '../../domain/contract.ts';
import type { StageNumbers } from '../../domain/stage-numbers.ts';

export const HUBSPOT = 'hubspot';

const CONTACTS = 'https://developers.hubspot.com/docs/api-reference/latest/crm/objects/contacts/guide';
const TASKS = 'https://developers.hubspot.com/docs/api-reference/latest/crm/activities/tasks/guide';
const SEARCH = 'https://developers.hubspot.com/docs/api-reference/search/guide';
const UNIQUE = 'https://developers.hubspot.com/docs/api-reference/crm-properties-v3/guide';
const ERRORS = 'https://developers.hubspot.com/docs/api-reference/error-handling';

const withoutKeys = { destination: HUBSPOT, keyWindowMs: null, keyWindowMarginMs: 0 } as const;

/** A contact is unique by email: creating it twice answers 409, and it is read by that email. */
export function hubspotContactContract(numbers: StageNumbers): ReceiverContract {
  return {
    ...withoutKeys,
    kind: 'natural-key',
    landingBoundMs: numbers.landingBoundMs,
    readLagMs: numbers.readLagMs,
    sources: [CONTACTS, ERRORS],
  };
}

/**
 * The owner is one property of one contact, so that writing it twice changes nothing. HubSpot has no conditional write: a person
 * may change it between our read and our write, which the property's history shows afterwards.
 */
export function hubspotOwnerContract(numbers: StageNumbers): ReceiverContract {
  return {
    ...withoutKeys,
    kind: 'natural-key',
    landingBoundMs: numbers.landingBoundMs,
    readLagMs: numbers.readLagMs,
    sources: [CONTACTS, ERRORS],
  };
}

/**
 * A task has no key of its own: it is found again by the stamp in its text, through a search index that lags and leaves archived
 * tasks out. With a task property that the portal declares unique, HubSpot refuses a second one and the task is read by key,
 * archived or not.
 */
export function hubspotTaskContract(numbers: StageNumbers, uniqueProperty?: string): ReceiverContract {
  const unique = uniqueProperty !== undefined;
  return {
    ...withoutKeys,
    kind: unique ? 'natural-key' : 'stamp-and-search',
    landingBoundMs: numbers.landingBoundMs,
    readLagMs: unique ? numbers.readLagMs : numbers.searchLagMs,
    sources: unique ? [TASKS, UNIQUE, ERRORS] : [TASKS, SEARCH, ERRORS],
  };
}
