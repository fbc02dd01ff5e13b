import { describe, expect, test } from 'vitest';
import type { ActionName } from '../../../functions/domain/action.ts';
import { Bench } from '../../model/bench.ts';

const REST: readonly ActionName[] = ['assign-owner', 'create-task', 'send-introduction'];

describe('a person stops the contact before it exists', () => {
  async function stoppedContact(): Promise<Bench> {
    const bench = new Bench();
    await bench.accept();
    await bench.decide('upsert-contact', 'stop');
    await bench.reconcile('upsert-contact');
    return bench;
  }

  test('what needs it is not called', async () => {
    const bench = await stoppedContact();

    for (const action of REST) {
      await expect(bench.act(action, 1)).rejects.toMatchObject({ name: 'DependencyStopped' });
    }
    expect(bench.crm.wire.requests).toEqual([]);
    expect(bench.mail.wire.requests).toEqual([]);
  });

  test('what needs it stops with that reason, and the handoff closes', async () => {
    const bench = await stoppedContact();

    for (const action of REST) {
      expect(await bench.reconcile(action, { error: 'DependencyStopped' })).toMatchObject({
        disposition: 'stop',
        reason: 'upsert-contact-stopped',
      });
    }
    expect(await bench.close()).toEqual({ closed: true });
  });
});

test('a contact that was stopped after it was made is enough for what needs it', async () => {
  const bench = new Bench();
  await bench.accept();
  bench.crm.wire.plan({ kind: 'answer-lost' });
  await bench.act('upsert-contact', 1);
  await bench.decide('upsert-contact', 'stop');
  await bench.reconcile('upsert-contact');
  expect(await bench.state('upsert-contact')).toMatchObject({ phase: 'stopped-but-done' });

  for (const action of REST) expect((await bench.act(action, 1)).outcome).toBe('performed');
  expect(await bench.close()).toEqual({ closed: true });
});

test('a stopped task leaves the introduction alone, and the other way round', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  await bench.decide('create-task', 'stop');
  await bench.reconcile('create-task');

  expect((await bench.act('send-introduction', 1)).outcome).toBe('performed');
  expect(await bench.close()).toEqual({ closed: true });
});

test('a stopped owner leaves the task alone and asks about the introduction', async () => {
  const bench = new Bench();
  await bench.accept();
  await bench.act('upsert-contact', 1);
  await bench.decide('assign-owner', 'stop');
  await bench.reconcile('assign-owner');

  expect((await bench.act('create-task', 1)).outcome).toBe('performed');
  await expect(bench.act('send-introduction', 1)).rejects.toMatchObject({ name: 'DependencyStopped' });
  expect(await bench.reconcile('send-introduction')).toMatchObject({
    disposition: 'ask',
    reason: 'owner-stopped',
  });
});

test('nothing starts before what it needs is done', async () => {
  const bench = new Bench();
  await bench.accept();

  await expect(bench.act('assign-owner', 1)).rejects.toThrow('upsert-contact-not-done');
  await bench.act('upsert-contact', 1);
  await expect(bench.act('send-introduction', 1)).rejects.toThrow('assign-owner-not-done');
});

test('a handoff does not close while anything is open', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');

  await expect(bench.close()).rejects.toMatchObject({
    name: 'NotFinal',
    message: 'The handoff cannot be closed: create-task, send-introduction not final.',
  });
});
