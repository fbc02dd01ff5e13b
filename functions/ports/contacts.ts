import type { ContactSnapshot } from '../domain/destination-records.ts';
import type { Outcome } from '../domain/outcome.ts';

export type { ContactSnapshot, OwnerChange } from '../domain/destination-records.ts';

/** A person of the CRM who can own leads. */
export interface Owner {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/**
 * Reads of a CRM. Every method throws `DestinationUnreadable` when the CRM gave no usable answer; null means that the CRM
 * answered and has no such record, archived ones included.
 */
export interface ContactReader {
  findByEmail(email: string): Promise<ContactSnapshot | null>;
  /** Follows a merge to the survivor. */
  findById(id: string): Promise<ContactSnapshot | null>;
  findOwner(ownerId: string): Promise<Owner | null>;
}

/** The lead's fields in the terms of this product; the adapter maps them to the CRM's property names. */
export interface ContactFields {
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly company?: string;
  readonly phone?: string;
  readonly country?: string;
  readonly language?: string;
}

/**
 * Writes to a CRM: one request per call, never retried, never thrown; the answer is an outcome. `conflict` is set on the
 * outcome of `createContact` when the CRM says that the record exists: read it back before saying anything.
 */
export interface ContactWriter {
  createContact(
    properties: Readonly<Record<string, string>>,
    call: WriteCall,
  ): Promise<Outcome & { conflict?: true }>;
  update(contactId: string, properties: Readonly<Record<string, string>>, call: WriteCall): Promise<Outcome>;
  setOwner(contactId: string, ownerId: string, call: WriteCall): Promise<Outcome>;
}

/** What every write carries: its identity and the moment (epoch milliseconds) after which it must have given up. */
export interface WriteCall {
  readonly identity: string;
  readonly deadline: number;
}
