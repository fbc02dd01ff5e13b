import { describe, expect, test } from 'vitest';
import type {
  ContactSnapshot,
  OwnerChange,
  SentEmail,
} from '../../../functions/domain/destination-records.ts';
import { type Finding, findingCode } from '../../../functions/domain/finding.ts';
import {
  contactFinding,
  introductionFinding,
  missingProperties,
  notFound,
  overwritten,
  ownerFinding,
  taskFinding,
} from '../../../functions/domain/findings.ts';
import { CONTRACT, MAIL_CONTRACT } from '../../model/settings.ts';

const SETTLED = { readStartedAt: 5_000, settleAt: 5_000 };
const EARLY = { readStartedAt: 4_999, settleAt: 5_000 };

const CONTACT: ContactSnapshot = {
  id: '501',
  archived: false,
  email: 'jo@customer.example',
  properties: { email: 'jo@customer.example', firstname: 'Jo' },
  ownerId: null,
  ownerHistory: [],
  optedOut: false,
};

test('not found proves absence from the settle time on, and not a millisecond earlier', () => {
  expect(notFound(SETTLED)).toEqual({ finding: 'absent' });
  expect(notFound(EARLY)).toEqual({ finding: 'unclear', cause: 'too-early' });
});

describe('the contact', () => {
  const body = {
    email: 'jo@customer.example',
    properties: { email: 'jo@customer.example', firstname: 'Jo' },
    values: 'fill-blanks',
  } as const;
  const code = (contact: ContactSnapshot | null, times = SETTLED, values: typeof body | object = {}) =>
    findingCode(contactFinding(contact, { ...body, ...values }, CONTRACT, times));

  test('is done when it holds a value for every field', () => {
    expect(contactFinding(CONTACT, body, CONTRACT, EARLY)).toEqual({
      finding: 'done',
      evidence: {
        kind: 'record',
        destination: 'hubspot',
        recordId: '501',
        readAt: 4_999,
        facts: { archived: false },
      },
    });
  });

  test.each<[string, ContactSnapshot | null, string, string]>([
    ['not there', null, 'absent', 'unclear:too-early'],
    [
      'without one of the fields',
      { ...CONTACT, properties: { email: 'jo@customer.example' } },
      'absent',
      'unclear:too-early',
    ],
    [
      'with one of the fields blank',
      { ...CONTACT, properties: { ...CONTACT.properties, firstname: '' } },
      'absent',
      'unclear:too-early',
    ],
    [
      'with another value in a field',
      { ...CONTACT, properties: { ...CONTACT.properties, firstname: 'J.' } },
      'done',
      'done',
    ],
    [
      'archived',
      { ...CONTACT, archived: true },
      'superseded:contact-archived',
      'superseded:contact-archived',
    ],
    ['merged: the survivor has another id', { ...CONTACT, id: '777' }, 'done', 'done'],
  ])('%s', (_what, contact, settled, early) => {
    expect(code(contact)).toBe(settled);
    expect(code(contact, EARLY)).toBe(early);
  });

  test('evidence names the record under which a merged contact lives now', () => {
    expect(contactFinding({ ...CONTACT, id: '777' }, body, CONTRACT, SETTLED)).toMatchObject({
      evidence: { recordId: '777' },
    });
  });

  test('a route that overwrites wants its own values', () => {
    const other = { ...CONTACT, properties: { ...CONTACT.properties, firstname: 'J.' } };

    expect(code(other, SETTLED, { values: 'overwrite' })).toBe('absent');
    expect(missingProperties(other, { ...body, values: 'overwrite' })).toEqual(['firstname']);
    expect(missingProperties(other, body)).toEqual([]);
  });
});

describe('the owner: 71 is written, the newest change that we saw was at 100', () => {
  const body = { contactId: '501', ownerId: '71', baseline: { ownerId: null, changedAt: 100 } };
  const BEFORE: OwnerChange = { ownerId: null, at: 100, source: 'CRM_UI' };
  const OURS: OwnerChange = { ownerId: '71', at: 200, source: 'INTEGRATION' };
  const by = (ownerId: string | null, at: number, source = 'CRM_UI'): OwnerChange => ({
    ownerId,
    at,
    source,
  });

  /** The contact after these changes, oldest first. */
  const contact = (...changes: OwnerChange[]): ContactSnapshot => ({
    ...CONTACT,
    ownerHistory: [...changes].reverse(),
    ownerId: changes.at(-1)?.ownerId ?? null,
  });
  const code = (shown: ContactSnapshot | null, times = SETTLED, baseline: object = {}) =>
    findingCode(
      ownerFinding(shown, { ...body, baseline: { ...body.baseline, ...baseline } }, CONTRACT, times),
    );

  test.each<[string, ContactSnapshot | null, string]>([
    ['ours was written', contact(BEFORE, OURS), 'done'],
    ['nothing happened', contact(BEFORE), 'absent'],
    [
      'a person chose another before ours',
      contact(BEFORE, by('72', 150), OURS),
      'superseded:possible-overwrite',
    ],
    [
      'another integration chose before ours',
      contact(BEFORE, by('72', 150, 'INTEGRATION'), OURS),
      'superseded:possible-overwrite',
    ],
    [
      'a person cleared the owner before ours',
      contact(BEFORE, by(null, 150), OURS),
      'superseded:possible-overwrite',
    ],
    ['a person chose another after ours', contact(BEFORE, OURS, by('72', 300)), 'superseded:owner-changed'],
    [
      'a person cleared the owner after ours',
      contact(BEFORE, OURS, by(null, 300)),
      'superseded:owner-changed',
    ],
    ['a person chose another instead of ours', contact(BEFORE, by('72', 150)), 'superseded:owner-changed'],
    [
      'a person chose another and took it back',
      contact(BEFORE, by('72', 150), by(null, 160)),
      'superseded:owner-changed',
    ],
    ['a person chose the same as ours', contact(BEFORE, by('71', 150)), 'done'],
    ['a person chose another, then the same as ours', contact(BEFORE, by('72', 150), by('71', 160)), 'done'],
    ['a person chose the same, ours came after', contact(BEFORE, by('71', 150), OURS), 'done'],
    ['a person confirmed ours over another', contact(BEFORE, by('72', 150), by('71', 160), OURS), 'done'],
    ['ours twice, one late', contact(BEFORE, OURS, { ...OURS, at: 260 }), 'done'],
    [
      'ours landed late, over a person',
      contact(BEFORE, OURS, by('72', 250), { ...OURS, at: 260 }),
      'superseded:possible-overwrite',
    ],
    ['the contact is archived', { ...contact(BEFORE, OURS), archived: true }, 'superseded:contact-archived'],
    ['the contact is gone', null, 'superseded:contact-deleted'],
  ])('%s: %s', (_what, shown, expected) => {
    expect(code(shown)).toBe(expected);
  });

  test.each([
    ['72', '72'],
    [null, null],
  ])('an overwrite names the owner that was written over: %s', (ownerId, named) => {
    const finding = ownerFinding(contact(BEFORE, by(ownerId, 150), OURS), body, CONTRACT, SETTLED);

    expect(finding).toMatchObject({ evidence: { facts: { ownerId: '71', overwrittenOwnerId: named } } });
  });

  test('changes up to the baseline are no news, whoever made them', () => {
    expect(code(contact(by('72', 50), by(null, 60), BEFORE, OURS))).toBe('done');
  });

  test('an owner who was there before and is replaced by the route is no overwrite', () => {
    const baseline = { ownerId: '72', changedAt: 100 };

    expect(code(contact(by('72', 100), OURS), SETTLED, baseline)).toBe('done');
    expect(code(contact(by('72', 100)), SETTLED, baseline)).toBe('absent');
  });

  test('without any owner before, every other value is news', () => {
    const baseline = { ownerId: null, changedAt: null };

    expect(code(contact(by('72', 50), OURS), SETTLED, baseline)).toBe('superseded:possible-overwrite');
    expect(code(contact(OURS), SETTLED, baseline)).toBe('done');
  });

  test('nothing yet is too early to tell', () => {
    expect(code(contact(BEFORE), EARLY)).toBe('unclear:too-early');
  });

  test('evidence says who owns it, and whether we set it', () => {
    expect(ownerFinding(contact(BEFORE, OURS), body, CONTRACT, SETTLED)).toMatchObject({
      evidence: { recordId: '501', facts: { ownerId: '71', owner: 'set' } },
    });
    expect(ownerFinding(contact(BEFORE, by('72', 150)), body, CONTRACT, SETTLED)).toMatchObject({
      evidence: { facts: { ownerId: '72', owner: 'kept' } },
    });
  });

  test('an empty history overwrites nothing', () => {
    expect(overwritten([], '71')).toBe(false);
  });
});

describe('the task', () => {
  const task = { id: '9001', archived: false, completed: false, contactIds: ['501'] };
  const code = (shown: typeof task | null, times = SETTLED) =>
    findingCode(taskFinding(shown, CONTRACT, times));

  test('is done when it is there, also completed', () => {
    expect(code(task, EARLY)).toBe('done');
    expect(code({ ...task, completed: true })).toBe('done');
  });

  test('archived was changed by a person', () => {
    expect(code({ ...task, archived: true })).toBe('superseded:task-changed');
  });

  test('not there', () => {
    expect(code(null)).toBe('absent');
    expect(code(null, EARLY)).toBe('unclear:too-early');
  });
});

describe('the introduction, frozen in the name of 71', () => {
  const body = {
    contactId: '501',
    ownerId: '71',
    templateVersion: '1',
    message: { from: '', replyTo: '', to: '', subject: '', text: '', html: '' },
    wire: '',
  };
  const SENT: SentEmail = { kind: 'sent', id: 'email-1', createdAt: 1, lastEvent: 'delivered' };
  const NONE: SentEmail = { kind: 'none' };
  const owned = { ...CONTACT, ownerId: '71' };
  const finding = (sent: SentEmail, contact: ContactSnapshot | null, times = SETTLED): Finding =>
    introductionFinding(sent, contact, body, MAIL_CONTRACT, times);

  test.each<[string, ContactSnapshot | null]>([
    ['71 owns it', owned],
    ['72 owns it by now', { ...CONTACT, ownerId: '72' }],
    ['the contact is archived', { ...owned, archived: true }],
    ['the contact is gone, or could not be read', null],
  ])('sent is done, even when %s', (_what, contact) => {
    expect(finding(SENT, contact)).toMatchObject({
      finding: 'done',
      evidence: {
        recordId: 'email-1',
        facts: { senderOwnerId: '71', currentOwnerId: contact?.ownerId ?? null },
      },
    });
  });

  test.each<SentEmail>([{ kind: 'page-cap' }, { kind: 'pending', id: 'email-1', lastEvent: 'queued' }])(
    '%j says neither sent nor absent',
    (sent) => {
      expect(findingCode(finding(sent, owned))).toBe('unclear:unreadable');
    },
  );

  test.each<[string, ContactSnapshot | null, string]>([
    ['the owner is still 71', owned, 'absent'],
    ['the owner is 72', { ...CONTACT, ownerId: '72' }, 'superseded:sender-no-longer-owner'],
    ['nobody owns it', CONTACT, 'superseded:sender-no-longer-owner'],
    ['the contact is archived', { ...owned, archived: true }, 'superseded:contact-archived'],
    ['the contact is gone', null, 'superseded:contact-deleted'],
  ])('not sent, and %s', (_what, contact, expected) => {
    expect(findingCode(finding(NONE, contact))).toBe(expected);
  });

  test('a changed owner proves absence only after the settle time', () => {
    const other = { ...CONTACT, ownerId: '72' };

    expect(finding(NONE, other, SETTLED)).toMatchObject({ absenceProven: true });
    expect(finding(NONE, other, EARLY)).toMatchObject({ absenceProven: false });
    expect(findingCode(finding(NONE, owned, EARLY))).toBe('unclear:too-early');
  });
});
