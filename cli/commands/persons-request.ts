import { Refusal } from '../../functions/domain/decision-refusals.ts';
import { type PersonsRequest, parsePersonsRequest } from '../../functions/domain/decision-request.ts';
import { WrongUsage } from '../errors.ts';

/** How the command line calls the fields of a request. */
const SPELLED: Readonly<Record<string, string>> = {
  leadRequestId: 'ID',
  action: 'ACTION',
  decision: 'DECISION',
  by: '--by',
  reason: '--reason',
  evidence: '--evidence',
  finding: '--finding',
};

/**
 * Checks what a person typed by the rules of the recovery state machine, before anything is started.
 *
 * @throws WrongUsage naming what is expected
 */
export function personsRequest(fields: Readonly<Record<string, unknown>>): PersonsRequest {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const request = parsePersonsRequest(given);
  if (!(request instanceof Refusal)) return request;
  const message = request.message.replace(/^\w+(?=:)/, (field) => SPELLED[field] ?? field);
  throw new WrongUsage(message);
}
