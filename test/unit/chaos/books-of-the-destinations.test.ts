import { describe, expect, it } from 'vitest';
import type { ActionName } from '../../../functions/domain/action.ts';
import type { ActionState } from '../../../functions/domain/action-state.ts';
import { balance } from '../../../local/chaos-books.ts';
import type { ByHand } from '../../../local/chaos-requests.ts';
import {
  asks,
  at,
  BOOKED,
  booksOf,
  CONTACT,
  EMAIL,
  entry,
  INSPECTION,
  OPEN_HANDOFF,
  RECORD,
  TASK,
  withAction,
  withSecondOperation,
} from './balanced-books.ts';

const kindsOf = (books: Parameters<typeof balance>[0]) => balance(books).map(({ kind }) => kind);
const owner = (time: string, value: string, sourceType: string) => ({
  value,
  timestamp: at(time),
  sourceType,
});

/** Somebody decided that the introduction goes out as a new operation. */
const sentAnew = withAction('send-introduction', {
  history: [
    entry('00:00.900', 'decided-send-as-current-owner', 'Robin 1'),
    entry('00:00.950', 'grant', 'absent · decided-send-as-current-owner'),
  ],
});

describe('effects do not balance', () => {
  it('when two contacts have one email', () => {
    const contacts = [CONTACT, { ...CONTACT, id: '1009' }];
    expect(kindsOf(booksOf({ inspection: { contacts } }))).toEqual(['contact-twice']);
  });

  it('when two tasks have one stamp', () => {
    const tasks = [TASK, { ...TASK, id: '1003' }];
    expect(balance(booksOf({ inspection: { tasks } }))).toEqual([
      {
        leadRequestId: 'l1',
        kind: 'task-twice',
        detail: '2 of ours: 1002 of website/l1/create-task, 1003 of website/l1/create-task',
      },
    ]);
  });

  it('when two emails went out under one identity', () => {
    const emails = [EMAIL, { ...EMAIL, id: 'email-2' }];
    expect(kindsOf(booksOf({ inspection: { emails } }))).toEqual(['email-twice']);
  });

  it('when two emails went out, the second under the identity of a new operation', () => {
    const emails = [EMAIL, { ...EMAIL, id: 'email-2', key: 'website/l1/send-introduction/r2' }];
    const record = withSecondOperation('send-introduction', sentAnew);
    expect(kindsOf(booksOf({ record, inspection: { emails } }))).toEqual(['email-twice']);
  });

  it('when an email went out as a new operation that nobody decided on', () => {
    const emails = [{ ...EMAIL, key: 'website/l1/send-introduction/r2' }];
    const undecided = withSecondOperation('send-introduction');
    expect(balance(booksOf({ record: undecided, inspection: { emails } }))).toEqual([
      {
        leadRequestId: 'l1',
        kind: 'new-operation-undecided',
        detail: 'nobody decided on website/l1/send-introduction/r2',
      },
    ]);
    const record = withSecondOperation('send-introduction', sentAnew);
    expect(balance(booksOf({ record, inspection: { emails } }))).toEqual([]);
  });

  it.each([
    ['contact', { contacts: [] }, ['upsert-contact', 'assign-owner']],
    ['task', { tasks: [] }, ['create-task']],
    ['email', { emails: [] }, ['send-introduction']],
  ])('when the ledger says done and there is no such %s', (_what, inspection, actions) => {
    const found = balance(booksOf({ inspection }));
    expect(found.map(({ kind }) => kind)).toEqual(actions.map(() => 'effect-missing'));
    expect(found.map(({ detail }) => detail.split(' ')[0])).toEqual(actions);
  });

  it('when the ledger says that an owner was set whom the contact never had', () => {
    const contacts = [{ ...CONTACT, ownerHistory: [owner('00:01.000', '82', 'CRM_UI')] }];
    const emails = [{ ...EMAIL, from: 'Ben Okoro <ben.okoro@sales.example.com>' }];
    expect(kindsOf(booksOf({ inspection: { contacts, emails } }))).toEqual(['effect-missing']);
  });

  it('but do when a person archived the contact and made another one', () => {
    const contacts = [CONTACT, { ...CONTACT, id: '1009', archived: true }];
    expect(balance(booksOf({ inspection: { contacts } }))).toEqual([]);
  });

  it('but do when the contact has gone into another one', () => {
    const contacts = [{ ...CONTACT, id: '1010', mergedIds: ['1001', '1005'] }];
    expect(balance(booksOf({ inspection: { contacts } }))).toEqual([]);
  });

  it('when the evidence is another handoff’s email', () => {
    const second = {
      ...RECORD,
      handoff: { ...RECORD.handoff, leadRequestId: 'l2', execution: 'website.l2.1' },
      operations: RECORD.operations.filter(({ action }) => action === 'assign-owner'),
      actions: withAction('create-task', { phase: 'stopped', reason: 'by-person', evidence: null }).actions,
    };
    const books = booksOf();
    const leads = [
      ...books.leads,
      { ...BOOKED, lead: { ...BOOKED.lead, leadRequestId: 'l2' }, record: second },
    ];
    expect(kindsOf({ ...books, leads })).toEqual(['effect-of-another']);
  });

  it.each(['open', 'not-applied', 'refused', 'stopped'] as const)(
    'when an action is %s and its effect is there',
    (phase) => {
      const record = withAction('create-task', { phase, evidence: null, reason: 'a-reason' });
      const open = { handoff: OPEN_HANDOFF, waiting: [asks('create-task', 'a-reason')] };
      const change = { ...record, ...(phase === 'stopped' ? {} : open) };
      expect(kindsOf(booksOf({ record: change }))).toEqual(['effect-denied']);
    },
  );

  it('but do when the ledger knows that an attempt may have landed', () => {
    const change = { phase: 'not-applied', evidence: null, mayHaveLanded: true } as const;
    const record = withAction('create-task', change);
    const waiting = [asks('create-task', 'attempts-exhausted')];
    expect(balance(booksOf({ record: { ...record, handoff: OPEN_HANDOFF, waiting } }))).toEqual([]);
  });

  it.each([
    ['a task without a stamp', { tasks: [TASK, { id: '1004', properties: {} }] }],
    ['an email without a key', { emails: [EMAIL, { ...EMAIL, id: 'email-2', key: null }] }],
    [
      'an email of an unknown lead',
      { emails: [EMAIL, { ...EMAIL, id: 'e2', key: 'website/l9/send-introduction' }] },
    ],
    ['an email to somebody else', { emails: [{ ...EMAIL, to: ['eve@example.com'] }] }],
    [
      'a contact from refused fields',
      { contacts: [CONTACT, { ...CONTACT, id: '1', email: 'other-ada@example.com' }] },
    ],
  ])('when there is %s', (_what, inspection) => {
    expect(kindsOf(booksOf({ inspection }))).toEqual(['effect-nobody-asked-for']);
  });
});

describe('what people did by hand', () => {
  const byHand = (action: ActionName, recordId: string | null, riskAccepted = false): ByHand => ({
    action,
    by: 'Robin 1',
    recordId,
    at: Date.parse(at('00:09.000')),
    riskAccepted,
  });
  const attested = (recordId: string | null): Partial<ActionState> => ({
    evidence: {
      kind: 'attested',
      destination: 'sandbox',
      recordId,
      readAt: Date.parse(at('00:09.500')),
      facts: {},
    },
  });
  const handMadeTask = { id: '2001', properties: { hs_task_subject: 'Call' } };

  it('is nobody’s stray effect, and bears the word of the ledger', () => {
    const record = withAction('create-task', attested('2001'));
    const booked = { byHand: [byHand('create-task', '2001')] };
    const inspection = { tasks: [handMadeTask] };
    expect(balance(booksOf({ record, booked: { ...booked, record }, inspection }))).toEqual([]);
    expect(kindsOf(booksOf({ record, inspection }))).toEqual([
      'effect-of-another',
      'effect-nobody-asked-for',
    ]);
  });

  it('bears a word that names no record', () => {
    const record = withAction('send-introduction', attested(null));
    const booked = { record, byHand: [byHand('send-introduction', null)] };
    expect(balance(booksOf({ booked, inspection: { emails: [] } }))).toEqual([]);
    expect(kindsOf(booksOf({ record, inspection: { emails: [] } }))).toEqual(['effect-missing']);
  });

  it('is one too many besides ours, unless that was accepted by name', () => {
    const inspection = { tasks: [TASK, handMadeTask] };
    const booked = (riskAccepted: boolean) => ({ byHand: [byHand('create-task', '2001', riskAccepted)] });
    expect(balance(booksOf({ booked: booked(false), inspection }))).toEqual([
      {
        leadRequestId: 'l1',
        kind: 'task-twice',
        detail: 'Robin 1 made one who had not accepted a second one, besides 1002 of website/l1/create-task',
      },
    ]);
    expect(balance(booksOf({ booked: booked(true), inspection }))).toEqual([]);
  });

  it('is one too many when two people did it', () => {
    const record = withAction('send-introduction', attested(null));
    const booked = { record, byHand: [byHand('send-introduction', null), byHand('send-introduction', null)] };
    expect(kindsOf(booksOf({ booked, inspection: { emails: [] } }))).toEqual(['email-twice']);
  });

  it('does not balance when an owner is confirmed whom the contact never had', () => {
    const record = withAction('assign-owner', attested('93'));
    expect(kindsOf(booksOf({ record }))).toEqual(['effect-missing']);
    expect(balance(booksOf({ record: withAction('assign-owner', attested('71')) }))).toEqual([]);
  });
});

describe('the owner', () => {
  const history = [owner('00:01.000', '71', 'INTEGRATION'), owner('00:00.900', '82', 'CRM_UI')];
  const contacts = [{ ...CONTACT, ownerHistory: history }];
  const warned = withAction('assign-owner', {
    phase: 'unknown',
    evidence: null,
    warnings: ['possible-overwrite'],
  });
  const beforeTheTask = { tasks: [], emails: [] };
  const waitsForOwner = { handoff: OPEN_HANDOFF, actions: warned.actions.slice(0, 2) };

  it('does not balance when a person’s was overwritten and nobody says so', () => {
    expect(balance(booksOf({ inspection: { contacts } }))).toEqual([
      {
        leadRequestId: 'l1',
        kind: 'owner-overwritten',
        detail:
          'contact 1001: a person set 82 at 2026-03-02T10:00:00.900Z, and we wrote 71 over it at 2026-03-02T10:00:01.000Z',
      },
    ]);
  });

  it('does not balance when the ledger warns and nobody is asked', () => {
    const record = withAction('assign-owner', { warnings: ['possible-overwrite'] });
    expect(kindsOf(booksOf({ record, inspection: { contacts } }))).toEqual(['owner-overwritten']);
  });

  it('balances when the ledger warns and asks', () => {
    const waiting = [asks('assign-owner', 'possible-overwrite')];
    const inspection = { contacts, ...beforeTheTask };
    expect(balance(booksOf({ record: { ...waitsForOwner, waiting }, inspection }))).toEqual([]);
  });

  it('balances when the ledger warned and who was asked has decided', () => {
    const decided = withAction('assign-owner', {
      warnings: ['possible-overwrite'],
      history: [
        entry('00:05.000', 'decided-confirm', 'Robin 1'),
        entry('00:06.000', 'done', 'x · confirmed'),
      ],
    });
    expect(balance(booksOf({ record: decided, inspection: { contacts } }))).toEqual([]);
    const before = withAction('assign-owner', {
      warnings: ['possible-overwrite'],
      history: [
        entry('00:00.500', 'decided-resume', 'Robin 1'),
        entry('00:00.600', 'resume', 'absent · decided-resume'),
      ],
    });
    expect(kindsOf(booksOf({ record: before, inspection: { contacts } }))).toEqual(['owner-overwritten']);
  });

  it('balances when a person has had the last word since and is asked', () => {
    const asked = withAction('assign-owner', { phase: 'unknown', evidence: null });
    const record = {
      handoff: OPEN_HANDOFF,
      actions: asked.actions.slice(0, 2),
      waiting: [asks('assign-owner', 'owner-changed')],
    };
    const last = [owner('00:05.000', '93', 'CRM_UI'), ...history];
    const inspection = { contacts: [{ ...CONTACT, ownerHistory: last }], ...beforeTheTask };
    expect(balance(booksOf({ record, inspection }))).toEqual([]);
  });

  it('balances when a person had cleared it before we looked, and not when it was cleared after', () => {
    const cleared = [owner('00:01.000', '71', 'INTEGRATION'), owner('00:00.300', '', 'CRM_UI')];
    const inspection = { contacts: [{ ...CONTACT, ownerHistory: cleared }] };
    const frozen = (changedAt: number | null) => ({
      operations: RECORD.operations.map((operation) => ({
        ...operation,
        body: { contactId: '1001', ownerId: '71', baseline: { ownerId: null, changedAt } },
      })),
    });
    expect(balance(booksOf({ record: frozen(Date.parse(at('00:00.300'))), inspection }))).toEqual([]);
    expect(kindsOf(booksOf({ record: frozen(null), inspection }))).toEqual(['owner-overwritten']);
  });

  it('balances when ours lies on ours, and a person’s on ours', () => {
    const ownerHistory = [owner('00:09.000', '82', 'CRM_UI'), owner('00:01.000', '71', 'INTEGRATION')];
    expect(balance(booksOf({ inspection: { contacts: [{ ...CONTACT, ownerHistory }] } }))).toEqual([]);
  });
});

describe('the introduction', () => {
  const ownerHistory = (changedAt: string) => [
    owner(changedAt, '82', 'CRM_UI'),
    owner('00:01.000', '71', 'INTEGRATION'),
  ];
  const changed = (time: string) => ({ contacts: [{ ...CONTACT, ownerHistory: ownerHistory(time) }] });

  it('does not balance when its sender had stopped being the owner before the last read', () => {
    expect(balance(booksOf({ inspection: changed('00:01.100') }))).toEqual([
      {
        leadRequestId: 'l1',
        kind: 'sent-by-former-owner',
        detail:
          'Ada Berg <ada.berg@sales.example.com> was not the owner when it was accepted at 2026-03-02T10:00:02.000Z',
      },
    ]);
  });

  it('balances when the owner changed between the read and the send', () => {
    expect(balance(booksOf({ inspection: changed('00:01.950') }))).toEqual([]);
  });

  it('balances when the read could not show the change yet', () => {
    expect(balance(booksOf({ inspection: changed('00:01.500') }))).toEqual([]);
  });

  it.each([
    ['had no answer', { status: null }],
    ['was of another contact', { path: '/hubspot/crm/v3/objects/contacts/1003' }],
    ['came after the message', { at: at('00:02.001') }],
    ['was long before', { at: at('00:01.000') }],
  ])('does not balance when the read %s', (why, change) => {
    const requests = INSPECTION.requests.map((request) => ({ ...request, ...change }));
    const emails = why === 'was long before' ? [{ ...EMAIL, acceptedAt: at('00:09.000') }] : [EMAIL];
    expect(kindsOf(booksOf({ inspection: { ...changed('00:01.950'), requests, emails } }))).toEqual([
      'sent-by-former-owner',
    ]);
  });

  it('does not balance when nobody was the owner', () => {
    const contacts = [{ ...CONTACT, ownerHistory: [owner('00:01.000', '71', 'INTEGRATION')] }];
    const emails = [{ ...EMAIL, from: 'Ben Okoro <ben.okoro@sales.example.com>' }];
    expect(kindsOf(booksOf({ inspection: { contacts, emails } }))).toEqual(['sent-by-former-owner']);
  });

  it('does not balance when it went out long after the person had opted out', () => {
    const optedOutAt = Date.parse(at('00:02.000')) - 4_501;
    expect(kindsOf(booksOf({ booked: { optedOutAt } }))).toEqual(['sent-after-opt-out']);
    expect(balance(booksOf({ booked: { optedOutAt: optedOutAt + 1 } }))).toEqual([]);
  });
});
