import type { ActionName } from '../../../functions/domain/action.ts';
import type { ActionState } from '../../../functions/domain/action-state.ts';
import type { Amendment } from '../../../functions/domain/amendment.ts';
import type { ContactSnapshot, SentEmail } from '../../../functions/domain/destination-records.ts';
import type {
  Conflict,
  Handoff,
  LedgerRecord,
  Waiting,
  WaitingSubject,
} from '../../../functions/domain/handoff.ts';
import type { Operation } from '../../../functions/domain/operation.ts';
import type { Outcome } from '../../../functions/domain/outcome.ts';
import type { PersonsHandoff } from '../../../functions/domain/same-person.ts';
import { type ActionEvent, Rejected, transition } from '../../../functions/domain/transition.ts';
import type { ContactReader, ContactWriter, Owner, WriteCall } from '../../../functions/ports/contacts.ts';
import { DestinationUnreadable } from '../../../functions/ports/destination-unreadable.ts';
import type { EmailReader, EmailSender } from '../../../functions/ports/emails.ts';
import { type Events, EventsUnavailable } from '../../../functions/ports/events.ts';
import { type Gates, type Ledger, LedgerUnavailable } from '../../../functions/ports/ledger.ts';
import type { TaskReader, TaskWriter } from '../../../functions/ports/tasks.ts';
import {
  type ExecutionStatus,
  type Workflow,
  WorkflowUnavailable,
} from '../../../functions/ports/workflow.ts';
import type { Io, Op } from './coroutine.ts';
import type { ReadOp, WriteOp } from './destination.ts';

/** The answer to a request that gave none. */
export const NO_ANSWER = 'no answer';

export interface LedgerReadOp extends Op {
  readonly name: 'ledger-read';
  /** `listed`: the part of a record that waits. */
  readonly what: 'handoff' | 'record' | 'listed' | 'action' | 'operation' | 'gates' | 'conflict' | 'person';
  readonly action: ActionName | null;
  readonly revision: number;
  /** The hash of fields, or the key of a person; empty for all else. */
  readonly of: string;
}

/** A conditional write of the action's item. */
export interface PutOp extends Op {
  readonly name: 'put';
  readonly seenVersion: number;
  readonly state: ActionState;
  readonly event: ActionEvent;
}

/** What a conditional write comes to: null where its condition held, else the item that stood in the way. */
export type PutAnswer = { readonly lost: ActionState | null } | typeof NO_ANSWER;

export interface FreezeOp extends Op {
  readonly name: 'freeze';
  readonly operation: Operation;
}

export interface WaitingOp extends Op {
  readonly name: 'waiting';
  readonly subject: WaitingSubject;
  readonly waiting: Waiting | null;
}

/** A conditional write of the handoff's item. */
export interface FenceOp extends Op {
  readonly name: 'fence';
  readonly fromRun: number;
  readonly execution: string;
}

export interface CloseOp extends Op {
  readonly name: 'close';
  readonly execution: string;
  readonly at: number;
}

/** A write of those that put corrected fields in the place of the lead's. */
export interface CorrectOp extends Op {
  readonly name: 'correct';
  readonly what: 'claim-person' | 'release-person' | 'keep-fields' | 'amend';
  /** The key of a person, or the hash of fields. */
  readonly of: string;
  readonly amendment: Amendment | null;
}

export type LedgerOp = LedgerReadOp | PutOp | FreezeOp | WaitingOp | FenceOp | CloseOp | CorrectOp;

/** A request to the workflow service; `of` is an execution, or a task token to be completed. */
export interface WorkflowOp extends Op {
  readonly name: 'workflow';
  readonly what: 'status' | 'start' | 'stop' | 'complete';
  readonly of: string;
}

/** The event that tells a person of a question. */
export interface PublishOp extends Op {
  readonly name: 'publish';
  readonly subject: WaitingSubject;
}

export type Transition = typeof transition;

async function answered<T>(io: Io, op: LedgerOp): Promise<T> {
  const answer = await io.call(op);
  if (answer === NO_ANSWER) throw new LedgerUnavailable(op.name, null);
  return answer as T;
}

/** The requests to the ledger that functions of the exploration make. */
type ExploredLedger = Pick<
  Ledger,
  | 'handoff'
  | 'action'
  | 'gates'
  | 'operation'
  | 'record'
  | 'freeze'
  | 'apply'
  | 'putWaiting'
  | 'removeWaiting'
  | 'takeFence'
  | 'close'
  | 'conflict'
  | 'addConflict'
  | 'amend'
  | 'personsHandoff'
  | 'claimPerson'
  | 'releasePerson'
>;

/**
 * The ledger's adapter, with the same conditional writes and the same turns as the one on DynamoDB; each request is a step.
 *
 * @param inPieces what waits may be read at another moment than the rest of a record: a query is no snapshot
 */
export function ledgerPort(io: Io, decide: Transition = transition, inPieces = false): Ledger {
  const read = <T>(what: LedgerReadOp['what'], action: ActionName | null = null, revision = 0, of = '') =>
    answered<T>(io, { name: 'ledger-read', what, action, revision, of });
  const correct = <T>(what: CorrectOp['what'], of: string, amendment: Amendment | null = null) =>
    answered<T>(io, { name: 'correct', what, of, amendment });
  const ledger: ExploredLedger = {
    handoff: () => read<Handoff | null>('handoff'),
    action: (_key, action) => read<ActionState>('action', action),
    gates: () => read<Gates>('gates'),
    operation: (_key, action, revision) => read<Operation | null>('operation', action, revision),
    async record() {
      if (!inPieces) return read<LedgerRecord | null>('record');
      const [record, { waiting }] = await Promise.all([
        read<LedgerRecord>('record'),
        read<LedgerRecord>('listed'),
      ]);
      return { ...record, waiting };
    },
    conflict: (_key, hash) => read<Conflict | null>('conflict', null, 0, hash),
    addConflict: (_key, { intentHash }) => correct<void>('keep-fields', intentHash),
    amend: (_key, amendment) => correct<void>('amend', amendment.intentHash, amendment),
    personsHandoff: (person) => read<PersonsHandoff | null>('person', null, 0, person),
    claimPerson: (person) => correct<PersonsHandoff>('claim-person', person),
    releasePerson: (person) => correct<void>('release-person', person),
    freeze: (_key, operation) => answered<Operation>(io, { name: 'freeze', operation }),
    putWaiting: (_key, waiting) => answered<void>(io, { name: 'waiting', subject: waiting.action, waiting }),
    removeWaiting: (_key, subject) => answered<void>(io, { name: 'waiting', subject, waiting: null }),
    takeFence: (_key, fromRun, execution) => answered<Handoff>(io, { name: 'fence', fromRun, execution }),
    close: (_key, execution, at) => answered<boolean>(io, { name: 'close', execution, at }),
    async apply(_key, event, seen) {
      let state = seen;
      let fresh = false;
      for (;;) {
        const result = decide(state, event);
        if (result instanceof Rejected) {
          if (fresh) return result;
          state = await read<ActionState>('action', seen.action);
          fresh = true;
          continue;
        }
        if (result === state) return state;
        const put: PutOp = { name: 'put', seenVersion: state.version, state: shortened(result), event };
        const answer = await answered<Exclude<PutAnswer, string>>(io, put);
        if (answer.lost === null) return put.state;
        state = answer.lost;
        fresh = true;
      }
    },
  };
  // A request that is not among them is a mistake of the exploration, and reported as one.
  return ledger as Ledger;
}

/** The workflow service; each request is a step. */
export function workflowPort(io: Io): Workflow {
  const ask = async <T>(what: WorkflowOp['what'], of: string): Promise<T> => {
    const op: WorkflowOp = { name: 'workflow', what, of };
    const answer = await io.call(op);
    if (answer === NO_ANSWER) throw new WorkflowUnavailable(null);
    return answer as T;
  };
  return {
    start: (name) => ask<{ started: boolean }>('start', name),
    status: (name) => ask<ExecutionStatus>('status', name),
    stop: (name) => ask<void>('stop', name),
    complete: (token) => ask<boolean>('complete', token),
  };
}

/** The bus that takes events; each request is a step. */
export function eventsPort(io: Io): Events {
  return {
    async publish({ action }) {
      const op: PublishOp = { name: 'publish', subject: action };
      if ((await io.call(op)) === NO_ANSWER) throw new EventsUnavailable(null);
    },
  };
}

/** The audit trail decides nothing but whether its newest entry is the result that is just being written. */
export function shortened(state: ActionState): ActionState {
  return { ...state, history: state.history.slice(-1).filter(({ event }) => RESULT.test(event)) };
}

const RESULT = /^(late-)?(performed|not-applied|unknown|refused)$/;

class NotExplored extends Error {
  override readonly name = 'NotExplored';
}

async function notExplored(): Promise<never> {
  throw new NotExplored('This request is no part of the exploration.');
}

export type Crm = ContactReader & ContactWriter & TaskReader & TaskWriter;
export type Mail = EmailReader & EmailSender;

async function readFrom<T>(io: Io, what: ReadOp['what'], argument: string, since = 0): Promise<T> {
  const op: ReadOp = { name: 'read', what, argument, since };
  const answer = await io.call(op);
  if (answer === NO_ANSWER) throw new DestinationUnreadable('model', 'timeout');
  return answer as T;
}

function writeTo(io: Io, { identity, deadline }: WriteCall, request: Partial<WriteOp>): Promise<Outcome> {
  const op: WriteOp = {
    name: 'write',
    what: 'send',
    identity,
    deadline,
    bytes: '',
    recordId: '',
    properties: {},
    etag: null,
    ...request,
  };
  return io.call(op) as Promise<Outcome>;
}

/** A CRM whose every request is a step. Where it writes conditionally, a write demands the version that was read last. */
export function crmPort(io: Io): Crm {
  let etag: number | null = null;
  const contact = async (what: 'contact-by-id' | 'contact-by-email', argument: string) => {
    const found = await readFrom<ContactSnapshot | null>(io, what, argument);
    etag = found?.ownerHistory.length ?? null;
    return found;
  };
  return {
    findById: (id) => contact('contact-by-id', id),
    findByEmail: (email) => contact('contact-by-email', email),
    findOwner: (ownerId) => readFrom<Owner | null>(io, 'owner', ownerId),
    findByStamp: (stamp) => readFrom(io, 'task', stamp),
    findTask: notExplored,
    createTask: (task, call) =>
      writeTo(io, call, {
        what: 'create-task',
        recordId: task.stamp,
        bytes: JSON.stringify({ ...task, dueAt: 0 }),
      }),
    createContact: (properties, call) =>
      writeTo(io, call, { what: 'create-contact', properties, bytes: JSON.stringify(properties) }),
    update: (recordId, properties, call) =>
      writeTo(io, call, { what: 'update-contact', recordId, properties, bytes: JSON.stringify(properties) }),
    setOwner: (recordId, ownerId, call) =>
      writeTo(io, call, { what: 'set-owner', recordId, properties: { ownerId }, bytes: ownerId, etag }),
  };
}

/** A mail sender whose every request is a step. */
export function mailPort(io: Io): Mail {
  return {
    encode: (message) => JSON.stringify(message),
    send: (bytes, call) => writeTo(io, call, { what: 'send', bytes }),
    findById: notExplored,
    findSent: (message, since) => readFrom<SentEmail>(io, 'sent', JSON.stringify(message), since),
  };
}
