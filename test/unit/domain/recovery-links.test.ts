import { describe, expect, test } from 'vitest';
import { type ActionState, openAction } from '../../../functions/domain/action-state.ts';
import { filledRecord } from '../../../functions/domain/filled-record.ts';
import { contactLink, executionLink, messageLink, recoveryLink } from '../../../functions/domain/links.ts';
import { InvalidRoute } from '../../../functions/domain/route.ts';
import { testRoute } from '../../model/settings.ts';
import { ledgerRecord, performed, recordOptions } from './recovery-ledger.ts';

const machine = (partition: string, region: string) => ({
  stateMachineArn: `arn:${partition}:states:${region}:111122223333:stateMachine:lead-handoff-prod`,
});

describe('pages of the Step Functions console', () => {
  test.each([
    ['aws', 'eu-west-1', 'https://eu-west-1.console.aws.amazon.com/states/home?region=eu-west-1#/'],
    [
      'aws-us-gov',
      'us-gov-west-1',
      'https://us-gov-west-1.console.amazonaws-us-gov.com/states/home?region=us-gov-west-1#/',
    ],
    ['aws-cn', 'cn-north-1', 'https://cn-north-1.console.amazonaws.cn/states/home?region=cn-north-1#/'],
  ])('in partition %s', (partition, region, console) => {
    const arn = `arn:${partition}:states:${region}:111122223333`;

    expect(executionLink(machine(partition, region), 'web.inq-1.2')).toBe(
      `${console}v2/executions/details/${arn}:execution:lead-handoff-prod:web.inq-1.2`,
    );
    expect(recoveryLink(machine(partition, region), { route: 'web' })).toBe(
      `${console}statemachines/view/${arn}:stateMachine:lead-handoff-prod-recovery-web`,
    );
  });

  test('none where the console is not known', () => {
    expect(executionLink(machine('aws-iso', 'us-iso-east-1'), 'web.inq-1.2')).toBeNull();
    expect(executionLink(machine('', 'eu-west-1'), 'web.inq-1.2')).toBeNull();
    expect(executionLink({ stateMachineArn: 'lead-handoff-prod' }, 'web.inq-1.2')).toBeNull();
  });

  test('none without a region', () => {
    expect(executionLink(machine('aws', ''), 'web.inq-1.2')).toBeNull();
    expect(recoveryLink(machine('aws', ''), { route: 'web' })).toBeNull();
  });
});

test('no page of the console where the state machine is not known', () => {
  expect(filledRecord(ledgerRecord([]), recordOptions({ links: null })).links).toMatchObject({
    execution: null,
    recovery: null,
  });
});

describe('the contact in HubSpot', () => {
  test('needs the number of the account, and an id of HubSpot', () => {
    const crm = { adapter: 'hubspot', portalId: '4711' } as const;

    expect(contactLink(crm, '1001')).toBe('https://app.hubspot.com/contacts/4711/record/0-1/1001');
    expect(contactLink({ adapter: 'hubspot' }, '1001')).toBeNull();
    expect(contactLink(crm, null)).toBeNull();
    expect(contactLink(crm, 'attested/by-hand')).toBeNull();
    for (const id of ['', '1001a', 'a1001', '10 01']) expect(contactLink(crm, id)).toBeNull();
  });

  test.each(['', 'hub-4711', '4711?x', '1'.repeat(21)])('a route may not call %j an account', (portalId) => {
    expect(() => testRoute({ crm: { adapter: 'hubspot', portalId } })).toThrow(InvalidRoute);
  });

  test('is found before its action has a receipt, where a later one was frozen with it', () => {
    const contact = { ...openAction('upsert-contact'), phase: 'unknown', attempt: 1 } as const;
    const { contactId, links } = filledRecord(ledgerRecord([contact]), recordOptions());

    expect(contactId).toBe('1001');
    expect(links.contact).toBe('https://app.hubspot.com/contacts/4711/record/0-1/1001');
  });
});

describe('the message in Resend', () => {
  test('is named by the evidence', () => {
    const recordId = '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794';

    expect(messageLink({ recordId })).toBe(`https://resend.com/emails/${recordId}`);
    expect(messageLink({ recordId: null })).toBeNull();
    for (const id of ['', 'mailbox/of:robin', '/mail-7', 'mail-7/', 'm'.repeat(65)])
      expect(messageLink({ recordId: id })).toBeNull();
    expect(messageLink({ recordId: 'm'.repeat(64) })).toBe(`https://resend.com/emails/${'m'.repeat(64)}`);
    expect(messageLink(null)).toBeNull();
  });

  test('may be one that was reported late, also beside a person’s word', () => {
    const sent = performed('send-introduction', 'mail-7', 4_000);
    const late = { ...sent, lateEvidence: sent.evidence };
    const attested = sent.evidence && { ...sent.evidence, kind: 'attested' as const, recordId: 'mail-8' };
    const message = (state: ActionState) =>
      filledRecord(ledgerRecord([state]), recordOptions()).links.message;

    expect(message({ ...late, evidence: null, phase: 'unknown' })).toBe('https://resend.com/emails/mail-7');
    expect(message({ ...late, evidence: attested })).toBe('https://resend.com/emails/mail-7');
    expect(message({ ...sent, evidence: attested })).toBeNull();
  });

  test('stands in the record of an introduction that was sent', () => {
    const record = ledgerRecord([performed('send-introduction', 'mail-7', 4_000)]);

    expect(filledRecord(record, recordOptions()).links.message).toBe('https://resend.com/emails/mail-7');
  });
});
