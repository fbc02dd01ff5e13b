import { describe, expect, test } from 'vitest';
import { parseStartRequest } from '../../../functions/intake/start-request.ts';

const lead = { leadRequestId: 'inq-1' };
const approval = { by: 'Tomas', reason: 'the address is corrected' };

test('a lead request, with an approval or without; the lead is looked at later', () => {
  expect(parseStartRequest({ route: 'web', lead })).toEqual({ route: 'web', lead });
  expect(parseStartRequest({ route: 'web', lead: 7 })).toEqual({ route: 'web', lead: 7 });
  expect(parseStartRequest({ route: 'web', lead, approval })).toEqual({ route: 'web', lead, approval });
  const keptUnder = 'dead-0123456789abcdef';
  expect(parseStartRequest({ route: 'web', lead, approval: { ...approval, keptUnder } })).toMatchObject({
    approval: { keptUnder },
  });
});

test('an approver’s word that there is none', () => {
  const dismissal = { leadRequestId: 'inq-1', ...approval };

  expect(parseStartRequest({ route: 'web', dismissal })).toEqual({ route: 'web', dismissal });
});

test('nothing is looked at after the first field that is wrong', () => {
  const event = {
    route: 7,
    get lead(): unknown {
      throw new Error('It was looked at.');
    },
  };

  expect(() => parseStartRequest(event)).toThrow(/^route: /);
});

describe('anything else is refused by the name of its field', () => {
  test.each<[unknown, string]>([
    [null, 'event'],
    ['web', 'event'],
    [{}, 'route'],
    [{ route: 'web' }, 'lead'],
    [{ route: 'web', lead, approval: null }, 'approval'],
    [{ route: 'web', lead, approval: { by: 'Tomas' } }, 'approval.reason'],
    [{ route: 'web', lead, approval: { ...approval, by: ' ' } }, 'approval.by'],
    [{ route: 'web', lead, approval: { ...approval, reason: 'two\nlines' } }, 'approval.reason'],
    [{ route: 'web', lead, approval: { ...approval, reason: 'x'.repeat(201) } }, 'approval.reason'],
    [{ route: 'web', lead, approval: { ...approval, keptUnder: 'a b' } }, 'approval.keptUnder'],
    [{ route: 'web', lead, approval: { ...approval, more: 1 } }, 'approval.more'],
    [{ route: 'web', dismissal: { ...approval } }, 'dismissal.leadRequestId'],
    [{ dismissal: { leadRequestId: 'inq-1', ...approval } }, 'route'],
  ])('%j: %s', (event, field) => {
    expect(() => parseStartRequest(event)).toThrow(
      `${field}: is missing, or not what this function expects.`,
    );
  });
});
