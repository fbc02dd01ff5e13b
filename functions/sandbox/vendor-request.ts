import { countAgainstLimit, refuseEntry, tooManyRequests } from './admission.ts';
import type { Call } from './call.ts';
import { carryOut, type Outgoing } from './carry-out.ts';
import { findByEmail, findById, writeContact } from './contact-store.ts';
import { type PersonSetsOwner, type Subject, type TakenFaults, takeFaults } from './faults.ts';
import type { Operation } from './operations.ts';
import { person } from './property-history.ts';
import { rateHeaders } from './rate-limit.ts';
import type { RequestEntry } from './request-log.ts';
import type { Match, Route } from './routes.ts';
import { subjectOf } from './subject.ts';
import { ANSWER, type Answer } from './wire.ts';

/** The name of what a request asks for; null for an unknown route. */
export function operationOf({ route }: Match, call: Call): Operation | null {
  if (!route) return null;
  return typeof route.operation === 'function' ? route.operation(call) : route.operation;
}

/** Serves one request to a vendor's route and writes into its log entry what became of it. */
export function serveVendor(match: Match, call: Call, target: string, entry: RequestEntry): Outgoing {
  const refusal = refuseEntry(match, call);
  if (refusal) return answered(entry, refusal);
  const { route } = match;
  const operation = operationOf(match, call);
  if (!route || !operation) throw new Error('A request without a route was let in.');
  const rate = countAgainstLimit(match, call);
  const headers = rate ? rateHeaders(match.vendor, rate) : {};
  if (rate && !rate.allowed) return answered(entry, withHeaders(tooManyRequests(match, call), headers));

  const subject = () => subjectOf(call, target);
  const taken = takeFaults(call.state.faults, operation, subject);
  noteFaults(entry, taken);
  letPeopleAct('before', taken.people, route, call, subject);
  const outgoing = carryOut(route, call, taken.answer, entry);
  letPeopleAct('after', taken.people, route, call, subject);
  return { ...outgoing, answer: withHeaders(outgoing.answer, headers) };
}

function answered(entry: RequestEntry, answer: Answer): Outgoing {
  entry.status = answer.status;
  return { answer, delivery: ANSWER };
}

function withHeaders(answer: Answer, headers: Readonly<Record<string, string>>): Answer {
  return { ...answer, headers: { ...headers, ...answer.headers } };
}

function noteFaults(entry: RequestEntry, { answer, people }: TakenFaults): void {
  const kinds = [...people, ...(answer ? [answer] : [])].map(({ kind }) => kind);
  if (kinds.length > 0) entry.fault = kinds.join('+');
}

/** A person at the CRM's screen: before our write is applied, or after our read was answered. */
function letPeopleAct(
  moment: 'before' | 'after',
  people: readonly PersonSetsOwner[],
  route: Route,
  call: Call,
  subject: () => Subject,
): void {
  const usual = route.access === 'write' ? 'before' : 'after';
  for (const { ownerId, when } of people) {
    if ((when ?? usual) !== moment) continue;
    const { contactIds, emails } = subject();
    const found =
      [...contactIds].map((id) => findById(call.state, id)).find((contact) => contact !== null) ??
      [...emails].map((email) => findByEmail(call.state, email)).find((contact) => contact !== null);
    if (found) writeContact(call.state, found, { hubspot_owner_id: ownerId }, call.now, person());
  }
}
