import { describe, expect, test } from 'vitest';
import { type ActionState, openAction } from '../../../functions/domain/action-state.ts';
import type { LedgerRecord, Waiting } from '../../../functions/domain/handoff.ts';
import { recoveryRecord } from '../../../functions/domain/recovery-record.ts';
import { applied, decisionOf, grantOf, inPhase, RECORD, reconcileEvent, settled } from './states.ts';

const NOON = 1_767_614_400_000;

const HANDOFF = {
  route: 'web',
  leadRequestId: 'inq-1',
  lead: {
    leadRequestId: 'inq-1',
    email: 'jo.lind@customer.example',
    firstName: 'Jo',
    company: 'Lind Oy',
    phone: '+358401',
    message: 'Please call',
    sourceReference: 'form-9',
  },
  ownerId: '71',
  intentHash: 'hash',
  acceptedAt: NOON,
  closedAt: null,
  execution: 'web.inq-1.1',
  run: 1,
  amendments: [],
};

const ASKED: Waiting = {
  action: 'send-introduction',
  kind: 'ask',
  token: 'secret-token',
  execution: 'web.inq-1.1',
  who: 'robin@revops.example',
  why: 'unreadable',
  since: NOON + 60_000,
  dueAt: null,
  asked: 3,
};

function recordOf(actions: ActionState[], more: Partial<LedgerRecord> = {}): LedgerRecord {
  return { handoff: HANDOFF, actions, operations: [], waiting: [], conflicts: [], ...more };
}

test('it shows every action, touched or not, and the handoff in readable times', () => {
  const record = recoveryRecord(recordOf([settled('performed', 'upsert-contact')]));

  expect(record).toMatchObject({
    route: 'web',
    leadRequestId: 'inq-1',
    sourceReference: 'form-9',
    status: 'running',
    acceptedAt: '2026-01-05T12:00:00.000Z',
    closedAt: null,
    ownerId: null,
  });
  expect(
    record.actions.map(({ action, phase, finding, disposition }) => [action, phase, finding, disposition]),
  ).toEqual([
    ['upsert-contact', 'performed', 'done', 'keep'],
    ['assign-owner', 'open', null, null],
    ['create-task', 'open', null, null],
    ['send-introduction', 'open', null, null],
  ]);
});

test('what waits is shown with name and time, and without its token', () => {
  const record = recoveryRecord(
    recordOf([], {
      waiting: [ASKED],
      conflicts: [{ intentHash: 'other', firstSeenAt: NOON, lead: HANDOFF.lead }],
    }),
  );

  expect(record.status).toBe('waiting');
  expect(record.waiting).toEqual([
    {
      action: 'send-introduction',
      kind: 'ask',
      who: 'robin@revops.example',
      why: 'unreadable',
      since: '2026-01-05T12:01:00.000Z',
      dueAt: null,
      asked: 3,
    },
  ]);
  expect(record.conflicts).toEqual([{ intentHash: 'other', firstSeenAt: '2026-01-05T12:00:00.000Z' }]);
  expect(JSON.stringify(record)).not.toContain('secret-token');
});

test('only a wait that another lead request is about names one', () => {
  const held = { ...ASKED, action: 'handoff', why: 'same-person', rival: 'inq-0' } as const;

  const [first, second] = recoveryRecord(recordOf([], { waiting: [ASKED, held] })).waiting;

  expect(first).not.toHaveProperty('rival');
  expect(second).toMatchObject({ rival: 'inq-0' });
});

test('a handoff that was joined to another one lists the actions that were begun, and no others', () => {
  const stopped = { ...openAction('upsert-contact'), phase: 'stopped' } as const;
  const handoff = { ...HANDOFF, closedAt: NOON, joinedTo: 'inq-0' };

  const record = recoveryRecord(recordOf([stopped, settled('unknown')], { handoff }));

  expect(record.joinedTo).toBe('inq-0');
  expect(record.actions.map(({ action }) => action)).toEqual(['upsert-contact', 'create-task']);
});

test('it holds none of the values that the lead gave, but the source’s own reference', () => {
  const shown = JSON.stringify(recoveryRecord(recordOf([settled('unknown')], { waiting: [ASKED] })));

  for (const value of ['jo.lind', 'Jo"', 'Lind', '+358401', 'Please call'])
    expect(shown).not.toContain(value);
});

describe('status', () => {
  const status = (waiting: Waiting[], closedAt: number | null = null) =>
    recoveryRecord(recordOf([], { waiting, handoff: { ...HANDOFF, closedAt } })).status;

  test.each([
    [[], 'running'],
    [[{ ...ASKED, kind: 'park' as const }], 'parked'],
    [[{ ...ASKED, kind: 'park' as const }, ASKED], 'waiting'],
  ])('%#', (waiting, expected) => {
    expect(status(waiting)).toBe(expected);
  });

  test('closed is closed, whatever was left on the waiting list', () => {
    expect(status([ASKED], NOON)).toBe('closed');
  });
});

test('the owner is the one that the newest evidence names', () => {
  const owner = { ...RECORD, readAt: 2_000, facts: { ownerId: '71', owner: 'set' } };
  const assigned = { ...inPhase('performed', 'assign-owner'), evidence: owner };
  const sent = {
    ...inPhase('performed', 'send-introduction'),
    evidence: { ...RECORD, readAt: 3_000, facts: { currentOwnerId: '72' } },
  };

  expect(recoveryRecord(recordOf([assigned])).ownerId).toBe('71');
  expect(recoveryRecord(recordOf([assigned, sent])).ownerId).toBe('72');
});

test('an action says why it is where it is', () => {
  const unknown = settled('unknown');
  const asked = applied(
    unknown,
    reconcileEvent(unknown, { kind: 'none' }, { disposition: 'ask', reason: 'residual-risk' }),
  );
  const action = (state: ActionState) => recoveryRecord(recordOf([state])).actions[2];

  expect(action(asked)).toMatchObject({
    finding: 'absent',
    disposition: 'ask',
    reason: 'residual-risk',
    outcomeReason: 'timeout',
    attempt: 1,
  });
  // What was found before the newer attempt succeeded is not what there is now.
  const waited = applied(
    unknown,
    reconcileEvent(unknown, { kind: 'none' }, { disposition: 'wait', reason: 'too-early' }),
  );
  expect(action({ ...waited, phase: 'performed' })).toMatchObject({
    finding: 'done',
    disposition: 'keep',
    reason: null,
    outcomeReason: null,
  });
  expect(action(inPhase('stopped-unclear'))).toMatchObject({
    disposition: 'stop',
    reason: 'stopped-by-person',
  });
  expect(action(settled('performed'))).toMatchObject({ reason: null, evidence: { recordId: '9001' } });
});

test('what is done all the same is told as the last read found it', () => {
  const lastRead = {
    id: 'read-1',
    at: NOON,
    finding: 'superseded:owner-changed',
    reason: 'owner-changed-by-person',
    absenceProven: true,
    heard: null,
  };
  const finding = (disposition: 'keep' | 'ask') =>
    recoveryRecord(
      recordOf([{ ...settled('performed', 'assign-owner'), lastRead: { ...lastRead, disposition } }]),
    ).actions[1];

  expect(finding('keep')).toMatchObject({ finding: 'superseded:owner-changed', disposition: 'keep' });
  expect(finding('ask')).toMatchObject({ finding: 'done', disposition: 'keep' });
});

test('what was never read proves nothing', () => {
  expect(recoveryRecord(recordOf([])).actions.map(({ absenceProven }) => absenceProven)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

describe('the contact', () => {
  const contactOf = (actions: ActionState[], ...operations: LedgerRecord['operations']) =>
    recoveryRecord(recordOf(actions, { operations })).contactId;
  const frozen = {
    action: 'upsert-contact',
    revision: 1,
    identity: 'web/inq-1/upsert-contact',
    body: { email: 'jo.lind@customer.example', properties: {}, values: 'fill-blanks' },
    bodyHash: 'hash',
    frozenAt: NOON,
  } as const;
  const frozenOwner = {
    ...frozen,
    action: 'assign-owner',
    identity: 'web/inq-1/assign-owner',
    body: { contactId: '1001', ownerId: '71', baseline: { ownerId: null, changedAt: null } },
  } as const;
  const task = { ...inPhase('performed'), evidence: RECORD };

  test('is the one that the CRM answered, and not what another action made', () => {
    const contact = {
      ...inPhase('performed', 'upsert-contact'),
      evidence: { ...RECORD, recordId: '1002' },
    };

    expect(contactOf([task, contact], frozen, frozenOwner)).toBe('1002');
  });

  test('is otherwise the one that a later action was frozen with', () => {
    expect(contactOf([task], frozen, frozenOwner)).toBe('1001');
  });

  test('is not known before', () => {
    expect(contactOf([], frozen)).toBeNull();
  });
});

describe('what the newer parts hold', () => {
  const person = {
    id: 'claim-1',
    by: { kind: 'person', name: 'Robin' },
    at: NOON,
    deadline: NOON,
    goneAt: NOON,
  } as const;

  test('the last attempt names the request and the trace of its worker, and of a person neither', () => {
    const worker = {
      ...person,
      by: { kind: 'worker', name: '8f507cfc-0000' },
      traceId: '1-5e-ab',
    } as const;
    const attemptOf = (claim: ActionState['claim']) =>
      recoveryRecord(recordOf([{ ...settled('unknown'), claim }])).actions[2]?.lastAttempt;

    expect(attemptOf(worker)).toEqual({
      by: 'worker',
      startedAt: '2026-01-05T12:00:00.000Z',
      requestId: '8f507cfc-0000',
      traceId: '1-5e-ab',
    });
    expect(attemptOf(person)).toEqual({
      by: 'person',
      startedAt: '2026-01-05T12:00:00.000Z',
      requestId: null,
      traceId: null,
    });
    expect(attemptOf(null)).toBeNull();
  });

  test('the newest decision says who, what, when and what became of it, and leaves its reason to the ledger', () => {
    const decision = {
      id: 'decision-1',
      kind: 'confirm',
      by: 'Robin',
      reason: 'Jo Lind told me on the phone',
      at: NOON,
      findingSeen: 'unclear:unreadable',
      evidence: '9001',
    } as const;
    const state = { ...settled('unknown'), lastDecision: { decision, result: 'turned-down' } as const };

    const record = recoveryRecord(recordOf([state]));

    expect(record.actions[2]?.lastDecision).toEqual({
      decision: 'confirm',
      by: 'Robin',
      at: '2026-01-05T12:00:00.000Z',
      evidence: '9001',
      findingSeen: 'unclear:unreadable',
      result: 'turned-down',
    });
    expect(JSON.stringify(record)).not.toContain('told me');
  });

  test('a decision whose attempt has not begun is on its way, whatever the ledger calls it', () => {
    const state = settled('unknown');
    const decision = decisionOf('resume');
    const granted = {
      ...state,
      lastDecision: { decision, result: 'used' } as const,
      grant: grantOf(2, { decisionId: decision.id }),
    };
    const resultOf = (action: ActionState) =>
      recoveryRecord(recordOf([action])).actions[2]?.lastDecision?.result;

    expect(resultOf(granted)).toBe('pending');
    expect(resultOf({ ...granted, grant: null })).toBe('used');
  });

  test('corrected fields are told by hash, person and time', () => {
    const amendments = [{ intentHash: 'other', decisionId: 'decision-1', by: 'Tomas', at: NOON }];

    expect(recoveryRecord(recordOf([], { handoff: { ...HANDOFF, amendments } })).amendments).toEqual([
      { intentHash: 'other', by: 'Tomas', at: '2026-01-05T12:00:00.000Z' },
    ]);
  });
});

describe('the owner', () => {
  const ownerOf = (actions: ActionState[], more: Partial<LedgerRecord> = {}) =>
    recoveryRecord(recordOf(actions, more)).owner;
  const set = { ...RECORD, readAt: NOON, facts: { ownerId: '71', owner: 'set' } };
  const assigned = { ...inPhase('performed', 'assign-owner'), evidence: set };
  const read = (at: number, finding: string) => ({
    id: 'read-1',
    at,
    finding,
    disposition: 'ask' as const,
    reason: 'owner-changed',
    absenceProven: false,
    heard: null,
  });

  test('is not known before the CRM was read; the route’s choice is', () => {
    expect(ownerOf([])).toEqual({
      ownerId: null,
      readAt: null,
      how: null,
      changedSince: null,
      chosenOwnerId: '71',
      before: null,
    });
  });

  test('is the one that was set, or another that was kept', () => {
    const kept = { ...assigned, evidence: { ...set, facts: { ownerId: '82', owner: 'kept' } } };

    expect(ownerOf([assigned])).toMatchObject({
      ownerId: '71',
      how: 'set',
      readAt: '2026-01-05T12:00:00.000Z',
    });
    expect(ownerOf([kept])).toMatchObject({ ownerId: '82', how: 'kept' });
  });

  test('is by a receipt the one that this handoff set; a record that was read does not say who set it', () => {
    const answered = (kind: 'receipt' | 'record') =>
      ownerOf([{ ...assigned, evidence: { ...set, kind, facts: { ownerId: '71' } } }]);

    expect(answered('receipt')).toMatchObject({ ownerId: '71', how: 'set' });
    expect(answered('record')).toMatchObject({ ownerId: '71', how: null });
  });

  test('was changed by somebody else since, where a read of the assignment found that', () => {
    const changed = { ...assigned, phase: 'unknown' as const };
    const changedSince = (at: number) =>
      ownerOf([{ ...changed, lastRead: read(at, 'superseded:owner-changed') }]).changedSince;

    expect(changedSince(NOON + 1)).toBe('2026-01-05T12:00:00.001Z');
    // The read that told the owner is the one that found it changed.
    expect(changedSince(NOON)).toBeNull();
  });

  test('is out of date when a later read found that somebody changed it, and not when an earlier one did', () => {
    const introduction = (at: number) => ({
      ...settled('unknown', 'send-introduction'),
      lastRead: read(at, 'superseded:sender-no-longer-owner'),
    });

    expect(ownerOf([assigned, introduction(NOON + 60_000)]).changedSince).toBe('2026-01-05T12:01:00.000Z');
    expect(ownerOf([assigned, introduction(NOON - 60_000)]).changedSince).toBeNull();
    const unreadable = {
      ...introduction(NOON + 60_000),
      lastRead: read(NOON + 60_000, 'unclear:unreadable'),
    };
    expect(ownerOf([assigned, unreadable]).changedSince).toBeNull();
  });

  test('had a last change before this handoff, by the CRM’s own clock', () => {
    const frozen = (revision: number, ownerId: string | null, changedAt: number | null) => ({
      action: 'assign-owner' as const,
      revision,
      identity: 'web/inq-1/assign-owner',
      body: { contactId: '1001', ownerId: '71', baseline: { ownerId, changedAt } },
      bodyHash: 'hash',
      frozenAt: NOON,
    });
    const ownerBefore = (...operations: LedgerRecord['operations']) => ownerOf([], { operations }).before;

    expect(ownerBefore(frozen(1, null, null))).toEqual({ ownerId: null, changedAt: null });
    expect(ownerBefore(frozen(1, null, null), frozen(2, '82', NOON))).toEqual({
      ownerId: '82',
      changedAt: '2026-01-05T12:00:00.000Z',
    });
  });
});
