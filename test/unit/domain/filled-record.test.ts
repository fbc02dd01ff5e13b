import { describe, expect, test } from 'vitest';
import { type ActionState, openAction } from '../../../functions/domain/action-state.ts';
import { canRedrive, filledRecord } from '../../../functions/domain/filled-record.ts';
import type { LedgerRecord } from '../../../functions/domain/handoff.ts';
import { asked, FRIDAY, ledgerRecord, performed, recordOptions, uncertain } from './recovery-ledger.ts';

const filled = (record: LedgerRecord) => filledRecord(record, recordOptions());
const UNREADABLE = uncertain('create-task', 'unclear:unreadable', 'unreadable');

describe('an action', () => {
  const taskOf = (state: ActionState, more: Partial<LedgerRecord> = {}) =>
    filled(ledgerRecord([state], more)).actions[2];
  const waited = {
    ...UNREADABLE,
    lastRead: UNREADABLE.lastRead && { ...UNREADABLE.lastRead, disposition: 'wait' as const },
  };

  test('on which a person is asked says what is missing, and what may be decided', () => {
    expect(taskOf(UNREADABLE)).toMatchObject({
      action: 'create-task',
      destination: 'hubspot',
      asked: true,
      notKnown: 'Whether the task was created: HubSpot could not be read, or did not show it clearly.',
      mustChange: 'HubSpot must be readable again; "npx handoff doctor web --stage prod" says what is wrong.',
      refusedChoices: [],
    });
    expect(taskOf(UNREADABLE)?.choices.map(({ decision }) => decision)).toEqual([
      'resume',
      'confirm',
      'take-over',
      'amend',
      'stop',
    ]);
  });

  test('that goes on by itself says nothing of that', () => {
    expect(taskOf(waited)).toMatchObject({
      asked: false,
      notKnown: null,
      mustChange: null,
      choices: [],
      refusedChoices: [],
    });
  });

  test('whose execution is gone says what nobody knows, and is decided by the handoff as a whole', () => {
    const waiting = [asked('handoff', 'execution-failed', { token: null })];

    expect(taskOf(waited, { waiting })).toMatchObject({
      asked: false,
      notKnown: 'Whether the task was created: HubSpot could not be read, or did not show it clearly.',
      mustChange: null,
      choices: [],
    });
  });

  test('on which something is refused says why in words', () => {
    const refused = (finding: string) =>
      filled(ledgerRecord([uncertain('assign-owner', finding, 'owner-changed')])).actions[1]
        ?.refusedChoices[0];

    expect(refused('superseded:owner-changed')).toEqual({
      decision: 'resume',
      why: 'person-changed-it',
      because: 'a person changed what it was about, and that stands',
    });
    expect(refused('superseded:possible-overwrite')).toEqual({
      decision: 'resume',
      why: 'person-changed-it',
      because: 'the owner that this handoff set is there already, in the place of a person’s',
    });
  });
});

describe('a handoff', () => {
  const again = (waiting: LedgerRecord['waiting'], closedAt: number | null = null) => {
    const record = ledgerRecord([openAction('send-introduction')], { waiting });
    const { resubmit, canRedrive } = filled({ ...record, handoff: { ...record.handoff, closedAt } });
    return { resubmit, canRedrive };
  };
  const RESUBMIT = { leadRequestId: 'inq-1', decision: 'resubmit', by: '', reason: '' };
  const GONE = asked('handoff', 'execution-failed', { token: null });

  test('whose execution is gone can be started again', () => {
    expect(again([GONE])).toEqual({ resubmit: RESUBMIT, canRedrive: true });
    expect(again([{ ...GONE, why: 'execution-missing' }])).toEqual({
      resubmit: RESUBMIT,
      canRedrive: false,
    });
    expect(again([asked('create-task', 'unreadable'), GONE])).toEqual({
      resubmit: RESUBMIT,
      canRedrive: true,
    });
  });

  test.each<[string, LedgerRecord['waiting'], number | null]>([
    ['of which an action waits', [asked('create-task', 'unreadable')], null],
    ['for which nobody waits', [], null],
    ['that was started again since', [{ ...GONE, execution: 'web.inq-1.0' }], null],
    ['that is closed', [GONE], FRIDAY],
  ])('%s cannot', (_, waiting, closedAt) => {
    expect(again(waiting, closedAt)).toEqual({ resubmit: null, canRedrive: false });
  });

  test.each([
    ['execution-failed', true],
    ['execution-aborted', true],
    ['execution-timed-out', true],
    ['execution-missing', false],
    ['execution-succeeded-open', false],
    ['same-person', false],
  ])('that waits because of %s can be redriven: %s', (why, redriven) => {
    expect(canRedrive(why)).toBe(redriven);
  });

  test('that was joined to another one links to no page of what was not done', () => {
    const record = ledgerRecord([]);
    const handoff = { ...record.handoff, joinedTo: 'inq-0', closedAt: FRIDAY };

    expect(filled({ ...record, handoff, actions: [], operations: [] })).toMatchObject({
      actions: [],
      links: { contact: null, message: null },
    });
  });

  test('of which a person vouches for another action alone links to its contact', () => {
    const task = performed('create-task', '5005', 2_000);
    const evidence = task.evidence && { ...task.evidence, kind: 'attested' as const };
    const record = ledgerRecord([{ ...task, evidence }, openAction('upsert-contact')]);
    const handoff = { ...record.handoff, joinedTo: 'inq-0', closedAt: FRIDAY };

    expect(
      filled({ ...record, handoff, actions: record.actions.filter(({ action }) => action === 'create-task') })
        .links,
    ).toMatchObject({
      contact: 'https://app.hubspot.com/contacts/4711/record/0-1/1001',
      recovery:
        'https://eu-west-1.console.aws.amazon.com/states/home?region=eu-west-1#/statemachines/view/arn:aws:states:eu-west-1:111122223333:stateMachine:lead-handoff-prod-recovery-web',
    });
  });

  test('whose contact a person vouches for links to no contact', () => {
    const contact = performed('upsert-contact', '1001', 1_000);
    const evidence = contact.evidence && { ...contact.evidence, kind: 'attested' as const };

    expect(filled(ledgerRecord([{ ...contact, evidence }]))).toMatchObject({
      contactId: '1001',
      links: { contact: null },
    });
  });
});
