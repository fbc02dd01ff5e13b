import { describe, expect, it } from 'vitest';
import type { LedgerRecord } from '../../../functions/domain/handoff.ts';
import { type BookedLead, balance } from '../../../local/chaos-books.ts';
import { CORRECTION, hashOf } from '../../../local/chaos-leads.ts';
import type { InspectedTask } from '../../../local/chaos-sandbox.ts';
import {
  asked,
  BOOKED,
  booksOf,
  decision,
  EMAIL,
  RECORD,
  TASK,
  withAction,
  withSecondOperation,
} from './balanced-books.ts';

const FIRST = hashOf(BOOKED.lead, 'same');
const CORRECTED = hashOf(BOOKED.lead, 'corrected');
const APPROVER = 'Tomas Vega';

function task(revision: '' | '/r2', text = ''): InspectedTask {
  const stamp = `Reference: website/l1/create-task${revision} lh0123456789abcdef0123`;
  return { ...TASK, properties: { hs_task_body: `Call: ${text}<br>${stamp}` } };
}

const email = { ...EMAIL, text: `Hello Ada ${CORRECTION.firstName},` };

/** The task's second operation is made of these fields, which an approver put in place. */
function amendedRecord(fieldsHash = CORRECTED, evidence: string | undefined = CORRECTED): LedgerRecord {
  const amend = decision('amend', '00:02.000', APPROVER);
  const amended = { ...amend, ...(evidence === undefined ? {} : { evidence }) };
  const record = withAction('create-task', {
    attempt: 2,
    history: [
      { at: amend.at, event: 'decided-amend', attempt: 1, detail: APPROVER },
      { at: amend.at + 1, event: 'grant', attempt: 1, detail: 'absent · decided-amend' },
      { at: amend.at + 2, event: 'claimed', attempt: 2, detail: 'worker' },
      { at: amend.at + 3, event: 'performed', attempt: 2, detail: null },
    ],
    lastDecision: { decision: amended, result: 'used' },
  });
  const amendments =
    evidence === undefined
      ? []
      : [{ intentHash: evidence, decisionId: amend.id, by: APPROVER, at: amend.at }];
  const handoff = { ...record.handoff, amendments };
  return withSecondOperation('create-task', { ...record, handoff }, fieldsHash);
}

const asking = (evidence: string, end: Parameters<typeof asked>[1]) =>
  asked({ decision: 'amend', by: APPROVER, evidence }, end);
const RECORDED = { outcome: 'answered', answer: { by: APPROVER, recorded: 'now' } } as const;
const REFUSED = { outcome: 'refused', error: 'NotAnApprover' } as const;

function found(record: LedgerRecord, tasks: readonly InspectedTask[], booked: Partial<BookedLead> = {}) {
  return balance(booksOf({ record, booked, inspection: { tasks } })).map(({ kind, detail }) => [
    kind,
    detail,
  ]);
}

describe('the fields that effects are made of', () => {
  it('balance where an approver has put corrected ones in place', () => {
    const requests = [asking(CORRECTED, RECORDED)];
    expect(found(amendedRecord(), [task('/r2', CORRECTION.message)], { requests })).toEqual([]);
  });

  it('balance where whoever wrote that down died before the answer', () => {
    const requests = [asking(CORRECTED, null)];
    expect(found(amendedRecord(), [task('/r2', CORRECTION.message)], { requests })).toEqual([]);
  });

  it('balance where the request was written anew from the first ones', () => {
    const requests = [asked({ decision: 'amend', by: APPROVER }, RECORDED)];
    const { evidence: _none, ...anew } = decision('amend', '00:02.000', APPROVER);
    const record = amendedRecord(FIRST);
    const actions = withAction(
      'create-task',
      { lastDecision: { decision: anew, result: 'used' } },
      record,
    ).actions;
    const handoff = { ...record.handoff, amendments: [] };
    expect(found({ ...record, actions, handoff }, [task('/r2')], { requests })).toEqual([]);
  });

  it('balance where corrected ones were frozen under the identity that was there before', () => {
    const requests = [asking(CORRECTED, RECORDED)];
    const record = amendedRecord();
    const operations = record.operations.map((one) =>
      one.action === 'create-task' ? { ...one, identity: 'website/l1/create-task' } : one,
    );
    const operation = { revision: 2, identity: 'website/l1/create-task', bodyHash: 'hash' };
    const again = withAction('create-task', { operation }, { ...record, operations });
    expect(found(again, [task('', CORRECTION.message)], { requests })).toEqual([]);
    expect(found(again, [task('')], { requests })).toEqual([
      [
        'wrong-fields',
        'create-task 1002 is made of the first fields, and by the ledger of the corrected fields',
      ],
    ]);
  });

  it.each([
    [
      'the corrected ones',
      '',
      CORRECTION.message,
      'the corrected fields, and by the ledger of the first fields',
    ],
    ['an operation that the ledger lacks', '/r2', '', 'the first fields, and by the ledger of nothing'],
  ] as const)('are wrong when a task is made of %s', (_case, revision, text, says) => {
    expect(found(RECORD, [task(revision, text)])).toContainEqual([
      'wrong-fields',
      `create-task 1002 is made of ${says}`,
    ]);
  });

  it('are wrong when an email is made of others than the ledger says', () => {
    const books = booksOf({ inspection: { emails: [email] } });
    expect(balance(books).map(({ kind, detail }) => [kind, detail])).toEqual([
      [
        'wrong-fields',
        'send-introduction email-1 is made of the corrected fields, and by the ledger of the first fields',
      ],
    ]);
  });

  it('are wrong when the corrected ones are in place and nobody decided so', () => {
    const nobody = ['wrong-fields', 'the corrected fields are in place, and nobody decided that'];
    const tasks = [task('/r2', CORRECTION.message)];
    expect(found(amendedRecord(), tasks)).toEqual([nobody]);
    const requests = [asking(CORRECTED, REFUSED), asking('others', RECORDED)];
    expect(found(amendedRecord(), tasks, { requests })).toContainEqual(nobody);
  });

  it('are wrong when an approver put corrected ones in place and the first ones went out', () => {
    const requests = [asking(CORRECTED, RECORDED)];
    expect(found(amendedRecord(FIRST), [task('/r2')], { requests })).toEqual([
      ['wrong-fields', 'create-task was to be of the corrected fields, and is of the first fields'],
    ]);
  });
});
