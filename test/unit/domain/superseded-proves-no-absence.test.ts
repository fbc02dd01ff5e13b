import { describe, expect, test } from 'vitest';
import type {
  ContactSnapshot,
  SentEmail,
  TaskSnapshot,
} from '../../../functions/domain/destination-records.ts';
import {
  changesSince,
  contactFinding,
  introductionFinding,
  ownerFinding,
  taskFinding,
} from '../../../functions/domain/findings.ts';
import { CONTRACT, MAIL_CONTRACT } from '../../model/settings.ts';

/** A read that began long after the settle time. */
const LATE = { readStartedAt: 9_000, settleAt: 5_000 };

const CONTACT: ContactSnapshot = {
  id: '501',
  archived: false,
  email: 'jo@customer.example',
  properties: { email: 'jo@customer.example' },
  ownerId: null,
  ownerHistory: [],
  optedOut: false,
};
const UPSERT = { email: 'jo@customer.example', properties: {}, values: 'fill-blanks' } as const;
const ASSIGN = { contactId: '501', ownerId: '71', baseline: { ownerId: null, changedAt: null } };
const TASK: TaskSnapshot = { id: '9001', archived: true, completed: true, contactIds: ['501'] };

const ours = { ownerId: '71', at: 300, source: 'INTEGRATION' };
const theirs = { ownerId: '72', at: 200, source: 'CRM_UI' };
const archived = { ...CONTACT, archived: true };

/** What a person did to the record says nothing about whether our own write arrived. */
describe('a person’s change proves no absence, however late it is read', () => {
  test.each([
    ['a contact that was archived', () => contactFinding(archived, UPSERT, CONTRACT, LATE)],
    [
      'a contact whose owner is asked for and that was archived',
      () => ownerFinding(archived, ASSIGN, CONTRACT, LATE),
    ],
    ['a contact that was deleted', () => ownerFinding(null, ASSIGN, CONTRACT, LATE)],
    [
      'an owner that was changed',
      () => ownerFinding({ ...CONTACT, ownerId: '72', ownerHistory: [theirs] }, ASSIGN, CONTRACT, LATE),
    ],
    [
      'an owner that we may have written over',
      () => ownerFinding({ ...CONTACT, ownerId: '71', ownerHistory: [ours, theirs] }, ASSIGN, CONTRACT, LATE),
    ],
    ['a task that was archived', () => taskFinding(TASK, CONTRACT, LATE)],
  ])('%s', (_name, read) => {
    expect(read()).toMatchObject({ finding: 'superseded', absenceProven: false });
  });
});

test('an owner that changed without a trace in the history is a person’s all the same', () => {
  expect(ownerFinding({ ...CONTACT, ownerId: '72' }, ASSIGN, CONTRACT, LATE)).toMatchObject({
    finding: 'superseded',
    cause: 'owner-changed',
  });
});

describe('the evidence is a record that was read back', () => {
  test('of the owner', () => {
    expect(
      ownerFinding({ ...CONTACT, ownerId: '71', ownerHistory: [ours] }, ASSIGN, CONTRACT, LATE),
    ).toMatchObject({ evidence: { kind: 'record', facts: { ownerId: '71', owner: 'set' } } });
  });

  test('of the task, with what people did to it', () => {
    expect(taskFinding(TASK, CONTRACT, LATE)).toMatchObject({
      evidence: { kind: 'record', recordId: '9001', facts: { archived: true, completed: true } },
    });
  });

  test('of the introduction', () => {
    const sent: SentEmail = { kind: 'sent', id: 'email-1', createdAt: 1, lastEvent: 'delivered' };
    const message = { from: '', replyTo: '', to: '', subject: '', text: '', html: '' };
    const body = { contactId: '501', ownerId: '71', templateVersion: '1', message, wire: '' };

    expect(introductionFinding(sent, CONTACT, body, MAIL_CONTRACT, LATE)).toMatchObject({
      evidence: { kind: 'record', destination: 'resend', recordId: 'email-1' },
    });
  });
});

test('where there was no owner change before the handoff, every change came since', () => {
  const first = { ownerId: '72', at: 0, source: 'IMPORT' };

  expect(changesSince([ours, first], null)).toEqual([ours, first]);
  expect(changesSince([ours, theirs], 200)).toEqual([ours]);
});
