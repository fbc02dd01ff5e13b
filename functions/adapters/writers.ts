import { type RouteSettings, secretName } from '../domain/route.ts';
import type { Stage, StageNumbers } from '../domain/stage-numbers.ts';
import type { ContactWriter } from '../ports/contacts.ts';
import type { EmailSender } from '../ports/emails.ts';
import type { TaskWriter } from '../ports/tasks.ts';
import { environment } from './environment.ts';
import { HUBSPOT } from './hubspot/contract.ts';
import { hubspotWriter } from './hubspot/writer.ts';
import { RESEND } from './resend/contract.ts';
import { resendSender } from './resend/sender.ts';
import { bearerToken } from './secrets.ts';

/** Writes to the route's CRM, under the write credential. */
export function crmWriter(
  stage: Stage,
  route: RouteSettings,
  numbers: StageNumbers,
): ContactWriter & TaskWriter {
  return hubspotWriter({
    baseUrl: environment('HUBSPOT_BASE_URL'),
    token: bearerToken(secretName(stage, route.name, HUBSPOT, 'write')),
    timeoutMs: numbers.httpTimeoutMs,
    clock: Date.now,
    ...(route.crm.uniqueTaskProperty === undefined
      ? {}
      : { taskUniqueProperty: route.crm.uniqueTaskProperty }),
  });
}

/** Sends through the route's mail sender, under the write credential. */
export function mailSender(stage: Stage, route: RouteSettings, numbers: StageNumbers): EmailSender {
  return resendSender({
    baseUrl: environment('RESEND_BASE_URL'),
    token: bearerToken(secretName(stage, route.name, RESEND, 'write')),
    timeoutMs: numbers.httpTimeoutMs,
    clock: Date.now,
  });
}
