import { describe, expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';

const EMAIL = { email: 'jo.lind@customer.example.com' };

describe('an owner who was there before the handoff', () => {
  test('is kept', async () => {
    const bench = new Bench();
    const contact = bench.crm.seedContact(EMAIL, '72');
    await bench.upTo('assign-owner');

    expect(await bench.act('assign-owner', 1)).toMatchObject({
      outcome: 'performed',
      evidence: { facts: { ownerId: '72', owner: 'kept' } },
    });
    expect(bench.crm.ownerOf(contact)).toBe('72');
    expect(bench.crm.wire.requests.filter(({ what }) => what === 'set owner')).toEqual([]);
  });

  test('is the one who introduces himself', async () => {
    const bench = new Bench();
    bench.crm.seedContact(EMAIL, '72');
    await bench.upTo('send-introduction');
    await bench.act('send-introduction', 1);

    expect(bench.mail.sent[0]?.message.from).toBe('Ben Ruiz <ben.ruiz@sales.example.com>');
  });

  test('is replaced where the route says so', async () => {
    const bench = new Bench({ route: { existingOwner: 'replace' } });
    const contact = bench.crm.seedContact(EMAIL, '72');
    bench.clock.advance(1);
    await bench.upTo('assign-owner');

    expect((await bench.act('assign-owner', 1)).outcome).toBe('performed');
    expect(bench.crm.ownerOf(contact)).toBe('71');
    expect(await bench.state('assign-owner')).toMatchObject({ warnings: [] });
  });

  test.each(['keep', 'replace'] as const)(
    'whom a dead worker left untouched is judged again (%s)',
    async (existingOwner) => {
      const bench = new Bench({ route: { existingOwner } });
      const contact = bench.crm.seedContact(EMAIL, '72');
      await bench.upTo('assign-owner');
      const prepared = await bench.prepare('assign-owner', 1);
      const point = bench.pauseWrite('claim', 'afterWrite');
      void bench.run(prepared);
      await point.reached;
      bench.clock.advance(85_000);
      bench.ledger.hooks = {};

      expect(await bench.reconcile('assign-owner')).toMatchObject({ disposition: 'resume', attempt: 2 });
      expect((await bench.act('assign-owner', 2)).outcome).toBe('performed');
      expect(bench.crm.ownerOf(contact)).toBe(existingOwner === 'keep' ? '72' : '71');
    },
  );
});

describe('a person changes the owner', () => {
  test('between our first look and our write: ours is not written, and a person is asked', async () => {
    const bench = new Bench();
    await bench.upTo('assign-owner');
    const prepared = await bench.prepare('assign-owner', 1);
    bench.crm.personSetsOwner('501', '72');

    expect(await bench.run(prepared)).toEqual({
      outcome: 'not-applied',
      reason: 'owner-changed',
      requestLeft: false,
    });
    expect(await bench.reconcile('assign-owner')).toMatchObject({
      disposition: 'ask',
      reason: 'owner-changed',
    });
    expect(bench.crm.ownerOf('501')).toBe('72');
  });

  test('and the route keeps what people do: kept, with the owner as evidence', async () => {
    const bench = new Bench({ route: { changedOwner: 'keep' } });
    await bench.upTo('assign-owner');
    const prepared = await bench.prepare('assign-owner', 1);
    bench.crm.personSetsOwner('501', '72');
    await bench.run(prepared);

    expect(await bench.reconcile('assign-owner')).toMatchObject({ disposition: 'keep' });
    expect(await bench.state('assign-owner')).toMatchObject({
      phase: 'performed',
      evidence: { facts: { ownerId: '72', owner: 'kept' } },
    });
  });

  test('in the moment between our read and our write: possible-overwrite, and a person is asked', async () => {
    const bench = new Bench();
    await bench.upTo('assign-owner');
    bench.crm.wire.hooks = {
      beforeWrite: () => {
        bench.clock.advance(1);
        bench.crm.personSetsOwner('501', '72');
        bench.clock.advance(1);
      },
    };

    const outcome = await bench.act('assign-owner', 1);

    expect(outcome).toEqual({ outcome: 'unknown', reason: 'possible-overwrite' });
    expect(await bench.reconcile('assign-owner')).toMatchObject({
      disposition: 'ask',
      reason: 'possible-overwrite',
    });
    expect((await bench.state('assign-owner')).warnings).toEqual(['possible-overwrite']);
  });

  test('in that moment, while our reads do not show yet what was written: unknown, and asked once they do', async () => {
    const bench = new Bench({ readLagMs: 10_000 });
    await bench.accept();
    await bench.act('upsert-contact', 1);
    bench.clock.advance(60_000);
    bench.crm.wire.hooks = {
      beforeWrite: () => {
        bench.clock.advance(1);
        bench.crm.personSetsOwner('501', '72');
        bench.clock.advance(1);
      },
    };

    const outcome = await bench.act('assign-owner', 1);
    bench.clock.advance(100_000);

    expect(outcome).toEqual({ outcome: 'unknown', reason: 'not-read-back' });
    expect(await bench.reconcile('assign-owner')).toMatchObject({
      disposition: 'ask',
      reason: 'possible-overwrite',
    });
  });

  test('not at all: a write that our reads do not show yet is found once they do, and not made again', async () => {
    const bench = new Bench({ readLagMs: 10_000 });
    await bench.accept();
    await bench.act('upsert-contact', 1);
    bench.clock.advance(60_000);

    const outcome = await bench.act('assign-owner', 1);
    bench.clock.advance(10_000);

    expect(outcome).toEqual({ outcome: 'unknown', reason: 'not-read-back' });
    expect(await bench.reconcile('assign-owner')).toMatchObject({ disposition: 'keep' });
    expect(bench.crm.wire.requests.filter(({ what }) => what === 'set owner')).toHaveLength(1);
  });

  test('before a write of ours that lands late: possible-overwrite', async () => {
    const bench = new Bench();
    await bench.upTo('assign-owner');
    bench.crm.wire.plan({ kind: 'lands-late', afterMs: 40_000 });
    await bench.act('assign-owner', 1);
    bench.clock.advance(20_000);
    bench.crm.personSetsOwner('501', '72');
    const early = await bench.reconcile('assign-owner');
    bench.clock.advance(65_000);
    const later = await bench.reconcile('assign-owner');

    // Nobody keeps, or decides on, an owner whom our own write is about to replace.
    expect(early).toMatchObject({ disposition: 'wait', reason: 'too-early' });
    expect(later).toMatchObject({ disposition: 'ask', reason: 'possible-overwrite' });
  });

  test('before a write of ours that lands late, where the route keeps what people do: possible-overwrite as well', async () => {
    const bench = new Bench({ route: { changedOwner: 'keep' } });
    await bench.upTo('assign-owner');
    bench.crm.wire.plan({ kind: 'lands-late', afterMs: 40_000 });
    await bench.act('assign-owner', 1);
    bench.clock.advance(20_000);
    bench.crm.personSetsOwner('501', '72');
    const early = await bench.reconcile('assign-owner');
    bench.clock.advance(65_000);

    expect(early).toMatchObject({ disposition: 'wait', reason: 'too-early' });
    expect(await bench.reconcile('assign-owner')).toMatchObject({
      disposition: 'ask',
      reason: 'possible-overwrite',
    });
    expect((await bench.state('assign-owner')).warnings).toEqual(['possible-overwrite']);
  });

  test('"keep the owner" that was decided on another owner than the one there now is asked again', async () => {
    const bench = new Bench();
    await bench.upTo('assign-owner');
    bench.crm.wire.plan({ kind: 'lands-late', afterMs: 40_000 });
    await bench.act('assign-owner', 1);
    bench.clock.advance(20_000);
    bench.crm.personSetsOwner('501', '72');
    await bench.reconcile('assign-owner');
    await bench.decide('assign-owner', 'keep-owner', { findingSeen: 'superseded:owner-changed' });
    const early = await bench.reconcile('assign-owner');
    bench.clock.advance(65_000);

    expect(early).toMatchObject({ disposition: 'wait' });
    expect(await bench.reconcile('assign-owner')).toMatchObject({
      disposition: 'ask',
      reason: 'decision-outdated',
    });
    expect(await bench.state('assign-owner')).toMatchObject({ phase: 'unknown', decision: null });
  });

  test('after ours: it stays theirs, and the next attempt is not made', async () => {
    const bench = new Bench();
    await bench.upTo('assign-owner');
    bench.crm.wire.plan({ kind: 'answer-lost' });
    await bench.act('assign-owner', 1);
    bench.clock.advance(1);
    bench.crm.personSetsOwner('501', '72');
    bench.clock.advance(100_000);

    expect(await bench.reconcile('assign-owner')).toMatchObject({
      disposition: 'ask',
      reason: 'owner-changed',
    });
    expect(bench.crm.ownerOf('501')).toBe('72');
  });

  test('to the one whom we chose: there is nothing to write', async () => {
    const bench = new Bench();
    await bench.upTo('assign-owner');
    const prepared = await bench.prepare('assign-owner', 1);
    bench.crm.personSetsOwner('501', '71');

    expect((await bench.run(prepared)).outcome).toBe('performed');
    expect(bench.crm.wire.requests.filter(({ what }) => what === 'set owner')).toEqual([]);
  });

  test('a person keeps the owner: kept with what the CRM showed', async () => {
    const bench = new Bench();
    await bench.upTo('assign-owner');
    const prepared = await bench.prepare('assign-owner', 1);
    bench.crm.personSetsOwner('501', '72');
    await bench.run(prepared);
    await bench.reconcile('assign-owner');
    await bench.decide('assign-owner', 'keep-owner');

    expect(await bench.reconcile('assign-owner')).toMatchObject({
      disposition: 'keep',
      reason: 'owner-kept',
    });
  });
});

describe('the owner changes between the freeze of the introduction and its send', () => {
  test('it is not sent; it is frozen again and goes out in the new owner’s name', async () => {
    const bench = new Bench();
    await bench.upTo('send-introduction');
    const prepared = await bench.prepare('send-introduction', 1);
    bench.crm.personSetsOwner('501', '72');
    expect(await bench.run(prepared)).toEqual({
      outcome: 'not-applied',
      reason: 'owner-changed',
      requestLeft: false,
    });
    await bench.reconcile('send-introduction');
    bench.clock.advance(60_000);

    expect(await bench.reconcile('send-introduction')).toMatchObject({ disposition: 'resume', attempt: 2 });
    await bench.act('send-introduction', 2);
    expect(bench.mail.sent.map(({ key, message }) => [key, message.from])).toEqual([
      ['web/inq-1/send-introduction', 'Ben Ruiz <ben.ruiz@sales.example.com>'],
    ]);
  });

  test('after a send that nobody knows of: never the same bytes again, a person is asked', async () => {
    const bench = new Bench();
    await bench.upTo('send-introduction');
    bench.mail.wire.plan({ kind: 'lost' });
    await bench.act('send-introduction', 1);
    bench.crm.personSetsOwner('501', '72');
    const early = await bench.reconcile('send-introduction');
    bench.clock.advance(85_000);
    const later = await bench.reconcile('send-introduction');

    expect(early).toMatchObject({ disposition: 'wait', reason: 'too-early' });
    expect(later).toMatchObject({ disposition: 'ask', reason: 'sender-no-longer-owner' });
    expect(bench.mail.sent).toEqual([]);
  });

  test('a person sends it as the current owner: a new operation under a new identity', async () => {
    const bench = new Bench();
    await bench.upTo('send-introduction');
    bench.mail.wire.plan({ kind: 'lost' });
    await bench.act('send-introduction', 1);
    bench.crm.personSetsOwner('501', '72');
    bench.clock.advance(85_000);
    await bench.reconcile('send-introduction');
    await bench.decide('send-introduction', 'send-as-current-owner');
    const { attempt } = await bench.reconcile('send-introduction');
    await bench.act('send-introduction', attempt);

    expect(bench.mail.sent.map(({ key, message }) => [key, message.from])).toEqual([
      ['web/inq-1/send-introduction/r2', 'Ben Ruiz <ben.ruiz@sales.example.com>'],
    ]);
  });

  test('an introduction that was sent under the earlier owner is kept, and the record says so', async () => {
    const bench = new Bench();
    await bench.upTo('send-introduction');
    bench.mail.wire.plan({ kind: 'answer-lost' });
    await bench.act('send-introduction', 1);
    bench.crm.personSetsOwner('501', '72');

    expect(await bench.reconcile('send-introduction')).toMatchObject({ disposition: 'keep' });
    expect(await bench.state('send-introduction')).toMatchObject({
      evidence: { facts: { senderOwnerId: '71', currentOwnerId: '72' } },
    });
  });
});
