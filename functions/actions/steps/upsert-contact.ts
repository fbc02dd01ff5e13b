import type { ReceiverContract } from '../../domain/contract.ts';
import type { ContactSnapshot } from '../../domain/destination-records.ts';
import { contactFinding, missingProperties } from '../../domain/findings.ts';
import type { UpsertContactBody } from '../../domain/operation.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { RouteSettings } from '../../domain/route.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ContactFields, ContactReader, ContactWriter, WriteCall } from '../../ports/contacts.ts';
import { type ActionSteps, afterReading } from './steps.ts';

export interface UpsertContactPorts {
  readonly reader: ContactReader;
  readonly writer: ContactWriter;
  readonly toProperties: (fields: ContactFields) => Record<string, string>;
  readonly route: Pick<RouteSettings, 'contactValues'>;
  readonly contract: ReceiverContract;
  readonly clock: Clock;
}

/** Reads by email, then creates the contact or writes the values that it lacks. */
export function upsertContactSteps(ports: UpsertContactPorts): ActionSteps<'upsert-contact'> {
  return {
    async freeze({ handoff: { lead } }) {
      return {
        email: lead.email,
        properties: ports.toProperties(lead),
        values: ports.route.contactValues,
      };
    },
    perform: ({ body }, call) => {
      const readStartedAt = ports.clock();
      return afterReading(
        () => ports.reader.findByEmail(body.email),
        (contact) =>
          contact === null ? create(body, call, ports) : update(contact, body, call, readStartedAt, ports),
      );
    },
  };
}

/** A record that exists after all is read back: the next attempt writes what it lacks. */
async function create(body: UpsertContactBody, call: WriteCall, ports: UpsertContactPorts): Promise<Outcome> {
  const { conflict, ...outcome } = await ports.writer.createContact(body.properties, call);
  if (!conflict) return outcome;
  const readStartedAt = ports.clock();
  const contact = await ports.reader.findByEmail(body.email).catch(() => null);
  const finding = contactFinding(contact, body, ports.contract, { readStartedAt, settleAt: 0 });
  if (finding.finding === 'done') return { outcome: 'performed', evidence: finding.evidence };
  return contact === null
    ? { outcome: 'unknown', reason: 'already-exists' }
    : { outcome: 'not-applied', reason: 'already-exists', requestLeft: true };
}

async function update(
  contact: ContactSnapshot,
  body: UpsertContactBody,
  call: WriteCall,
  readStartedAt: number,
  { writer, contract }: UpsertContactPorts,
): Promise<Outcome> {
  if (contact.archived) return { outcome: 'refused', reason: 'contact-archived' };
  const missing = missingProperties(contact, body);
  if (missing.length > 0) {
    return writer.update(
      contact.id,
      Object.fromEntries(missing.map((name) => [name, body.properties[name] ?? ''])),
      call,
    );
  }
  const finding = contactFinding(contact, body, contract, { readStartedAt, settleAt: 0 });
  return finding.finding === 'done'
    ? { outcome: 'performed', evidence: finding.evidence }
    : { outcome: 'unknown', reason: 'contact-unclear' };
}
