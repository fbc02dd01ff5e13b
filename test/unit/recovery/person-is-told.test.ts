import { describe, expect, test } from 'vitest';
import { LEAD } from '../../model/bench.ts';
import { once } from '../../model/write-faults.ts';
import { failing, KEY, parkedTask, RUN_1, toldToAsk } from './recovery-bench.ts';

describe('a question', () => {
  test('is told with the record that it is decided from', async () => {
    const bench = await toldToAsk();
    await bench.enters('ask', 'create-task');

    expect(bench.told).toEqual([
      {
        route: 'web',
        leadRequestId: 'inq-1',
        action: 'create-task',
        why: 'permissions',
        who: 'robin@revops.example.com',
        asked: 0,
        escalated: false,
        dueAt: '2026-01-05T16:01:40.000Z',
        text: expect.stringContaining(
          '{"leadRequestId":"inq-1","action":"create-task","decision":"resume","by":"","reason":"","finding":"absent"}',
        ),
      },
    ]);
    expect(bench.told[0]?.text).toContain('create-task waits for robin@revops.example.com');
  });

  test.each([
    [1, '2026-01-05T16:01:40.000Z'],
    [3, null],
  ])('asked for the %i. time again goes to the escalation owner', async (asked, dueAt) => {
    const bench = await toldToAsk();
    await bench.enters('ask', 'create-task', { asked });

    expect(bench.told).toMatchObject([{ who: 'mia@revops.example.com', asked, escalated: true, dueAt }]);
  });

  test('holds nothing of the lead’s person, and no token', async () => {
    const bench = await toldToAsk();
    await bench.enters('ask', 'create-task');
    const told = JSON.stringify(bench.told);

    for (const secret of [LEAD.email, LEAD.lastName, LEAD.company, 'token-create-task']) {
      expect(told).not.toContain(secret);
    }
  });

  test('that cannot be told is on the list all the same, and the workflow comes back', async () => {
    const bench = await toldToAsk();
    bench.eventsFail = true;
    await expect(bench.enters('ask', 'create-task')).rejects.toMatchObject({ name: 'EventsUnavailable' });
    expect(await bench.waitingOf('create-task')).toMatchObject({ kind: 'ask', token: 'token-create-task' });

    bench.eventsFail = false;
    bench.clock.advance(60_000);
    await bench.enters('ask', 'create-task', { token: 'token-2' });
    expect(bench.told).toHaveLength(1);
    expect(await bench.waitingOf('create-task')).toMatchObject({ token: 'token-2', asked: 0 });
  });

  test('that cannot be put on the list is told to nobody', async () => {
    const bench = await toldToAsk();
    bench.ledger.hooks = once('before', ({ what }) => what === 'put-waiting');
    await expect(bench.enters('ask', 'create-task')).rejects.toMatchObject({ name: 'LedgerUnavailable' });

    expect(bench.told).toEqual([]);
  });

  test('whose wait cannot be ended after a decision fails visibly, and the workflow comes back', async () => {
    const bench = await toldToAsk();
    await bench.person('create-task', 'resume');
    bench.workflowHooks = failing('complete', 'before');

    await expect(bench.enters('ask', 'create-task')).rejects.toMatchObject({ name: 'WorkflowUnavailable' });
  });

  test('of an execution that is not the current one is neither listed nor told', async () => {
    const bench = await toldToAsk();
    bench.ledger.putFence(KEY, 'web.inq-1.2', 2);

    await expect(bench.enters('ask', 'create-task', { execution: RUN_1 })).rejects.toMatchObject({
      name: 'NotCurrent',
    });
    expect(await bench.waiting()).toEqual([]);
    expect(bench.told).toEqual([]);
  });
});

test('what is parked is told to nobody', async () => {
  const bench = await parkedTask();

  expect(await bench.waitingOf('create-task')).toMatchObject({ kind: 'park', who: 'hubspot' });
  expect(bench.told).toEqual([]);
});
