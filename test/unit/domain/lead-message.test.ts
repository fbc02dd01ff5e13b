import { expect, test } from 'vitest';
import { parseLeadMessage } from '../../../functions/domain/lead-message.ts';

test('a message names its route, and brings whatever it says of the lead', () => {
  const message = { route: 'web', lead: { leadRequestId: 'inq-1' } };

  expect(parseLeadMessage(JSON.stringify({ ...message, more: 1 }))).toEqual(message);
});

test.each([
  ['no JSON', 'jo.lind@customer.example.com', 'not-json', null, 'not-json'],
  ['no object', 'null', 'not-a-lead-message', null, 'not-a-lead-message'],
  ['no route', '{"lead":{}}', 'not-a-lead-message', 'route', 'not-a-lead-message, route'],
  ['no lead', '{"route":"web"}', 'not-a-lead-message', 'lead', 'not-a-lead-message, lead'],
])('%s: it is said what is wrong, and nothing of what it says', (_what, body, code, field, said) => {
  expect(() => parseLeadMessage(body)).toThrow(
    expect.objectContaining({
      name: 'InvalidLeadMessage',
      code,
      field,
      message: `A message of the queue cannot be read (${said}).`,
    }),
  );
});
