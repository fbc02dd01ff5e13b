import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { acceptApproved, dismiss } from '../../../functions/intake/approve.ts';
import { keepDeadLetter } from '../../../functions/intake/keep-dead-letter.ts';
import { once } from '../../model/write-faults.ts';
import { inAllOrders } from './all-orders.ts';
import { APPROVAL, HOUR, IntakeBench, isUntold, JO } from './intake-bench.ts';

const WRONG = { route: 'web', lead: { ...JO, email: 'jo.lind' } };

/** A message without an id that can be used is kept under one that is made of its own. */
const unnamed = (messageId: string) =>
  `dead-${createHash('sha256').update(messageId).digest('hex').slice(0, 16)}`;

describe('a dead letter is kept with its reason, under its id where it has one', () => {
  test.each<[string, unknown, string, string, string | null]>([
    ['no JSON', 'jo.lind@customer.example.com', unnamed('message-1'), 'not-json', null],
    ['nothing', '', unnamed('message-1'), 'not-json', null],
    ['a list', [], unnamed('message-1'), 'not-a-lead-message', 'route'],
    ['null', null, unnamed('message-1'), 'not-a-lead-message', null],
    ['no lead', { route: 'web' }, unnamed('message-1'), 'not-a-lead-message', 'lead'],
    ['a route that nobody knows', { route: 'nowhere', lead: JO }, 'inq-1', 'unknown-route', 'route'],
    ['a wrong field', WRONG, 'inq-1', 'invalid-lead-request', 'email'],
    [
      'no id',
      { route: 'web', lead: { email: JO.email } },
      unnamed('message-1'),
      'invalid-lead-request',
      'leadRequestId',
    ],
    [
      'an id that can be none',
      { route: 'web', lead: { ...JO, leadRequestId: 'a b' } },
      unnamed('message-1'),
      'invalid-lead-request',
      'leadRequestId',
    ],
    [
      'a field whose name could be a person’s',
      { route: 'web', lead: { ...JO, jo_lind: 1 } },
      'inq-1',
      'invalid-lead-request',
      null,
    ],
    [
      'a lead that is a text',
      { route: 'web', lead: 'x' },
      unnamed('message-1'),
      'invalid-lead-request',
      null,
    ],
    ['a lead that is null', { route: 'web', lead: null }, unnamed('message-1'), 'invalid-lead-request', null],
    ['a good one that could never be accepted', { route: 'web', lead: JO }, 'inq-1', 'not-accepted', null],
  ])('%s', async (_what, body, leadRequestId, code, field) => {
    const bench = new IntakeBench();
    const now = bench.clock.now();

    const kept = await bench.deadLetter(body);

    expect(kept).toEqual({ route: 'web', leadRequestId, reason: { code, field } });
    expect((await bench.under(leadRequestId)).deadLetters).toEqual([
      {
        messageId: 'message-1',
        reason: { code, field },
        receivedAt: now - 1_000,
        receiveCount: 6,
        body: typeof body === 'string' ? body : JSON.stringify(body),
        truncated: false,
        resolution: null,
        waiting: expect.objectContaining({ why: 'dead-letter', since: now, dueAt: now + 4 * HOUR }),
      },
    ]);
    expect(await bench.asked()).toMatchObject([
      { route: 'web', leadRequestId, action: 'dead-letter', kind: 'ask', token: null, asked: 0 },
    ]);
    expect(bench.told).toMatchObject([
      { route: 'web', leadRequestId, action: 'dead-letter', why: 'dead-letter', escalated: false },
    ]);
    expect(JSON.stringify([bench.told, await bench.asked()])).not.toMatch(/lind|customer|"Jo"/i);
  });
});

test('the event says what to do', async () => {
  const bench = new IntakeBench();
  await bench.deadLetter(WRONG);

  expect(bench.told[0]?.text).toBe(
    [
      'A message of the queue could not be accepted on route web: its lead request is not valid, email is missing or wrong (dead-letter).',
      '',
      'It is message message-1, which came at 2026-01-05 11:59:59Z and was received 6 times, the dead-letter queue included. It is kept under the id inq-1:',
      '  npx handoff investigate inq-1 --route web --stage test',
      '  npx handoff investigate inq-1 --route web --body --stage test   (with what it says, which is personal data)',
      '',
      'Until this is decided, no other request under this id is accepted. It is not sent again by itself: find out what went wrong, and mend it where it came from.',
      'An approver hands the corrected request in with',
      '  npx handoff submit FILE --route web --approved-by "your name" --reason "your reason" --stage test',
      '',
      'Please answer by 2026-01-05 16:00:00Z; then mia@revops.example.com is asked.',
    ].join('\n'),
  );
});

test('the event of one without an id of its own says under which id an approver finds it', async () => {
  const bench = new IntakeBench();
  const { leadRequestId } = await bench.deadLetter('no json');

  expect(bench.told[0]?.text).toContain(`--reason "your reason" --kept-under ${leadRequestId} --stage test`);
});

test.each([
  ['ä', 32_767],
  ['😀', 16_383],
  ['\ufffd', 21_845],
])(
  '64 KiB of a longer one are kept, whole characters only: x, and then nothing but %s',
  async (character, times) => {
    const bench = new IntakeBench();
    await bench.deadLetter(`x${character.repeat(40_000)}`);
    const [kept] = (await bench.under(unnamed('message-1'))).deadLetters;

    expect(kept).toMatchObject({ truncated: true });
    expect(kept?.body).toBe(`x${character.repeat(times)}`);
  },
);

test('a message of 64 KiB is kept whole, and so is one that ends in a replacement character', async () => {
  const bench = new IntakeBench();
  const bodies = ['jo\ufffd', `${'x'.repeat(65_533)}\ufffd`];
  for (const [i, body] of bodies.entries()) {
    await bench.deadLetter(body, `message-${i}`);
    const [kept] = (await bench.under(unnamed(`message-${i}`))).deadLetters;

    expect(kept).toMatchObject({ body, truncated: false });
  }
});

test('delivered again it is one dead letter, told once; another message under the id is another', async () => {
  const bench = new IntakeBench();
  for (let i = 0; i < 3; i++) await bench.deadLetter(WRONG);
  await bench.deadLetter(WRONG, 'message-2');

  expect((await bench.under('inq-1')).deadLetters.map(({ messageId }) => messageId)).toEqual([
    'message-1',
    'message-2',
  ]);
  expect(bench.told).toHaveLength(2);
  expect(await bench.asked()).toHaveLength(2);
});

test('while nobody can be told it is on the list, due at once, and the message stays', async () => {
  const bench = new IntakeBench();
  bench.eventsFail = true;
  await expect(bench.deadLetter(WRONG)).rejects.toMatchObject({ name: 'EventsUnavailable' });
  expect((await bench.asked()).map(isUntold)).toEqual([true]);

  bench.eventsFail = false;
  bench.clock.advance(HOUR);
  await bench.deadLetter(WRONG);
  expect((await bench.asked()).map(isUntold)).toEqual([false]);
  expect(bench.told).toHaveLength(1);
});

test('the sweep tells what was not told, and asks the escalation owner when nobody answers', async () => {
  const bench = new IntakeBench();
  bench.eventsFail = true;
  await bench.deadLetter('no json').catch(() => {});
  bench.eventsFail = false;
  await bench.sweep();
  expect(bench.told).toMatchObject([{ action: 'dead-letter', asked: 0, who: 'robin@revops.example.com' }]);
  bench.clock.advance(4 * HOUR);
  await bench.sweep();
  await bench.sweep();

  expect(bench.told.slice(1)).toMatchObject([
    { action: 'dead-letter', asked: 1, escalated: true, who: 'mia@revops.example.com' },
  ]);
});

describe('a handoff that is there under its id', () => {
  test('runs on as if nothing had come', async () => {
    const bench = new IntakeBench();
    await bench.accept(JO);
    const before = await bench.under('inq-1');
    await bench.deadLetter(WRONG);

    const { handoff, waiting } = await bench.under('inq-1');
    expect({ handoff, waiting }).toEqual({ handoff: before.handoff, waiting: before.waiting });
    expect(await bench.asked()).toMatchObject([{ action: 'dead-letter' }]);
    expect(await bench.accept(JO)).toMatchObject({ status: 'repeated' });
  });

  test('may be swept, closed and started again: the dead letter is asked about still', async () => {
    const bench = new IntakeBench();
    await bench.accept(JO);
    await bench.deadLetter(WRONG);
    await bench.sweep();
    await bench.ledger.removeWaiting(bench.key('inq-1'), 'handoff');
    await bench.ledger.removeWaiting(bench.key('inq-1'), 'dead-letter');
    await bench.ledger.close(bench.key('inq-1'), 'web.inq-1.1', bench.clock.now(), 1);
    await bench.sweep();

    expect(await bench.asked()).toMatchObject([{ action: 'dead-letter' }]);
  });
});

describe('while an id is investigated', () => {
  test('an ordinary request under it is refused, and kept', async () => {
    const bench = new IntakeBench({ changedFields: 'tell' });
    await bench.deadLetter(WRONG);

    await expect(bench.accept(JO)).rejects.toMatchObject({
      name: 'UnderInvestigation',
      message:
        'leadRequestId: messages under inq-1 are being investigated; until that is over an approver alone may hand it in, and this one is kept as a conflict.',
    });
    const { handoff, conflicts } = await bench.under('inq-1');
    expect([handoff, conflicts]).toMatchObject([null, [{ lead: JO }]]);
    expect(bench.workflow.started).toEqual([]);
    // Of the dead letter; the recovery owner knows of the id already.
    expect(bench.told).toHaveLength(1);
  });

  test('other ids go their way', async () => {
    const bench = new IntakeBench();
    await bench.deadLetter(WRONG);

    expect(await bench.accept({ ...JO, leadRequestId: 'inq-2' })).toMatchObject({ status: 'accepted' });
  });

  test('an approver’s request is accepted, and ends it', async () => {
    const bench = new IntakeBench();
    await bench.deadLetter(WRONG);
    await bench.deadLetter(WRONG, 'message-2');
    bench.clock.advance(HOUR);

    expect(await acceptApproved(JO, APPROVAL, bench.ports())).toMatchObject({ status: 'accepted' });
    expect(bench.running('inq-1')).toEqual(['inq-1']);
    expect(await bench.asked()).toEqual([]);
    const resolution = { kind: 'accepted', ...APPROVAL, at: bench.clock.now() };
    expect((await bench.under('inq-1')).deadLetters).toMatchObject([{ resolution }, { resolution }]);
    expect(await bench.accept(JO)).toMatchObject({ status: 'repeated' });
  });

  test('a dead letter that ended is not opened again by its message', async () => {
    const bench = new IntakeBench();
    await bench.deadLetter(WRONG);
    await acceptApproved(JO, APPROVAL, bench.ports());
    await bench.deadLetter(WRONG);

    expect(await bench.asked()).toEqual([]);
    expect(bench.told).toHaveLength(1);
  });

  test('one that ended before anybody could be told of it is not told any more', async () => {
    const bench = new IntakeBench();
    bench.eventsFail = true;
    await bench.deadLetter(WRONG).catch(() => {});
    await acceptApproved(JO, APPROVAL, bench.ports());
    bench.eventsFail = false;
    await bench.deadLetter(WRONG);

    expect([bench.told, await bench.asked()]).toEqual([[], []]);
  });

  test('a dead letter that comes after it was over opens it again', async () => {
    const bench = new IntakeBench();
    await bench.deadLetter(WRONG);
    await acceptApproved(JO, APPROVAL, bench.ports());
    await bench.deadLetter(WRONG, 'message-2');

    expect(await bench.asked()).toMatchObject([{ messageId: 'message-2' }]);
  });

  test('an approver names the id of a dead letter that is kept under another one', async () => {
    const bench = new IntakeBench();
    const { leadRequestId: keptUnder } = await bench.deadLetter('no json');
    await acceptApproved(JO, { ...APPROVAL, keptUnder }, bench.ports());

    expect(await bench.asked()).toEqual([]);
    expect((await bench.under(keptUnder)).deadLetters).toMatchObject([{ resolution: { by: 'Tomas' } }]);
  });

  test('under an id of which nobody knows nothing is accepted', async () => {
    const bench = new IntakeBench();
    const approved = acceptApproved(JO, { ...APPROVAL, keptUnder: 'dead-0123456789abcdef' }, bench.ports());

    await expect(approved).rejects.toMatchObject({
      name: 'NotUnderInvestigation',
      message:
        'There is no dead letter under dead-0123456789abcdef on route web: "waiting" lists those that are investigated.',
    });
    expect((await bench.under('inq-1')).handoff).toBeNull();
  });

  test('under an id whose investigation somebody has ended nothing is accepted, and it is said who ended it', async () => {
    const bench = new IntakeBench();
    const { leadRequestId: keptUnder } = await bench.deadLetter('no json');
    await dismiss({ leadRequestId: keptUnder, by: 'Tomas', reason: 'a test' }, bench.ports());

    await expect(acceptApproved(JO, { ...APPROVAL, keptUnder }, bench.ports())).rejects.toMatchObject({
      name: 'NotUnderInvestigation',
      message: `Nothing under ${keptUnder} on route web is being investigated any more: it was dismissed, by Tomas at 2026-01-05 12:00:00Z.`,
    });
    expect((await bench.under('inq-1')).handoff).toBeNull();
  });

  test('the same approval again is harmless, also under another id', async () => {
    const bench = new IntakeBench();
    const { leadRequestId: keptUnder } = await bench.deadLetter('no json');
    const approve = () => acceptApproved(JO, { ...APPROVAL, keptUnder }, bench.ports());

    expect(await approve()).toMatchObject({ status: 'accepted' });
    expect(await approve()).toMatchObject({ status: 'repeated' });
  });

  test.each(['Robin', 'robin@revops.example.com', 'Somebody', ''])('%j is no approver', async (by) => {
    const bench = new IntakeBench();
    await bench.deadLetter(WRONG);

    await expect(acceptApproved(JO, { ...APPROVAL, by }, bench.ports())).rejects.toMatchObject({
      name: 'NotAnApprover',
      message: expect.stringContaining('on route web that is Tomas (tomas@revops.example.com)'),
    });
    expect(await bench.asked()).toHaveLength(1);
    expect((await bench.under('inq-1')).handoff).toBeNull();
  });

  test.each(['tomas', 'TOMAS', 'Tomas@RevOps.example.com'])('%s is one', async (by) => {
    const bench = new IntakeBench();

    expect(await acceptApproved(JO, { ...APPROVAL, by }, bench.ports())).toMatchObject({
      status: 'accepted',
    });
  });

  test('an approver’s request that is wrong as well, or has other fields than what runs, ends nothing', async () => {
    const bench = new IntakeBench();
    await bench.accept(JO);
    await bench.deadLetter(WRONG);
    const other = { ...JO, firstName: 'Joanna' };

    await expect(acceptApproved(WRONG.lead, APPROVAL, bench.ports())).rejects.toMatchObject({
      name: 'InvalidLeadRequest',
    });
    await expect(acceptApproved(other, APPROVAL, bench.ports())).rejects.toMatchObject({
      name: 'LeadConflict',
    });
    expect(await bench.asked()).toHaveLength(1);
  });

  test('dismissed by an approver it is over, and the next request is an ordinary one', async () => {
    const bench = new IntakeBench();
    await bench.deadLetter(WRONG);
    const dismissal = { leadRequestId: 'inq-1', by: 'Tomas', reason: 'a test of the form' };

    await expect(dismiss({ ...dismissal, by: 'Robin' }, bench.ports())).rejects.toMatchObject({
      name: 'NotAnApprover',
    });
    expect(await dismiss(dismissal, bench.ports())).toEqual({ leadRequestId: 'inq-1', dismissed: 1 });
    expect(await dismiss(dismissal, bench.ports())).toEqual({
      leadRequestId: 'inq-1',
      dismissed: 0,
      ended: { kind: 'dismissed', by: 'Tomas', at: '2026-01-05T12:00:00.000Z' },
    });
    expect(await bench.asked()).toEqual([]);
    expect(await bench.accept(JO)).toMatchObject({ status: 'accepted' });
  });
});

test('what is not there, or was accepted, cannot be dismissed', async () => {
  const bench = new IntakeBench();
  const dismissal = { leadRequestId: 'inq-1', by: 'Tomas', reason: 'a test of the form' };
  const name = 'NotUnderInvestigation';
  await expect(dismiss(dismissal, bench.ports())).rejects.toMatchObject({ name });
  await bench.deadLetter(WRONG);
  await acceptApproved(JO, APPROVAL, bench.ports());

  await expect(dismiss(dismissal, bench.ports())).rejects.toMatchObject({
    name,
    message: expect.stringMatching(/a corrected request was accepted, by Tomas at 2026-01-05 12:00:00Z\.$/),
  });
});

test('one approver accepts and another dismisses at once: never do both hear yes, and who came later hears of the other', async () => {
  let acceptedWins = 0;
  const orders = await inAllOrders(0, async (turns, taken) => {
    const bench = new IntakeBench();
    const { leadRequestId } = await bench.deadLetter('no json');
    const portsOf = (who: string) => bench.ports({ ledger: turns.port(who, bench.ledger) });
    const approval = { ...APPROVAL, keptUnder: leadRequestId };
    const dismissal = { leadRequestId, by: 'Tomas', reason: 'a test of the form' };
    const both = Promise.allSettled([
      acceptApproved(JO, approval, portsOf('who accepts')),
      dismiss(dismissal, portsOf('who dismisses')),
    ]);
    await taken();
    const ends = await both;

    const [letter] = (await bench.under(leadRequestId)).deadLetters;
    const acceptedWon = letter?.resolution?.kind === 'accepted';
    acceptedWins += acceptedWon ? 1 : 0;
    const [winner, loser] = acceptedWon ? ends : ends.toReversed();
    expect(winner?.status).toBe('fulfilled');
    expect(loser).toMatchObject({
      reason: {
        name: expect.stringMatching(/^(EndedMeanwhile|NotUnderInvestigation)$/),
        message: expect.stringContaining(
          acceptedWon ? 'was accepted, by Tomas at' : 'was dismissed, by Tomas at',
        ),
      },
    });
  });
  expect(acceptedWins).toBeGreaterThan(0);
  expect(acceptedWins).toBeLessThan(orders);
});

test.each(['accept', 'resolve-dead-letter'] as const)(
  'an approver whose %s is lost does it again, and it is over',
  async (lost) => {
    for (const fault of ['before', 'after'] as const) {
      const bench = new IntakeBench();
      await bench.deadLetter(WRONG);
      bench.ledger.hooks = once(fault, ({ what }) => what === lost);
      await expect(acceptApproved(JO, APPROVAL, bench.ports())).rejects.toMatchObject({
        name: 'LedgerUnavailable',
      });
      await acceptApproved(JO, APPROVAL, bench.ports());

      expect(await bench.asked()).toEqual([]);
      expect(bench.running('inq-1')).toEqual(['inq-1']);
    }
  },
);

test('a dead letter and an approver at once, in every order and with a death of each: none is lost', async () => {
  const orders = await inAllOrders(2, async (turns, taken) => {
    const bench = new IntakeBench();
    await bench.deadLetter(WRONG);
    bench.told.length = 0;
    const of = (who: string) => {
      const { ledger, workflow, events } = bench;
      const portsOf = () =>
        bench.ports({
          ledger: turns.port(who, ledger),
          workflow: turns.port(who, workflow),
          events: turns.port(who, events),
        });
      return { routes: [bench.route], portsOf };
    };
    const message = { messageId: 'message-2', body: JSON.stringify(WRONG), sentAt: 1, receiveCount: 6 };
    keepDeadLetter(message, of('the queue')).catch(() => {});
    acceptApproved(JO, APPROVAL, of('the approver').portsOf()).catch(() => {});
    await taken();

    // The message comes again until it is kept.
    await keepDeadLetter(message, bench.messagePorts());
    const { deadLetters } = await bench.under('inq-1');
    const open = deadLetters.filter(({ resolution }) => resolution === null);
    const asked = await bench.asked();
    expect(asked.map(({ messageId }) => messageId).sort()).toEqual(
      open.map(({ messageId }) => messageId).sort(),
    );
    expect(asked.filter(isUntold)).toEqual([]);
    if (asked.some(({ messageId }) => messageId === 'message-2')) {
      expect(bench.told.length).toBeGreaterThan(0);
    }
    // And so does the approver, who ends what is there.
    await acceptApproved(JO, APPROVAL, bench.ports());
    expect(await bench.asked()).toEqual([]);
    expect(bench.running('inq-1')).toEqual(['inq-1']);
  });
  expect(orders).toBeGreaterThan(500);
}, 60_000);
