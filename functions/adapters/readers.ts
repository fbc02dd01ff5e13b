import type { ActionName } from '../domain/action.ts';
import type { ReceiverContract } from '../domain/contract.ts';
import { type RouteSettings, secretName } from '../domain/route.ts';
import type { Stage, StageNumbers } from '../domain/stage-numbers.ts';
import type { ContactReader } from '../ports/contacts.ts';
import type { EmailReader } from '../ports/emails.ts';
import type { TaskReader } from '../ports/tasks.ts';
import { environment } from './environment.ts';
import {
  HUBSPOT,
  hubspotContactContract,
  hubspotOwnerContract,
  hubspotTaskContract,
} from './hubspot/contract.ts';
import { hubspotReader } from './hubspot/reader.ts';
import { RESEND, resendContract } from './resend/contract.ts';
import { resendReader } from './resend/reader.ts';
import { bearerToken } from './secrets.ts';

/** The promise of the destination that an action writes to. */
export function contractOf(
  action: ActionName,
  route: RouteSettings,
  numbers: StageNumbers,
): ReceiverContract {
  switch (action) {
    case 'upsert-contact':
      return hubspotContactContract(numbers);
    case 'assign-owner':
      return hubspotOwnerContract(numbers);
    case 'create-task':
      return hubspotTaskContract(numbers, route.crm.uniqueTaskProperty);
    case 'send-introduction':
      return resendContract(numbers);
  }
}

/** Reads of the route's CRM, under the read credential. */
export function crmReader(
  stage: Stage,
  route: RouteSettings,
  numbers: StageNumbers,
): ContactReader & TaskReader {
  return hubspotReader({
    baseUrl: environment('HUBSPOT_BASE_URL'),
    token: bearerToken(secretName(stage, route.name, HUBSPOT, 'read')),
    timeoutMs: numbers.httpTimeoutMs,
    clock: Date.now,
    ...(route.crm.uniqueTaskProperty === undefined
      ? {}
      : { taskUniqueProperty: route.crm.uniqueTaskProperty }),
  });
}

/** Reads of the route's mail sender, under the read credential. */
export function mailReader(stage: Stage, route: RouteSettings, numbers: StageNumbers): EmailReader {
  return resendReader({
    baseUrl: environment('RESEND_BASE_URL'),
    token: bearerToken(secretName(stage, route.name, RESEND, 'read')),
    timeoutMs: numbers.httpTimeoutMs,
    clock: Date.now,
  });
}
