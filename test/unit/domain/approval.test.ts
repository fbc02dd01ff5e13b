import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  approvalSchema,
  assertApprover,
  dismissalSchema,
  isApprover,
} from '../../../functions/domain/approval.ts';
import { testRoute } from '../../model/settings.ts';

const ROUTE = testRoute({
  approvers: [
    { name: 'Tomas', email: 'Tomas@RevOps.example.com' },
    // The second letter is written in two characters, as some keyboards do.
    { name: 'Zoe\u0308 Lind', email: 'zoe@revops.example.com' },
  ],
});

test.each(['Tomas', 'tomas', 'TOMAS', 'tomas@revops.example.com', 'Zo\u00eb Lind', 'ZOE@revops.example.com'])(
  '%s is an approver, in every way of writing it',
  (who) => {
    expect(isApprover(who, ROUTE)).toBe(true);
    expect(() => assertApprover(who, ROUTE)).not.toThrow();
  },
);

test.each(['', 'Tom', 'Tomas Lind', 'Robin', 'tomas@example.com', 'robin@revops.example.com'])(
  '%j is none, and hears who is',
  (who) => {
    expect(isApprover(who, ROUTE)).toBe(false);
    expect(() => assertApprover(who, ROUTE)).toThrow(
      expect.objectContaining({
        name: 'NotAnApprover',
        message:
          'Only an approver may do this: on route web that is Tomas (Tomas@RevOps.example.com) or Zoe\u0308 Lind (zoe@revops.example.com), and "by" must be the name or the email address as written here.',
      }),
    );
  },
);

const WORD = { by: 'Tomas', reason: 'the source wrote, ticket 4711' };

function problems(schema: v.GenericSchema, word: object): string[] {
  const parsed = v.safeParse(schema, word);
  return parsed.success ? [] : parsed.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
}

test('an approver’s word says who and why', () => {
  expect(problems(approvalSchema, WORD)).toEqual([]);
  expect(problems(approvalSchema, { ...WORD, keptUnder: 'dead-0123456789abcdef' })).toEqual([]);
  expect(problems(dismissalSchema, { ...WORD, leadRequestId: 'inq-1' })).toEqual([]);
  expect(problems(approvalSchema, { ...WORD, by: '', reason: '' })).toEqual([
    'by: expected the name or the email address of an approver',
    'by: expected at least one letter or digit',
    'reason: expected why, in one line and without personal data',
  ]);
});

test('an approver’s word is about one id, and says nothing else', () => {
  const ID = 'expected 1 to 64 of the characters A-Z a-z 0-9 _ -';

  expect(problems(approvalSchema, { ...WORD, keptUnder: 'a b' })).toEqual([`keptUnder: ${ID}`]);
  expect(problems(dismissalSchema, { ...WORD, leadRequestId: 'a b' })).toEqual([`leadRequestId: ${ID}`]);
  expect(problems(approvalSchema, { ...WORD, more: 1 })).toHaveLength(1);
  expect(problems(dismissalSchema, { ...WORD, leadRequestId: 'inq-1', more: 1 })).toHaveLength(1);
});
