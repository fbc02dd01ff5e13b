import { afterAll, beforeAll, expect, test } from 'vitest';
import { recoveryRecord } from '../../../functions/domain/recovery-record.ts';
import { leadOf, ONE_OF_EACH, ROUTE, type Stack, settled, startStack, submit, until } from './stack.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
}, 120_000);

afterAll(() => stack.engine.stop());

test('the same id with other fields is refused and shown; the first handoff goes on untouched', async () => {
  const lead = leadOf('same-id');
  expect(await submit(stack, lead)).toMatchObject({ status: 'accepted' });
  const other = await submit(stack, { ...lead, email: 'somebody.else@example.com' });
  expect(other).toMatchObject({ errorType: 'LeadConflict' });
  const record = await settled(stack.ledger, 'same-id');
  expect(record.handoff.lead.email).toBe('same-id@example.com');
  expect(recoveryRecord(record)).toMatchObject({
    status: 'closed',
    conflicts: [{ intentHash: expect.stringMatching(/^[0-9a-f]{64}$/) }],
  });
  expect(await stack.destination.effects(lead.email)).toEqual(ONE_OF_EACH);
  expect(await stack.destination.effects('somebody.else@example.com')).toEqual({
    contacts: 0,
    ownerWrites: 0,
    tasks: 0,
    emails: 0,
  });
});

test('key order, Unicode form, outer blanks and the case of the email are no change', async () => {
  const lead = { ...leadOf('same-fields'), lastName: 'Wiśniewska'.normalize('NFC') };
  expect(await submit(stack, lead)).toMatchObject({ status: 'accepted' });
  const again = Object.fromEntries(
    Object.entries({
      ...lead,
      lastName: ` ${'Wiśniewska'.normalize('NFD')} `,
      email: 'Same-Fields@Example.com',
    }).reverse(),
  );
  expect(await submit(stack, again)).toMatchObject({ status: expect.stringMatching(/repeated|closed/) });
  const record = await settled(stack.ledger, 'same-fields');
  expect(record.conflicts).toEqual([]);
  expect(await stack.destination.effects(lead.email)).toEqual(ONE_OF_EACH);
});

test.each([
  ['a missing id', { email: 'no-id@example.com' }, 'leadRequestId: is missing.'],
  [
    'a bad id',
    { leadRequestId: 'a b', email: 'bad-id@example.com' },
    'leadRequestId: expected 1 to 64 of the characters A-Z a-z 0-9 _ -.',
  ],
  ['no email', { leadRequestId: 'no-email' }, 'email: is missing.'],
  [
    'a 300 kB body',
    { leadRequestId: 'huge', email: 'huge@example.com', message: 'x'.repeat(300_000) },
    'message: expected at most 5000 characters.',
  ],
  [
    'an unknown field',
    { leadRequestId: 'typo', email: 'typo@example.com', fristName: 'A' },
    'fristName: is not a field of a lead request.',
  ],
])('%s is refused in one sentence, and nothing is written', async (_case, lead, message) => {
  await until('nothing runs any more', () =>
    stack.engine.executions.all().every(({ status }) => status !== 'RUNNING'),
  );
  const before = { ...stack.engine.counters.writes };
  expect(await submit(stack, lead)).toMatchObject({ errorType: 'InvalidLeadRequest', errorMessage: message });
  expect(stack.engine.counters.writes).toEqual(before);
});

test('an unknown route is refused naming the ones that exist', async () => {
  const { payload } = await stack.engine.invoke('lead-handoff-local-start', {
    route: 'nowhere',
    lead: leadOf('nowhere'),
  });
  expect(JSON.parse(payload)).toMatchObject({
    errorType: 'UnknownRoute',
    errorMessage: 'route: expected one of website.',
  });
  expect(await stack.ledger.record({ route: ROUTE, leadRequestId: 'nowhere' })).toBeNull();
});
