import { describe, expect, test } from 'vitest';
import { parsePersonsRequest } from '../../../functions/domain/decision-request.ts';

const DECIDE = {
  leadRequestId: 'inq-1',
  action: 'create-task',
  decision: 'resume',
  by: 'Robin',
  reason: 'the token may do it now',
};

describe('a person’s input is read as it is typed', () => {
  test('with everything that a decision can have', () => {
    const input = {
      ...DECIDE,
      evidence: 'hubspot/task#9001',
      finding: 'unclear:too-early',
      riskAccepted: true,
      notDone: false,
    };

    expect(parsePersonsRequest(input)).toEqual(input);
  });

  test.each([
    { decision: 'waiting' },
    { decision: 'waiting', by: 'Robin' },
    { decision: 'show', leadRequestId: 'inq-1' },
    { decision: 'show', leadRequestId: 'inq-1', by: 'Robin' },
    { ...DECIDE, finding: 'absent' },
    { ...DECIDE, finding: `${'a'.repeat(20)}:${'b-'.repeat(20)}` },
    { ...DECIDE, evidence: '9' },
    { ...DECIDE, evidence: `m${'_.:/#-'.repeat(21)}a` },
    { decision: 'resubmit', leadRequestId: 'inq-1', by: 'Robin', reason: 'it failed' },
  ])('%j', (input) => {
    expect(parsePersonsRequest(input)).toEqual(input);
  });

  test('blanks around a name mean nothing', () => {
    expect(parsePersonsRequest({ ...DECIDE, by: ' Robin ' })).toMatchObject({ by: 'Robin' });
  });
});

describe('what cannot be used is refused by the name of its field', () => {
  test.each([
    [undefined, 'input: expected a JSON object, such as {"decision": "waiting"}.'],
    ['stop', 'input: expected a JSON object, such as {"decision": "waiting"}.'],
    [
      {},
      'decision: is missing, expected one of resume, confirm, take-over, release, keep-owner, send-as-current-owner, amend, stop, waiting, show, resubmit.',
    ],
    [
      { ...DECIDE, decision: 'retry' },
      'decision: expected one of resume, confirm, take-over, release, keep-owner, send-as-current-owner, amend, stop, waiting, show, resubmit.',
    ],
    [
      { ...DECIDE, leadRequestId: 'jo.lind@customer.example.com' },
      'leadRequestId: expected 1 to 64 of the characters A-Z a-z 0-9 _ -.',
    ],
    [
      { ...DECIDE, leadRequestId: 7 },
      'leadRequestId: expected the id that the source gave this inquiry, as a text.',
    ],
    [
      { ...DECIDE, action: 'send-email' },
      'action: expected one of upsert-contact, assign-owner, create-task, send-introduction.',
    ],
    [
      { leadRequestId: 'inq-1', decision: 'stop', by: 'Robin', reason: 'x' },
      'action: is missing, expected one of upsert-contact, assign-owner, create-task, send-introduction.',
    ],
    [{ ...DECIDE, by: '' }, 'by: expected the name or the email address of the person who decides.'],
    [{ ...DECIDE, by: 'R'.repeat(101) }, 'by: expected at most 100 characters.'],
    [{ ...DECIDE, by: 'Robin\nMia' }, 'by: expected one line without control characters.'],
    [{ ...DECIDE, reason: ' ' }, 'reason: expected why, in one line and without personal data.'],
    [{ ...DECIDE, reason: 'x'.repeat(201) }, 'reason: expected at most 200 characters.'],
    [{ ...DECIDE, reason: 'one\u2028two' }, 'reason: expected one line without control characters.'],
    [
      { ...DECIDE, evidence: '' },
      'evidence: expected 1 to 128 of the characters A-Z a-z 0-9 _ . : / # -, beginning with a letter or a digit; leave it out where there is none.',
    ],
    [
      { ...DECIDE, evidence: 'jo.lind@customer.example.com' },
      'evidence: expected 1 to 128 of the characters A-Z a-z 0-9 _ . : / # -, beginning with a letter or a digit; leave it out where there is none.',
    ],
    ...['-9001', `m${'a'.repeat(128)}`, '9001 '].map((evidence): [object, string] => [
      { ...DECIDE, evidence },
      'evidence: expected 1 to 128 of the characters A-Z a-z 0-9 _ . : / # -, beginning with a letter or a digit; leave it out where there is none.',
    ]),
    [{ ...DECIDE, evidence: 9001 }, 'evidence: expected a text.'],
    ...['gone!', '!gone', '', 'a'.repeat(21), 'unclear:', `unclear:${'a'.repeat(41)}`].map(
      (finding): [object, string] => [
        { ...DECIDE, finding },
        'finding: expected the finding as the recovery record shows it.',
      ],
    ),
    [{ ...DECIDE, finding: 7 }, 'finding: expected a text.'],
    [{ ...DECIDE, riskAccepted: 'yes' }, 'riskAccepted: expected true or false.'],
    [{ ...DECIDE, notDone: 1 }, 'notDone: expected true or false.'],
    [{ ...DECIDE, riskAcepted: true }, 'riskAcepted: is not a field of resume.'],
    ...['jo.lind@customer.example.com', '358401234567', 'Jo Lind', 'J'.repeat(41)].map(
      (key): [object, string] => [{ ...DECIDE, [key]: 1 }, 'a field: is not a field of resume.'],
    ),
    [{ ...DECIDE, ['J'.repeat(40)]: 1 }, `${'J'.repeat(40)}: is not a field of resume.`],
    [{ ...DECIDE, a_9: 1 }, 'a_9: is not a field of resume.'],
    [{ decision: 'show', leadRequestId: 'inq-1', reason: 'x' }, 'reason: is not a field of show.'],
    [{ decision: 'waiting', leadRequestId: 'inq-1' }, 'leadRequestId: is not a field of waiting.'],
    [{ decision: 'show' }, 'leadRequestId: is missing, expected the id that the source gave this inquiry.'],
    [
      { decision: 'resubmit', leadRequestId: 'inq-1', by: 'Robin' },
      'reason: is missing, expected why, in one line and without personal data.',
    ],
    [
      { decision: 'resubmit', leadRequestId: 'inq-1', by: 'Robin', reason: 'x', action: 'create-task' },
      'action: is not a field of resubmit.',
    ],
  ])('%j', (input, message) => {
    expect(parsePersonsRequest(input)).toMatchObject({ error: 'InvalidDecision', message });
  });
});

test('nothing is looked at after the first field that is wrong', () => {
  const input = {
    decision: 'show',
    leadRequestId: 'a b',
    get by(): string {
      throw new Error('It was looked at.');
    },
  };

  expect(parsePersonsRequest(input)).toMatchObject({ message: expect.stringMatching(/^leadRequestId: /) });
});

test('what is far too long is refused at once', () => {
  const began = performance.now();

  expect(parsePersonsRequest({ ...DECIDE, reason: 'x'.repeat(40_000) })).toMatchObject({
    message: 'reason: expected at most 200 characters.',
  });
  expect(performance.now() - began).toBeLessThan(1_000);
});
