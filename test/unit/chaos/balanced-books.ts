import type { ActionName } from '../../../functions/domain/action.ts';
import { type ActionState, type HistoryEntry, openAction } from '../../../functions/domain/action-state.ts';
import type { Decision, DecisionKind } from '../../../functions/domain/decision.ts';
import type { LedgerRecord, Waiting } from '../../../functions/domain/handoff.ts';
import type { Operation } from '../../../functions/domain/operation.ts';
import type { BookedExecution, BookedLead, Books, Notice } from '../../../local/chaos-books.ts';
import { hashOf } from '../../../local/chaos-leads.ts';
import type { PersonsInput, PersonsRequest } from '../../../local/chaos-requests.ts';
import type { InspectedContact, InspectedEmail, Inspection } from '../../../local/chaos-sandbox.ts';

/** Books by hand: one lead that was handed off at 10:00:00, and what the destinations hold of it. */

export const at = (time: string) => `2026-03-02T10:${time}Z`;
const ms = (time: string) => Date.parse(at(time));

const lead = { leadRequestId: 'l1', email: 'ada@example.com', firstName: 'Ada' };
const key = { route: 'website', leadRequestId: 'l1' };

function performed(action: ActionName, recordId: string, facts: Record<string, string> = {}): ActionState {
  return {
    ...openAction(action),
    phase: 'performed',
    attempt: 1,
    evidence: { kind: 'receipt', destination: 'sandbox', recordId, readAt: ms('00:01.000'), facts },
    history: [
      { at: ms('00:00.500'), event: 'claimed', attempt: 1, detail: 'worker' },
      { at: ms('00:01.000'), event: 'performed', attempt: 1, detail: null },
    ],
  };
}

const frozenOwner: Operation<'assign-owner'> = {
  action: 'assign-owner',
  revision: 1,
  identity: 'website/l1/assign-owner',
  body: { contactId: '1001', ownerId: '71', baseline: { ownerId: null, changedAt: null } },
  bodyHash: 'hash',
  frozenAt: ms('00:00.400'),
};

/** Made of the fields of the first lead request. */
function frozen(action: 'create-task' | 'send-introduction'): Operation {
  const identity = `website/l1/${action}`;
  const fieldsHash = hashOf(lead, 'same');
  const body = {} as Operation['body'];
  return { action, revision: 1, identity, body, bodyHash: 'hash', fieldsHash, frozenAt: ms('00:00.400') };
}

export const RECORD: LedgerRecord = {
  handoff: {
    ...key,
    lead,
    ownerId: '71',
    intentHash: 'first',
    acceptedAt: ms('00:00.000'),
    closedAt: ms('00:03.000'),
    execution: 'website.l1.1',
    run: 1,
    amendments: [],
  },
  actions: [
    performed('upsert-contact', '1001'),
    performed('assign-owner', '1001', { ownerId: '71' }),
    performed('create-task', '1002'),
    performed('send-introduction', 'email-1'),
  ],
  operations: [frozenOwner, frozen('create-task'), frozen('send-introduction')],
  waiting: [],
  conflicts: [],
};

export const CONTACT: InspectedContact = {
  id: '1001',
  email: 'ada@example.com',
  ownerId: '71',
  ownerHistory: [{ value: '71', timestamp: at('00:01.000'), sourceType: 'INTEGRATION' }],
  archived: false,
  mergedIds: [],
};

export const TASK = {
  id: '1002',
  properties: { hs_task_body: 'Call<br>Reference: website/l1/create-task lh0123456789abcdef0123' },
};

export const EMAIL: InspectedEmail = {
  id: 'email-1',
  to: ['ada@example.com'],
  from: 'Ada Berg <ada.berg@sales.example.com>',
  key: 'website/l1/send-introduction',
  text: 'Hello Ada,',
  acceptedAt: at('00:02.000'),
};

export const INSPECTION: Inspection = {
  contacts: [CONTACT],
  tasks: [TASK],
  emails: [EMAIL],
  requests: [
    {
      at: at('00:01.900'),
      path: '/hubspot/crm/v3/objects/contacts/1001',
      operation: 'read-contact',
      status: 200,
    },
  ],
  requestsDropped: 0,
  settings: {
    owners: [
      { id: '71', email: 'ada.berg@sales.example.com' },
      { id: '82', email: 'ben.okoro@sales.example.com' },
    ],
  },
};

export const BOOKED: BookedLead = {
  lead,
  accepted: true,
  record: RECORD,
  refusedHashes: [],
  wrongAnswers: [],
  optedOutAt: null,
  requests: [],
  byHand: [],
};

export function booksOf(
  change: {
    readonly booked?: Partial<BookedLead>;
    readonly record?: Partial<LedgerRecord>;
    readonly inspection?: Partial<Inspection>;
    readonly executions?: Books['executions'];
    readonly notices?: Books['notices'];
    readonly stopped?: readonly string[];
  } = {},
): Books {
  const record = { ...RECORD, ...change.record };
  const closed = record.handoff.closedAt !== null;
  return {
    leads: [{ ...BOOKED, record, ...change.booked }],
    inspection: { ...INSPECTION, ...change.inspection },
    executions: change.executions ?? [execution('website.l1.1', closed ? 'SUCCEEDED' : 'RUNNING')],
    notices: change.notices ?? record.waiting.map(({ action, since }) => notice(action, since)),
    stopped: new Set(change.stopped),
  };
}

function notice(action: string, since: number): Notice {
  return { leadRequestId: 'l1', action, at: since + 50 };
}

export function execution(name: string, status: string): BookedExecution {
  return { name, status };
}

/** The record with one action changed. */
export function withAction(
  action: ActionName,
  change: Partial<ActionState>,
  record: LedgerRecord = RECORD,
): LedgerRecord {
  return {
    ...record,
    actions: record.actions.map((state) => (state.action === action ? { ...state, ...change } : state)),
  };
}

/** The record with a second operation of the action, made of these fields. */
export function withSecondOperation(
  action: 'create-task' | 'send-introduction',
  record: LedgerRecord = RECORD,
  fieldsHash = hashOf(lead, 'same'),
): LedgerRecord {
  const first = frozen(action);
  const second = { ...first, revision: 2, identity: `${first.identity}/r2`, fieldsHash };
  return { ...record, operations: [...record.operations, second] };
}

export const OPEN_HANDOFF = { ...RECORD.handoff, closedAt: null };

export function asks(action: Waiting['action'], why: string, change: Partial<Waiting> = {}): Waiting {
  return {
    action,
    kind: 'ask',
    token: 'token',
    execution: 'website.l1.1',
    who: 'robin@revops.example.com',
    why,
    since: ms('00:04.000'),
    dueAt: ms('04:00.000'),
    asked: 0,
    ...change,
  };
}

/** One line of an audit trail. */
export function entry(time: string, event: string, detail: string | null = null, attempt = 1): HistoryEntry {
  return { at: ms(time), event, attempt, detail };
}

/** A person's decision, as an action keeps it. */
export function decision(kind: DecisionKind, time: string, by = 'Robin 1'): Decision {
  return { id: `${kind}-${time}`, kind, by, reason: 'Looked at it.', at: ms(time), findingSeen: 'absent' };
}

/** What a person asked of the recovery state machine. */
export function asked(input: Partial<PersonsInput>, end: PersonsRequest['end']): PersonsRequest {
  return {
    execution: 'chaos-1',
    input: { leadRequestId: 'l1', action: 'create-task', decision: 'resume', by: 'Robin 1', ...input },
    askedAt: ms('00:05.000'),
    mustBeRefused: false,
    end,
  };
}
