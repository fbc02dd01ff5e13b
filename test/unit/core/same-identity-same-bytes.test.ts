import { describe, expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';

const HOUR = 3_600_000;

test('every attempt carries the same identity and the same bytes, whatever changed meanwhile', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  const bytes: string[] = [];
  const { send } = bench.mail;
  bench.mail.send = (body, call) => {
    bytes.push(`${call.identity} ${body}`);
    return send.call(bench.mail, body, call);
  };
  bench.mail.wire.plan({ kind: 'lost' }, { kind: 'lost' }, { kind: 'answered' });
  await bench.act('send-introduction', 1);
  bench.crm.owners.set('71', { id: '71', name: 'Ada Married', email: 'ada@elsewhere.example.com' });
  for (const attempt of [2, 3]) {
    bench.clock.advance(200_000);
    await bench.reconcile('send-introduction');
    await bench.act('send-introduction', attempt);
  }

  expect(bytes).toHaveLength(3);
  expect(new Set(bytes).size).toBe(1);
  expect(bench.mail.sent).toHaveLength(1);
});

describe('a send that nobody knows of, under a key', () => {
  test('that is still known is repeated at once: the receiver sends it once', async () => {
    const bench = new Bench();
    await bench.upTo('send-introduction');
    bench.mail.wire.plan({ kind: 'lands-late', afterMs: 1_000 });
    await bench.act('send-introduction', 1);
    bench.mail.wire.unreadable = true;
    bench.clock.advance(20_000);

    expect(await bench.reconcile('send-introduction')).toMatchObject({
      disposition: 'resume',
      reason: 'same-key',
    });
    expect((await bench.act('send-introduction', 2)).outcome).toBe('performed');
    expect(bench.mail.sent).toHaveLength(1);
  });

  test('that is forgotten is not repeated: a person is asked', async () => {
    const bench = new Bench();
    await bench.upTo('send-introduction');
    bench.mail.wire.plan({ kind: 'answer-lost' });
    await bench.act('send-introduction', 1);
    bench.mail.wire.unreadable = true;
    bench.clock.advance(23 * HOUR);

    const seen = [];
    for (let read = 0; read < 3; read++) seen.push((await bench.reconcile('send-introduction')).disposition);

    expect(seen).toEqual(['wait', 'wait', 'ask']);
    expect(bench.mail.sent).toHaveLength(1);
  });

  test('whose grant was given in time is turned away when the claim comes too late', async () => {
    const bench = new Bench();
    await bench.upTo('send-introduction');
    bench.mail.wire.plan({ kind: 'answer-lost' });
    await bench.act('send-introduction', 1);
    bench.mail.wire.unreadable = true;
    bench.clock.advance(23 * HOUR - 72_000);
    expect(await bench.reconcile('send-introduction')).toMatchObject({ disposition: 'resume' });
    bench.clock.advance(1);

    await expect(bench.act('send-introduction', 2)).rejects.toThrow('key-window-passed');
    expect(bench.mail.sent).toHaveLength(1);
  });

  test('that is forgotten and provably did not arrive is sent when a person says so, once', async () => {
    const bench = new Bench();
    await bench.upTo('send-introduction');
    bench.mail.wire.plan({ kind: 'lost' });
    await bench.act('send-introduction', 1);
    bench.clock.advance(25 * HOUR);
    expect(await bench.reconcile('send-introduction')).toMatchObject({
      disposition: 'ask',
      reason: 'key-window-over',
    });
    await bench.decide('send-introduction', 'resume');

    expect(await bench.reconcile('send-introduction')).toMatchObject({ disposition: 'resume', attempt: 2 });
    expect((await bench.act('send-introduction', 2)).outcome).toBe('performed');
    await expect(bench.act('send-introduction', 3)).resolves.toMatchObject({ outcome: 'performed' });
    expect(bench.mail.sent).toHaveLength(1);
  });
});

test('a contact that exists is not made twice', async () => {
  const bench = new Bench();
  await bench.accept();
  bench.crm.wire.hooks = {
    beforeWrite: () => void bench.crm.seedContact({ email: 'jo.lind@customer.example.com' }),
  };

  expect(await bench.act('upsert-contact', 1)).toMatchObject({
    outcome: 'not-applied',
    reason: 'already-exists',
  });
  bench.crm.wire.hooks = {};
  bench.clock.advance(60_000);
  await bench.reconcile('upsert-contact');
  expect((await bench.act('upsert-contact', 2)).outcome).toBe('performed');
  expect(bench.crm.contacts).toHaveLength(1);
});

test('a task that the portal declares unique is not made twice', async () => {
  const unique = { ...new Bench().contracts['create-task'], kind: 'natural-key' } as const;
  const bench = new Bench({ uniqueTasks: true, contracts: { 'create-task': unique } });
  await bench.upTo('create-task');
  bench.crm.wire.plan({ kind: 'answer-lost' });
  await bench.act('create-task', 1);
  const hidden = bench.crm.tasks.splice(0);
  bench.clock.advance(100_000);
  await bench.reconcile('create-task');
  bench.crm.tasks.push(...hidden);

  expect(await bench.act('create-task', 2)).toMatchObject({ outcome: 'unknown', reason: 'already-exists' });
  expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'keep' });
  expect(bench.crm.tasks).toHaveLength(1);
});
