import type {
  ContactSnapshot,
  OwnerChange,
  SentEmail,
  TaskSnapshot,
} from '../../../functions/domain/destination-records.ts';
import type { Outcome, Performed } from '../../../functions/domain/outcome.ts';
import type { Op } from './coroutine.ts';

export interface Contact {
  readonly id: string;
  readonly versions: readonly {
    readonly at: number;
    readonly properties: Readonly<Record<string, string>>;
  }[];
  /** Oldest first. */
  readonly owners: readonly OwnerChange[];
  readonly archivedAt: number | null;
  readonly deletedAt: number | null;
  /** A merge left the record to this id. */
  readonly mergedInto: string | null;
  readonly optedOut: boolean;
}

export interface Task {
  readonly id: string;
  readonly at: number;
  readonly stamp: string;
  readonly archivedAt: number | null;
  readonly completed: boolean;
}

export interface Mail {
  readonly id: string;
  readonly at: number;
  readonly key: string;
  readonly bytes: string;
}

/** A request that changes something. */
export interface WriteOp extends Op {
  readonly name: 'write';
  readonly what: 'send' | 'create-task' | 'create-contact' | 'update-contact' | 'set-owner';
  readonly identity: string;
  readonly deadline: number;
  /** The exact bytes that the receiver compares. */
  readonly bytes: string;
  readonly recordId: string;
  readonly properties: Readonly<Record<string, string>>;
  /** The version that a conditional write demands; null where it demands none. */
  readonly etag: number | null;
}

export interface ReadOp extends Op {
  readonly name: 'read';
  readonly what: 'contact-by-id' | 'contact-by-email' | 'owner' | 'task' | 'sent';
  readonly argument: string;
  readonly since: number;
}

/** What the receiver does about repeats. */
export interface Promises {
  readonly keyWindowMs: number | null;
  readonly uniqueTasks: boolean;
  readonly conditionalOwner: boolean;
  /** How long a read may not show an effect. */
  readonly readLagMs: number;
  /** How long after its deadline a request may still land. */
  readonly landingBoundMs: number;
}

export interface Destination {
  readonly contact: Contact | null;
  readonly tasks: readonly Task[];
  readonly mails: readonly Mail[];
  readonly keys: Readonly<
    Record<string, { readonly at: number; readonly bytes: string; readonly id: string }>
  >;
  /** Requests that were given up and may still land. */
  readonly late: readonly { readonly op: WriteOp; readonly until: number }[];
  /** The first bytes that left under each identity. */
  readonly left: Readonly<Record<string, string>>;
}

export const OWNERS: Readonly<Record<string, { id: string; name: string; email: string }>> = {
  '71': { id: '71', name: 'Ada Park', email: 'ada.park@sales.example.com' },
  '72': { id: '72', name: 'Ben Ruiz', email: 'ben.ruiz@sales.example.com' },
};

type Applied = readonly [Destination, Outcome & { conflict?: true }];

/** What the receiver does with a request that reaches it, and its answer. */
export function applied(destination: Destination, op: WriteOp, at: number, promises: Promises): Applied {
  const success = (recordId: string, facts: Performed['evidence']['facts'] = {}): Performed => ({
    outcome: 'performed',
    evidence: { kind: 'receipt', destination: 'model', recordId, readAt: at, facts },
  });
  const gone: Applied = [destination, { outcome: 'refused', reason: 'record-not-found' }];
  const { contact } = destination;
  switch (op.what) {
    case 'send': {
      const known = promises.keyWindowMs === null ? undefined : destination.keys[op.identity];
      if (known && at < known.at + (promises.keyWindowMs ?? 0)) {
        if (known.bytes === op.bytes) return [destination, success(known.id)];
        return [destination, { outcome: 'unknown', reason: 'key-used-with-other-bytes' }];
      }
      const id = `email-${destination.mails.length + 1}`;
      const mails = [...destination.mails, { id, at, key: op.identity, bytes: op.bytes }];
      if (promises.keyWindowMs === null) return [{ ...destination, mails }, success(id)];
      const keys = { ...destination.keys, [op.identity]: { at, bytes: op.bytes, id } };
      return [{ ...destination, mails, keys }, success(id)];
    }
    case 'create-task': {
      if (promises.uniqueTasks && destination.tasks.some(({ stamp }) => stamp === op.recordId)) {
        return [destination, { outcome: 'unknown', reason: 'already-exists' }];
      }
      const id = `task-${destination.tasks.length + 1}`;
      const task = { id, at, stamp: op.recordId, archivedAt: null, completed: false };
      return [{ ...destination, tasks: [...destination.tasks, task] }, success(id)];
    }
    case 'create-contact':
      if (contact && contact.deletedAt === null) {
        return [destination, { outcome: 'unknown', reason: 'already-exists', conflict: true }];
      }
      return [{ ...destination, contact: newContact('501', at, op.properties) }, success('501')];
    case 'update-contact': {
      if (!contact || contact.deletedAt !== null) return gone;
      const before = contact.versions.at(-1)?.properties ?? {};
      const versions = [...contact.versions, { at, properties: { ...before, ...op.properties } }];
      return [{ ...destination, contact: { ...contact, versions } }, success(contact.id)];
    }
    case 'set-owner': {
      if (!contact || contact.deletedAt !== null) return gone;
      if (promises.conditionalOwner && op.etag !== contact.owners.length) {
        return [destination, { outcome: 'not-applied', reason: 'owner-changed', requestLeft: true }];
      }
      const ownerId = op.properties.ownerId ?? null;
      const owners = [...contact.owners, { ownerId, at, source: 'INTEGRATION' }];
      return [{ ...destination, contact: { ...contact, owners } }, success(contact.id, { ownerId })];
    }
  }
}

export function newContact(id: string, at: number, properties: Readonly<Record<string, string>>): Contact {
  return {
    id,
    versions: [{ at, properties }],
    owners: [],
    archivedAt: null,
    deletedAt: null,
    mergedInto: null,
    optedOut: false,
  };
}

/** What a read shows of the destination as it was at `asOf`; deletions, merges and opt-outs show at once. */
export function look(destination: Destination, op: ReadOp, asOf: number, promises: Promises): unknown {
  switch (op.what) {
    case 'contact-by-id':
    case 'contact-by-email':
      return contactAsOf(destination.contact, asOf);
    case 'owner':
      return OWNERS[op.argument] ?? null;
    case 'task': {
      const task = destination.tasks.find(({ at, stamp }) => at <= asOf && stamp === op.argument);
      // A search index leaves archived tasks out; a read by key does not.
      if (!task || (task.archivedAt !== null && !promises.uniqueTasks)) return null;
      return taskAsOf(task, asOf);
    }
    case 'sent': {
      const mail = destination.mails.findLast(
        ({ at, bytes }) => at <= asOf && at >= op.since && bytes === op.argument,
      );
      const sent: SentEmail = mail
        ? { kind: 'sent', id: mail.id, createdAt: mail.at, lastEvent: 'delivered' }
        : { kind: 'none' };
      return sent;
    }
  }
}

function taskAsOf({ id, archivedAt, completed }: Task, asOf: number): TaskSnapshot {
  return { id, archived: archivedAt !== null && archivedAt <= asOf, completed, contactIds: ['501'] };
}

function contactAsOf(contact: Contact | null, asOf: number): ContactSnapshot | null {
  if (!contact || contact.deletedAt !== null) return null;
  const properties = contact.versions.findLast(({ at }) => at <= asOf)?.properties;
  if (!properties) return null;
  const ownerHistory = contact.owners.filter(({ at }) => at <= asOf).reverse();
  return {
    id: contact.mergedInto ?? contact.id,
    archived: contact.archivedAt !== null && contact.archivedAt <= asOf,
    email: properties.email ?? null,
    properties,
    ownerId: ownerHistory[0]?.ownerId ?? null,
    ownerHistory,
    optedOut: contact.optedOut,
  };
}
