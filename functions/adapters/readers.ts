import type { RouteSettings } from '../domain/route.ts';
import type { Stage, StageNumbers } from '../domain/stage-numbers.ts';
import type { ContactReader } from '../ports/contacts.ts';
import type { EmailReader } from '../ports/emails.ts';
import type { TaskReader } from '../ports/tasks.ts';
import { destinationAccess, uniqueTaskProperty } from './destination-access.ts';
import { HUBSPOT } from './hubspot/contract.ts';
import { hubspotReader } from './hubspot/reader.ts';
import { RESEND } from './resend/contract.ts';
import { resendReader } from './resend/reader.ts';

/** Reads of the route's CRM, under the read credential. */
export function crmReader(
  stage: Stage,
  route: RouteSettings,
  numbers: StageNumbers,
): ContactReader & TaskReader {
  return hubspotReader({
    ...destinationAccess(HUBSPOT, 'read', stage, route, numbers),
    ...uniqueTaskProperty(route),
  });
}

/** Reads of the route's mail sender, under the read credential. */
export function mailReader(stage: Stage, route: RouteSettings, numbers: StageNumbers): EmailReader {
  return resendReader(destinationAccess(RESEND, 'read', stage, route, numbers));
}
