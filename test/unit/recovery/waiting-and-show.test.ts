import { expect, test } from 'vitest';
import { keepDeadLetter } from '../../../functions/intake/keep-dead-letter.ts';
import { LEAD } from '../../model/bench.ts';
import { askedAboutTask, KEY, parkedTask, RecoveryBench, RUN_1 } from './recovery-bench.ts';

test('waiting lists what waits on the route, oldest first, and no token', async () => {
  const bench = await askedAboutTask();
  bench.clock.advance(1_000);
  await bench.enters('park', 'send-introduction', { token: 'park-1', reason: 'breaker-open' });

  const answer = await bench.answer({ decision: 'waiting' });

  expect(answer).toEqual({
    answer: {
      waiting: [
        {
          leadRequestId: 'inq-1',
          action: 'create-task',
          kind: 'ask',
          who: 'robin@revops.example.com',
          why: 'permissions',
          since: '2026-01-05T12:01:40.000Z',
          dueAt: '2026-01-05T16:01:40.000Z',
        },
        {
          leadRequestId: 'inq-1',
          action: 'send-introduction',
          kind: 'park',
          who: 'resend',
          why: 'breaker-open',
          since: '2026-01-05T12:01:41.000Z',
          dueAt: '2026-01-05T12:16:41.000Z',
        },
      ],
      more: 0,
    },
  });
});

test('waiting lists what is parked before what was asked later', async () => {
  const bench = await parkedTask();
  bench.clock.advance(1_000);
  await bench.enters('ask', 'send-introduction');

  expect(await bench.answer({ decision: 'waiting' })).toMatchObject({
    answer: { waiting: [{ kind: 'park' }, { kind: 'ask' }] },
  });
});

test('waiting lists nothing of another route', async () => {
  const bench = await askedAboutTask();
  const parked = { ...(await bench.waiting())[0], kind: 'park', who: 'hubspot' } as const;
  await bench.ledger.putWaiting({ route: 'other', leadRequestId: 'inq-2' }, parked as never);

  expect(await bench.answer({ decision: 'waiting' })).toMatchObject({
    answer: { waiting: [{ leadRequestId: 'inq-1' }], more: 0 },
  });
});

test('waiting stays shorter than an output may be, and says how many more wait', async () => {
  const bench = await askedAboutTask();
  const [waiting] = await bench.waiting();
  for (let i = 0; waiting && i < 1_500; i++) {
    const leadRequestId = `more-${i}`;
    await bench.ledger.putWaiting({ route: 'web', leadRequestId }, { ...waiting, since: waiting.since + i });
  }
  const { answer } = (await bench.answer({ decision: 'waiting' })) as {
    answer: { waiting: unknown[]; more: number };
  };

  expect(JSON.stringify(answer).length).toBeLessThan(201_000);
  expect(answer.waiting.length).toBeGreaterThan(500);
  expect(answer.waiting.length + answer.more).toBe(1_501);
});

test('show answers the recovery record as data and as text, and holds no personal data', async () => {
  const bench = await askedAboutTask();

  const answer = await bench.answer({ decision: 'show', leadRequestId: 'inq-1' });

  expect(answer).toMatchObject({
    answer: {
      record: { ...KEY, status: 'waiting', execution: RUN_1, actions: expect.any(Array) },
      text: expect.stringContaining('"decision":"resume"'),
    },
  });
  for (const secret of [LEAD.email, LEAD.lastName, LEAD.company, 'token-create-task']) {
    expect(JSON.stringify(answer)).not.toContain(secret);
  }
});

test('show of a handoff that nobody knows is refused', async () => {
  expect(await new RecoveryBench().answer({ decision: 'show', leadRequestId: 'inq-1' })).toMatchObject({
    refused: { error: 'UnknownHandoff' },
  });
});

test('show of an id that has only a dead letter tells of that, and nothing of what it says', async () => {
  const bench = new RecoveryBench();
  const { ledger, clock, route } = bench.recovery();
  const message = { messageId: 'message-1', body: `no json ${LEAD.email}`, sentAt: clock(), receiveCount: 6 };
  const { leadRequestId } = await keepDeadLetter(message, {
    routes: [route],
    portsOf: () => bench.recovery(),
  });
  const shown = await bench.answer({ decision: 'show', leadRequestId });

  expect(shown).toMatchObject({
    answer: {
      leadRequestId,
      deadLetters: [
        {
          messageId: 'message-1',
          reason: { code: 'not-json' },
          receiveCount: 6,
          waiting: { who: 'robin@revops.example.com' },
          resolution: null,
        },
      ],
    },
  });
  const { text } = (shown as { answer: { text: string } }).answer;
  expect(text.split('\n')).toEqual([
    `Under web/${leadRequestId} there is no handoff, but a message of the queue that could not be accepted (dead-letter).`,
    '',
    'Message message-1: it is not JSON (not-json). It came at 2026-01-05 12:00:00Z and was received 6 times, the dead-letter queue included.',
    'It waits for robin@revops.example.com since 2026-01-05 12:00:00Z, until 2026-01-05 16:00:00Z.',
    '',
    'What it says is personal data, and only the command line shows it:',
    `  npx handoff investigate ${leadRequestId} --route web --body --stage test`,
    'An approver (Tomas (tomas@revops.example.com)) hands the corrected request in with',
    `  npx handoff submit FILE --route web --approved-by "your name" --reason "your reason" --kept-under ${leadRequestId} --stage test`,
    'or, where there is nothing to hand off, ends it with',
    `  npx handoff investigate ${leadRequestId} --route web --dismiss --approved-by "your name" --reason "your reason" --stage test`,
    'or with this as the event of the function lead-handoff-test-start, "by" and "reason" filled in:',
    `  {"route":"web","dismissal":{"leadRequestId":"${leadRequestId}","by":"","reason":""}}`,
  ]);
  expect(JSON.stringify(shown)).not.toContain(LEAD.email);

  const resolution = { kind: 'dismissed', by: 'Tomas', reason: 'a test of the form', at: clock() } as const;
  await ledger.resolveDeadLetter({ route: 'web', leadRequestId }, 'message-1', resolution, clock() + 1);
  const ended = JSON.stringify(await bench.answer({ decision: 'show', leadRequestId }));
  expect(ended).toContain('Its investigation has ended: it was dismissed, by Tomas at 2026-01-05 12:00:00Z.');
  expect(ended).not.toContain('a test of the form');
});

test('what cannot be read is refused before anything is looked up', async () => {
  const bench = await askedAboutTask();
  bench.ledger.hooks = { readFails: () => true };

  expect(await bench.answer({ decision: 'repeat' })).toMatchObject({ refused: { error: 'InvalidDecision' } });
});
