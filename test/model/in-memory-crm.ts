import type {
  ContactSnapshot,
  OwnerChange,
  TaskSnapshot,
} from '../../functions/domain/destination-records.ts';
import type { Outcome } from '../../functions/domain/outcome.ts';
import type { Clock } from '../../functions/ports/clock.ts';
import type { ContactReader, ContactWriter, Owner, WriteCall } from '../../functions/ports/contacts.ts';
import type { TaskBody, TaskReader, TaskWriter } from '../../functions/ports/tasks.ts';
import { receipt, Wire } from './wire.ts';

/** A contact with the time of every change, so that a lagging read sees it as it was. */
interface Contact {
  readonly id: string;
  readonly createdAt: number;
  readonly properties: { readonly name: string; readonly value: string; readonly at: number }[];
  /** Oldest first. */
  readonly owners: OwnerChange[];
  archivedAt: number | null;
  deletedAt: number | null;
  optedOut: boolean;
}

interface Task {
  readonly id: string;
  readonly at: number;
  readonly body: TaskBody;
  archived: boolean;
  completed: boolean;
}

export interface CrmOptions {
  readonly readLagMs: number;
  /** The portal declares the stamp unique: a second task of one stamp is refused. */
  readonly uniqueTasks: boolean;
}

type Properties = Readonly<Record<string, string>>;

/** A CRM whose contacts are unique by email, without conditional writes. */
export class InMemoryCrm implements ContactReader, ContactWriter, TaskReader, TaskWriter {
  readonly wire: Wire;
  readonly contacts: Contact[] = [];
  readonly tasks: Task[] = [];
  readonly owners = new Map<string, Owner>([
    ['71', { id: '71', name: 'Ada Park', email: 'ada.park@sales.example.com' }],
    ['72', { id: '72', name: 'Ben Ruiz', email: 'ben.ruiz@sales.example.com' }],
  ]);
  readonly #uniqueTasks: boolean;

  constructor(clock: Clock, { readLagMs, uniqueTasks }: CrmOptions) {
    this.wire = new Wire('hubspot', clock, readLagMs);
    this.#uniqueTasks = uniqueTasks;
  }

  findByEmail(email: string): Promise<ContactSnapshot | null> {
    return this.wire.read('contact', (asOf) => snapshotOf(this.#byEmail(email), asOf));
  }

  findById(id: string): Promise<ContactSnapshot | null> {
    return this.wire.read('contact', (asOf) => snapshotOf(this.#byId(id), asOf));
  }

  findOwner(ownerId: string): Promise<Owner | null> {
    return this.wire.read('owner', () => this.owners.get(ownerId) ?? null);
  }

  findTask(id: string): Promise<TaskSnapshot | null> {
    return this.wire.read('task', (asOf) => {
      const found = this.tasks.find((task) => task.at <= asOf && task.id === id);
      if (!found) return null;
      const { archived, completed, body } = found;
      return { id, archived, completed, contactIds: [body.contactId] };
    });
  }

  findByStamp(stamp: string): Promise<TaskSnapshot | null> {
    return this.wire.read('task', (asOf) => {
      const found = this.tasks.find(({ at, body }) => at <= asOf && body.stamp === stamp);
      if (!found || (found.archived && !this.#uniqueTasks)) return null;
      const { id, archived, completed, body } = found;
      return { id, archived, completed, contactIds: [body.contactId] };
    });
  }

  update(contactId: string, properties: Properties, { identity }: WriteCall): Promise<Outcome> {
    return this.wire.write({ what: 'update contact', identity }, () => {
      const contact = this.#byId(contactId);
      if (!contact) return { outcome: 'refused', reason: 'record-not-found' };
      write(contact, properties, this.wire.now());
      return receipt(this.wire, contactId);
    });
  }

  setOwner(contactId: string, ownerId: string, { identity }: WriteCall): Promise<Outcome> {
    return this.wire.write({ what: 'set owner', identity }, () => {
      const contact = this.#byId(contactId);
      if (!contact) return { outcome: 'refused', reason: 'record-not-found' };
      contact.owners.push({ ownerId, at: this.wire.now(), source: 'INTEGRATION' });
      return receipt(this.wire, contactId, { ownerId });
    });
  }

  /** A contact that was there before the handoff. */
  seedContact(properties: Properties, ownerId: string | null = null): string {
    const contact = this.#newContact(properties);
    if (ownerId !== null) this.personSetsOwner(contact.id, ownerId);
    return contact.id;
  }

  personSetsOwner(contactId: string, ownerId: string | null): void {
    this.#known(contactId).owners.push({ ownerId, at: this.wire.now(), source: 'CRM_UI' });
  }

  personArchives(contactId: string): void {
    this.#known(contactId).archivedAt = this.wire.now();
  }

  personRestores(contactId: string): void {
    this.#known(contactId).archivedAt = null;
  }

  personDeletes(contactId: string): void {
    this.#known(contactId).deletedAt = this.wire.now();
  }

  optOut(contactId: string): void {
    this.#known(contactId).optedOut = true;
  }

  ownerOf(contactId: string): string | null {
    this.wire.land();
    return this.#known(contactId).owners.at(-1)?.ownerId ?? null;
  }

  createContact(properties: Properties, { identity }: WriteCall): Promise<Outcome & { conflict?: true }> {
    let conflict = false;
    const written = this.wire.write({ what: 'create contact', identity }, () => {
      if (this.#byEmail(properties.email ?? '')) {
        conflict = true;
        return { outcome: 'unknown', reason: 'already-exists' };
      }
      return receipt(this.wire, this.#newContact(properties).id);
    });
    return written.then((outcome) => (conflict ? { ...outcome, conflict: true } : outcome));
  }

  createTask(body: TaskBody, { identity }: WriteCall): Promise<Outcome> {
    return this.wire.write({ what: 'create task', identity }, () => {
      if (this.#uniqueTasks && this.tasks.some((task) => task.body.stamp === body.stamp)) {
        return { outcome: 'unknown', reason: 'already-exists' };
      }
      const id = `${9001 + this.tasks.length}`;
      this.tasks.push({ id, at: this.wire.now(), body, archived: false, completed: false });
      return receipt(this.wire, id);
    });
  }

  #newContact(properties: Properties): Contact {
    const at = this.wire.now();
    const contact: Contact = {
      id: `${501 + this.contacts.length}`,
      createdAt: at,
      properties: [],
      owners: [],
      archivedAt: null,
      deletedAt: null,
      optedOut: false,
    };
    write(contact, properties, at);
    this.contacts.push(contact);
    return contact;
  }

  #byEmail(email: string): Contact | undefined {
    return this.contacts.find(
      ({ properties, deletedAt }) =>
        deletedAt === null && properties.findLast(({ name }) => name === 'email')?.value === email,
    );
  }

  #byId(id: string): Contact | undefined {
    return this.contacts.find((contact) => contact.id === id && contact.deletedAt === null);
  }

  #known(id: string): Contact {
    const contact = this.#byId(id);
    if (!contact) throw new Error(`There is no contact ${id}.`);
    return contact;
  }
}

function write(contact: Contact, properties: Properties, at: number): void {
  for (const [name, value] of Object.entries(properties)) contact.properties.push({ name, value, at });
}

function snapshotOf(contact: Contact | undefined, asOf: number): ContactSnapshot | null {
  if (!contact || contact.createdAt > asOf) return null;
  const seen = contact.properties.filter(({ at }) => at <= asOf);
  const properties = Object.fromEntries(seen.map(({ name, value }) => [name, value]));
  const ownerHistory = contact.owners.filter(({ at }) => at <= asOf).reverse();
  return {
    id: contact.id,
    archived: contact.archivedAt !== null && contact.archivedAt <= asOf,
    email: properties.email ?? null,
    properties,
    ownerId: ownerHistory[0]?.ownerId ?? null,
    ownerHistory,
    optedOut: contact.optedOut,
  };
}
