import { expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';

test('a person who opted out gets nothing, and the introduction ends with that reason', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  bench.crm.optOut('501');

  const outcome = await bench.act('send-introduction', 1);
  const answer = await bench.reconcile('send-introduction');

  expect(outcome).toEqual({ outcome: 'refused', reason: 'opted-out' });
  expect(answer).toMatchObject({ disposition: 'stop', reason: 'opted-out' });
  expect(await bench.state('send-introduction')).toMatchObject({ phase: 'stopped', reason: 'opted-out' });
  expect(bench.mail.sent).toEqual([]);
});

test('consent is read between the claim and the send', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  const prepared = await bench.prepare('send-introduction', 1);
  bench.crm.optOut('501');

  expect(await bench.run(prepared)).toEqual({ outcome: 'refused', reason: 'opted-out' });
  expect(bench.mail.sent).toEqual([]);
});

test('an earlier send that may still land is not called stopped: it is waited for, and found', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  bench.mail.wire.plan({ kind: 'lands-late', afterMs: 50_000 });
  await bench.act('send-introduction', 1);
  bench.clock.advance(20_000);
  expect(await bench.reconcile('send-introduction')).toMatchObject({
    disposition: 'resume',
    reason: 'same-key',
  });
  bench.crm.optOut('501');
  expect(await bench.act('send-introduction', 2)).toEqual({ outcome: 'refused', reason: 'opted-out' });

  const early = await bench.reconcile('send-introduction');
  bench.clock.advance(60_000);
  const later = await bench.reconcile('send-introduction');

  expect(early).toMatchObject({ disposition: 'wait', reason: 'too-early' });
  expect(later).toMatchObject({ disposition: 'keep', reason: 'evidence-says-done' });
  expect(bench.mail.sent).toHaveLength(1);
});

test('an earlier send that never landed ends as stopped once that is certain', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  bench.mail.wire.plan({ kind: 'lost' });
  await bench.act('send-introduction', 1);
  bench.clock.advance(20_000);
  await bench.reconcile('send-introduction');
  bench.crm.optOut('501');
  await bench.act('send-introduction', 2);
  bench.clock.advance(100_000);

  expect(await bench.reconcile('send-introduction')).toMatchObject({
    disposition: 'stop',
    reason: 'opted-out',
  });
  expect(await bench.state('send-introduction')).toMatchObject({ phase: 'stopped' });
});

test('consent that cannot be read sends nothing and is tried again', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  const prepared = await bench.prepare('send-introduction', 1);
  bench.crm.wire.unreadable = true;

  const outcome = await bench.run(prepared);
  bench.crm.wire.unreadable = false;
  bench.clock.advance(60_000);

  expect(outcome).toEqual({
    outcome: 'not-applied',
    reason: 'hubspot-unreadable-timeout',
    requestLeft: false,
  });
  expect(bench.mail.sent).toEqual([]);
  expect(await bench.reconcile('send-introduction')).toMatchObject({ disposition: 'resume', attempt: 2 });
});
