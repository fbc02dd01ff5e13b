import { expect, test } from 'vitest';
import { ACTIONS } from '../../../functions/domain/action.ts';
import { Bench, KEY } from '../../model/bench.ts';
import { START } from '../../model/clock.ts';

test('an undisturbed handoff does each thing once, closes with evidence, and gives its items an end', async () => {
  const bench = new Bench();
  await bench.accept();

  const outcomes = [];
  for (const action of ACTIONS) outcomes.push((await bench.act(action, 1)).outcome);
  const closed = await bench.close();

  expect(outcomes).toEqual(['performed', 'performed', 'performed', 'performed']);
  expect(closed).toEqual({ closed: true });
  expect(bench.crm.wire.requests.map(({ what, identity }) => `${what} ${identity}`)).toEqual([
    'create contact web/inq-1/upsert-contact',
    'set owner web/inq-1/assign-owner',
    'create task web/inq-1/create-task',
  ]);
  expect(bench.mail.sent).toHaveLength(1);
  expect(bench.mail.sent[0]).toMatchObject({
    key: 'web/inq-1/send-introduction',
    message: {
      from: 'Ada Park <ada.park@sales.example.com>',
      to: 'jo.lind@customer.example.com',
      text: 'Hello Jo, I am Ada Park. web/inq-1',
    },
  });
  expect(bench.ledger.expiryOf(KEY)).toBe(START + 400 * 86_400_000);
});
