import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { recoveryRecord } from '../../../functions/domain/recovery-record.ts';
import { recoveryText } from '../../../functions/domain/recovery-text.ts';
import { personKey, personTimes } from '../../../functions/domain/same-person.ts';
import { dismiss } from '../../../functions/intake/approve.ts';
import { resubmit } from '../../../functions/recovery/resubmit.ts';
import { listWaiting } from '../../../functions/recovery/waiting-list.ts';
import { CONTRACT } from '../../model/settings.ts';
import { once } from '../../model/write-faults.ts';
import { HOUR, IntakeBench, isUntold, JO, JO_AGAIN } from './intake-bench.ts';

const ask = () => new IntakeBench({ samePerson: { policy: 'ask', windowHours: 24 } });
const join = () => new IntakeBench({ samePerson: { policy: 'join', windowHours: 24 } });

const LINKS = { stateMachineArn: 'arn:aws:states:eu-central-1:123456789012:stateMachine:lead-handoff-test' };

async function resubmitted(bench: IntakeBench, leadRequestId: string): Promise<void> {
  const { handoff } = await bench.under(leadRequestId);
  if (!handoff) throw new TypeError('There is nothing to resubmit.');
  await resubmit(handoff, { ...bench.ports(), links: LINKS, contractOf: () => CONTRACT });
}

describe('ask', () => {
  test('the second one waits for the recovery owner, who is told, and nothing is done for it', async () => {
    const bench = ask();
    expect(await bench.accept(JO)).toMatchObject({ status: 'accepted' });
    bench.clock.advance(HOUR);
    const now = bench.clock.now();

    expect(await bench.accept(JO_AGAIN)).toEqual({
      leadRequestId: 'inq-2',
      execution: 'web.inq-2.1',
      status: 'asked',
    });
    expect(bench.running('inq-1', 'inq-2')).toEqual(['inq-1']);
    expect((await bench.under('inq-2')).waiting).toEqual([
      {
        action: 'handoff',
        kind: 'ask',
        token: null,
        execution: 'web.inq-2.1',
        who: 'robin@revops.example.com',
        why: 'same-person',
        rival: 'inq-1',
        since: now,
        dueAt: now + 4 * HOUR,
        asked: 0,
      },
    ]);
    expect(bench.told).toMatchObject([
      { leadRequestId: 'inq-2', action: 'handoff', why: 'same-person', asked: 0, escalated: false },
    ]);
  });

  test('the record and the list name the other one, also when the question was escalated', async () => {
    const bench = ask();
    await bench.accept(JO);
    await bench.accept(JO_AGAIN);
    bench.clock.advance(5 * HOUR);
    await bench.sweep();

    const recovery = { ...bench.ports(), links: LINKS, contractOf: () => CONTRACT };
    const { waiting } = await listWaiting(recovery);
    expect(waiting).toMatchObject([{ leadRequestId: 'inq-2', why: 'same-person', rival: 'inq-1' }]);
    const record = await bench.ledger.record({ route: 'web', leadRequestId: 'inq-2' });
    if (!record) throw new TypeError('There is no record.');
    const { route, numbers, clock } = bench.ports();
    const options = { ...recovery, route, numbers, stage: 'test', now: clock() } as const;
    expect(recoveryText(record, options)).toContain('That one is inq-1: npx handoff show inq-1 --route web');
  });

  test('the event says what to do, and nothing of the person', async () => {
    const bench = ask();
    await bench.accept(JO);
    await bench.accept(JO_AGAIN);

    const [event] = bench.told;
    expect(JSON.stringify(event)).not.toMatch(/lind|Jo\b/i);
    expect(event?.text).toBe(
      [
        'web/inq-2 waits for a person: its person sent web/inq-1 less than 24 hours before or after it (same-person).',
        '',
        'Nothing was done for it. Look at both:',
        '  npx handoff show inq-1 --route web --stage test',
        '  npx handoff show inq-2 --route web --stage test',
        '',
        'Then start an execution of the state machine lead-handoff-test-recovery-web, or run the command; fill in who you are and why. To hand it off as well:',
        '  {"decision":"resubmit","leadRequestId":"inq-2","by":"","reason":""}',
        '  npx handoff resubmit inq-2 --route web --by "" --reason "" --stage test',
        'To leave it at the other one, stop its first action, and the others stop with it:',
        '  {"decision":"stop","action":"upsert-contact","leadRequestId":"inq-2","by":"","reason":""}',
        '  npx handoff decide inq-2 upsert-contact stop --route web --by "" --reason "" --stage test',
        '',
        'Please answer by 2026-01-05 16:00:00Z; then mia@revops.example.com is asked.',
      ].join('\n'),
    );
  });

  test('delivered again it is asked about as before: no second event, no second entry, not started', async () => {
    const bench = ask();
    await bench.accept(JO);
    await bench.accept(JO_AGAIN);
    const before = await bench.asked();
    bench.clock.advance(HOUR);

    expect(await bench.accept(JO_AGAIN)).toMatchObject({ status: 'asked' });
    expect(await bench.accept(JO)).toMatchObject({ status: 'repeated' });
    expect(await bench.asked()).toEqual(before);
    expect(bench.told).toHaveLength(1);
    expect(bench.running('inq-1', 'inq-2')).toEqual(['inq-1']);
  });

  test('let go by a person it runs, and delivered again after that it is a repeat', async () => {
    const bench = ask();
    await bench.accept(JO);
    await bench.accept(JO_AGAIN);
    await resubmitted(bench, 'inq-2');

    expect(bench.running('inq-1', 'inq-2')).toEqual(['inq-1', 'inq-2']);
    expect(await bench.asked()).toEqual([]);
    expect(await bench.accept(JO_AGAIN)).toMatchObject({ status: 'repeated' });
    expect(await bench.asked()).toEqual([]);
  });

  test('what waited for an earlier run does not count', async () => {
    const bench = ask();
    await bench.accept(JO);
    await bench.accept(JO_AGAIN);
    bench.ledger.putFence(bench.key('inq-2'), 'web.inq-2.2', 2);
    bench.workflow.statuses.set('web.inq-2.2', 'RUNNING');

    expect(await bench.accept(JO_AGAIN)).toMatchObject({ status: 'repeated', execution: 'web.inq-2.2' });
  });

  test('the sweep does not start it, and asks the escalation owner when nobody answers', async () => {
    const bench = ask();
    await bench.accept(JO);
    await bench.accept(JO_AGAIN);
    await bench.sweep();
    expect(bench.told).toHaveLength(1);
    bench.clock.advance(4 * HOUR);
    await bench.sweep();

    expect(bench.running('inq-1', 'inq-2')).toEqual(['inq-1']);
    expect(bench.told.slice(1)).toMatchObject([
      { leadRequestId: 'inq-2', why: 'same-person', escalated: true, who: 'mia@revops.example.com' },
    ]);
  });

  test('while events cannot be published it is on the list, due at once, and the sweep tells it', async () => {
    const bench = ask();
    await bench.accept(JO);
    bench.eventsFail = true;
    expect(await bench.accept(JO_AGAIN)).toMatchObject({ status: 'asked' });
    expect((await bench.asked()).map(isUntold)).toEqual([true]);

    bench.eventsFail = false;
    await bench.sweep();
    expect(bench.told).toMatchObject([{ leadRequestId: 'inq-2', why: 'same-person', asked: 0 }]);
    expect((await bench.asked()).map(isUntold)).toEqual([false]);
  });
});

describe('join', () => {
  test('the second one is closed at once, points to the first, and nothing is done for it', async () => {
    const bench = join();
    await bench.accept(JO);
    bench.clock.advance(HOUR);

    expect(await bench.accept(JO_AGAIN)).toMatchObject({ status: 'joined' });
    expect((await bench.under('inq-2')).handoff).toMatchObject({
      joinedTo: 'inq-1',
      closedAt: bench.clock.now(),
    });
    expect(bench.running('inq-1', 'inq-2')).toEqual(['inq-1']);
    expect(bench.workflow.started).toEqual(['web.inq-1.1']);
    expect(await bench.ledger.listOpen('web')).toMatchObject([{ leadRequestId: 'inq-1' }]);
    expect([bench.told, await bench.asked()]).toEqual([[], []]);
    expect(bench.ledger.expiryOf(bench.key('inq-2'))).toBe(bench.clock.now() + 400 * 24 * HOUR);
  });

  test('its record says which one stands for it', async () => {
    const bench = join();
    await bench.accept(JO);
    await bench.accept(JO_AGAIN);
    const record = await bench.ledger.record(bench.key('inq-2'));
    if (!record) throw new TypeError('There is no record.');
    const { route, stage, numbers } = bench.ports();
    const options = {
      route,
      stage,
      numbers,
      links: LINKS,
      contractOf: () => CONTRACT,
      now: bench.clock.now(),
    };

    expect(recoveryRecord(record)).toMatchObject({ status: 'closed', joinedTo: 'inq-1' });
    expect(recoveryText(record, options)).toMatch(
      /^web\/inq-2 is closed: lead request inq-1 of the same person stands for it, and nothing was done for this one\.\n/,
    );
  });

  test('delivered again it is joined still, also when the first one is over', async () => {
    const bench = join();
    await bench.accept(JO);
    await bench.accept(JO_AGAIN);
    await bench.ledger.close(bench.key('inq-1'), 'web.inq-1.1', 1, 2);
    bench.clock.advance(100 * HOUR);

    expect(await bench.accept(JO_AGAIN)).toMatchObject({ status: 'joined' });
    expect(await bench.accept(JO)).toMatchObject({ status: 'closed' });
    expect(bench.workflow.started).toEqual(['web.inq-1.1']);
  });

  test('with other fields it is refused as ever', async () => {
    const bench = join();
    await bench.accept(JO);
    await bench.accept(JO_AGAIN);

    await expect(bench.accept({ ...JO_AGAIN, firstName: 'Joanna' })).rejects.toMatchObject({
      name: 'LeadConflict',
    });
  });

  test('one that runs already is not closed by a later answer of the route', async () => {
    const bench = new IntakeBench();
    await bench.accept(JO);
    await bench.accept(JO_AGAIN);
    const { route } = join();
    await bench.accept(JO, { route });

    expect(await bench.accept(JO_AGAIN, { route })).toMatchObject({ status: 'repeated' });
    expect((await bench.under('inq-2')).handoff).toMatchObject({ closedAt: null });
  });
});

test('allow: both are handed off, and nobody looks for the person', async () => {
  const bench = new IntakeBench();
  await bench.accept(JO);
  expect(await bench.accept(JO_AGAIN)).toMatchObject({ status: 'accepted' });

  expect(bench.running('inq-1', 'inq-2')).toEqual(['inq-1', 'inq-2']);
});

describe('the window', () => {
  const third = { ...JO, leadRequestId: 'inq-3' };

  test.each([
    [24 * HOUR - 1, ['inq-1']],
    [24 * HOUR, ['inq-1', 'inq-2']],
  ])('after %d ms', async (ms, running) => {
    const bench = ask();
    await bench.accept(JO);
    bench.clock.advance(ms);
    await bench.accept(JO_AGAIN);

    expect(bench.running('inq-1', 'inq-2')).toEqual(running);
  });

  test('begins anew with the request that took its person over', async () => {
    const bench = ask();
    await bench.accept(JO);
    bench.clock.advance(24 * HOUR);
    await bench.accept(JO_AGAIN);
    bench.clock.advance(HOUR);
    await bench.accept(third);

    expect(bench.running('inq-1', 'inq-2', 'inq-3')).toEqual(['inq-1', 'inq-2']);
    expect(bench.told[0]?.text).toContain('npx handoff show inq-2');
  });

  test('is not begun by a request that is asked about', async () => {
    const bench = ask();
    await bench.accept(JO);
    bench.clock.advance(23 * HOUR);
    await bench.accept(JO_AGAIN);
    bench.clock.advance(2 * HOUR);

    expect(await bench.accept(third)).toMatchObject({ status: 'accepted' });
  });

  test('an old request that is delivered again after a newer one has taken over goes its way', async () => {
    const bench = ask();
    await bench.accept(JO);
    bench.clock.advance(25 * HOUR);
    await bench.accept(JO_AGAIN);

    expect(await bench.accept(JO)).toMatchObject({ status: 'repeated' });
    expect(await bench.accept(JO_AGAIN)).toMatchObject({ status: 'repeated' });
    expect(bench.told).toEqual([]);
  });

  test('an old request that was written down and never let go is let go although a newer one has taken over', async () => {
    const bench = ask();
    const { workflow } = bench;
    const dead = { ...workflow, start: () => Promise.reject(new RangeError('dead')) } as never;
    const noWorkflow = bench.ports({ workflow: dead });
    await expect(bench.accept(JO, noWorkflow)).rejects.toThrow(RangeError);
    bench.clock.advance(24 * HOUR);
    await bench.accept(JO_AGAIN);

    expect(await bench.accept(JO)).toMatchObject({ status: 'repeated' });
    expect(bench.running('inq-1', 'inq-2')).toEqual(['inq-1', 'inq-2']);
  });
});

test('a request that could not be written down stands in nobody’s way', async () => {
  const bench = ask();
  bench.ledger.hooks = once('before', ({ what }) => what === 'accept');
  await expect(bench.accept(JO)).rejects.toMatchObject({ name: 'LedgerUnavailable' });

  expect(await bench.accept(JO_AGAIN)).toMatchObject({ status: 'accepted' });
});

describe('a person', () => {
  test.each([
    ['the case of the address makes no difference', 'JO.Lind@Customer.Example.com', true],
    ['dots do', 'jolind@customer.example.com', false],
    ['plus tags do', 'jo.lind+1@customer.example.com', false],
  ])('%s', async (_what, email, same) => {
    const bench = ask();
    await bench.accept(JO);

    expect(await bench.accept({ ...JO_AGAIN, email })).toMatchObject({ status: same ? 'asked' : 'accepted' });
  });

  test('of one route is nobody on another', async () => {
    const bench = ask();
    await bench.accept(JO);
    const { route } = new IntakeBench({ name: 'fair', samePerson: { policy: 'ask', windowHours: 24 } });

    expect(await bench.accept(JO_AGAIN, { route })).toMatchObject({ status: 'accepted' });
  });

  test('is a hash in the ledger', () => {
    const hash = createHash('sha256').update('jo@example.com').digest('hex');

    expect(personKey('jo@example.com')).toBe(hash);
    expect(personKey(' Jo@Example.com ')).toBe(hash);
  });
});

test.each([
  ['as long as its handoff', 24, 30, 30 * 24],
  ['as long as the window, where that is longer', 48, 1, 48],
])('a person is kept %s', (_what, windowHours, retentionDays, hours) => {
  const samePerson = { policy: 'ask', windowHours } as const;

  expect(personTimes(1_000, { samePerson, retentionDays })).toEqual({
    windowMs: windowHours * HOUR,
    expiresAt: 1_000 + hours * HOUR,
  });
});

test('dead letters have nothing to do with it', async () => {
  const bench = ask();
  await bench.accept(JO);
  await bench.accept(JO_AGAIN);
  await bench.deadLetter({ route: 'web', lead: { ...JO_AGAIN, email: 'x' } });
  const dismissal = { leadRequestId: 'inq-2', by: 'Tomas', reason: 'a test' };
  expect(await dismiss(dismissal, bench.ports())).toEqual({ leadRequestId: 'inq-2', dismissed: 1 });

  expect(await bench.asked()).toMatchObject([{ leadRequestId: 'inq-2', why: 'same-person' }]);
});
