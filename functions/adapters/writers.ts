import type { RouteSettings } from '../domain/route.ts';
import type { Stage, StageNumbers } from '../domain/stage-numbers.ts';
import type { ContactWriter } from '../ports/contacts.ts';
import type { EmailSender } from '../ports/emails.ts';
import type { TaskWriter } from '../ports/tasks.ts';
import { destinationAccess, uniqueTaskProperty } from './destination-access.ts';
import { HUBSPOT } from './hubspot/contract.ts';
import { hubspotWriter } from './hubspot/writer.ts';
import { RESEND } from './resend/contract.ts';
import { resendSender } from './resend/sender.ts';

/** Writes to the route's CRM, under the write credential. */
export function crmWriter(
  stage: Stage,
  route: RouteSettings,
  numbers: StageNumbers,
): ContactWriter & TaskWriter {
  return hubspotWriter({
    ...destinationAccess(HUBSPOT, 'write', stage, route, numbers),
    ...uniqueTaskProperty(route),
  });
}

/** Sends through the route's mail sender, under the write credential. */
export function mailSender(stage: Stage, route: RouteSettings, numbers: StageNumbers): EmailSender {
  return resendSender(destinationAccess(RESEND, 'write', stage, route, numbers));
}
