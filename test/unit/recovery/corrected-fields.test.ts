import { describe, expect, test } from 'vitest';
import { LEAD } from '../../model/bench.ts';
import { pausePoint } from '../../model/pause-point.ts';
import { KEY, RecoveryBench } from './recovery-bench.ts';

const MARI = { ...LEAD, firstName: 'Mari' };
const SARI = { ...LEAD, firstName: 'Sari' };
const KIM = { ...LEAD, firstName: 'Kim', email: 'Kim@customer.example.com' };
const TOMAS = { name: 'Tomas', email: 'tomas@sales.example.com' };

/** The task and the introduction are refused and asked about, and the lead came again with two corrections. */
async function askedAboutBoth(): Promise<RecoveryBench> {
  const bench = new RecoveryBench({
    route: {
      approvers: [
        { name: 'Tomas', email: 'tomas@sales.example.com' },
        { name: 'Uma', email: 'uma@sales.example.com' },
      ],
    },
  });
  await bench.upTo('create-task');
  for (const lead of [MARI, SARI]) await bench.accept(lead).catch(() => {});
  bench.crm.wire.plan({ kind: 'refused', reason: 'permissions' });
  bench.mail.wire.plan({ kind: 'refused', reason: 'permissions' });
  for (const action of ['create-task', 'send-introduction'] as const) {
    await bench.act(action, 1);
    bench.clock.advance(100_000);
    await bench.reconcile(action);
    await bench.enters('ask', action);
  }
  return bench;
}

async function hashOf(bench: RecoveryBench, firstName: string): Promise<string> {
  const { conflicts = [] } = (await bench.ledger.record(KEY)) ?? {};
  const conflict = conflicts.find(({ lead }) => lead.firstName === firstName);
  if (!conflict) throw new TypeError(`No request of ${firstName} was kept.`);
  return conflict.intentHash;
}

/** The contact is refused and asked about, and the lead came again with the address of somebody else. */
async function askedAboutContact(policy: 'ask' | 'allow', other: boolean): Promise<RecoveryBench> {
  const bench = new RecoveryBench({
    route: { approvers: [TOMAS], samePerson: { policy, windowHours: 24 } },
  });
  if (other) await bench.accept({ ...KIM, leadRequestId: 'inq-2' });
  await bench.accept();
  await bench.accept(KIM).catch(() => {});
  bench.crm.wire.plan({ kind: 'refused', reason: 'permissions' });
  await bench.act('upsert-contact', 1);
  bench.clock.advance(100_000);
  await bench.reconcile('upsert-contact');
  await bench.enters('ask', 'upsert-contact');
  return bench;
}

const nameOf = async (bench: RecoveryBench) => (await bench.ledger.handoff(KEY))?.lead.firstName;
const sentTo = (bench: RecoveryBench) => bench.mail.sent.map(({ message }) => message.text);

describe('corrected fields', () => {
  test('two approvers, two actions, two corrections at once: each action is made of what was decided for it', async () => {
    const bench = await askedAboutBoth();
    await bench.person('create-task', 'amend', { by: 'Tomas', evidence: await hashOf(bench, 'Mari') });
    await bench.person('send-introduction', 'amend', { by: 'Uma', evidence: await hashOf(bench, 'Sari') });
    await bench.reconcile('send-introduction');
    await bench.reconcile('create-task');

    await bench.act('create-task', 2);
    await bench.act('send-introduction', 2);

    expect(bench.crm.tasks.map(({ body }) => JSON.stringify(body))).toEqual([
      expect.stringContaining('Mari'),
    ]);
    expect(sentTo(bench)).toEqual([expect.stringContaining('Sari')]);
  });

  test('a stop that overtakes them leaves the first ones in place', async () => {
    const bench = await askedAboutBoth();
    await bench.person('create-task', 'amend', { by: 'Tomas', evidence: await hashOf(bench, 'Mari') });
    const point = pausePoint();
    bench.ledger.hooks = { beforeWrite: ({ event }) => (event === 'reconcile' ? point.hold() : undefined) };
    const reading = bench.reconcile('create-task');
    await point.reached;
    bench.ledger.hooks = {};
    await bench.person('create-task', 'stop');
    point.go();

    expect(await reading).toMatchObject({ disposition: 'stop' });
    expect(await nameOf(bench)).toBe('Jo');
    expect((await bench.ledger.handoff(KEY))?.amendments).toEqual([]);
  });

  test('whoever dies between the grant and the correction is followed by one who makes it', async () => {
    const bench = await askedAboutBoth();
    await bench.person('create-task', 'amend', { by: 'Tomas', evidence: await hashOf(bench, 'Mari') });
    bench.ledger.hooks = {
      beforeWrite: ({ what }) => {
        if (what === 'amend') throw new Error('The function died.');
      },
    };
    await expect(bench.reconcile('create-task')).rejects.toThrow('died');
    bench.ledger.hooks = {};

    const waits = await bench.reconcile('create-task');
    bench.clock.advance(waits.waitSeconds * 1000);
    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'resume', attempt: 2 });
    await bench.act('create-task', 2);

    expect(await nameOf(bench)).toBe('Mari');
    expect((await bench.ledger.handoff(KEY))?.amendments).toMatchObject([{ by: 'Tomas' }]);
    expect(bench.crm.tasks).toHaveLength(1);
  });

  test('those that held before can be chosen again', async () => {
    const bench = await askedAboutBoth();
    await bench.person('create-task', 'amend', { by: 'Tomas', evidence: await hashOf(bench, 'Mari') });
    await bench.reconcile('create-task');
    bench.crm.wire.plan({ kind: 'refused', reason: 'permissions' });
    await bench.act('create-task', 2);
    bench.clock.advance(100_000);
    await bench.reconcile('create-task');
    await bench.enters('ask', 'create-task');

    const again = await bench.person('create-task', 'amend', {
      by: 'Tomas',
      evidence: await hashOf(bench, 'Jo'),
    });
    await bench.reconcile('create-task');
    await bench.act('create-task', 3);

    expect(again).toMatchObject({ answer: { recorded: 'now' } });
    expect(await nameOf(bench)).toBe('Jo');
    expect(bench.crm.tasks.map(({ body }) => JSON.stringify(body))).toEqual([expect.stringContaining('Jo ')]);
  });
});

describe('a correction to the address of somebody else', () => {
  const amend = async (bench: RecoveryBench, more: object = {}) =>
    bench.person('upsert-contact', 'amend', { by: 'Tomas', evidence: await hashOf(bench, 'Kim'), ...more });

  test('who has another handoff is refused, and changes nothing', async () => {
    const bench = await askedAboutContact('ask', true);
    const before = await bench.state('upsert-contact');

    expect(await amend(bench)).toMatchObject({
      refused: {
        error: 'SamePerson',
        message: expect.stringContaining('another handoff, inq-2, accepted at'),
      },
    });
    expect(await bench.state('upsert-contact')).toBe(before);
    expect(await amend(bench, { riskAccepted: true })).toMatchObject({ answer: { recorded: 'now' } });
  });

  test('who has none makes it that person’s: the next lead request of theirs is asked about', async () => {
    const bench = await askedAboutContact('ask', false);

    expect(await amend(bench)).toMatchObject({ answer: { recorded: 'now' } });
    expect(await bench.accept({ ...KIM, leadRequestId: 'inq-2' })).toMatchObject({ status: 'asked' });
    expect(bench.started).toEqual(['web.inq-1.1']);
  });

  test('is nobody’s business where the route allows it', async () => {
    const bench = await askedAboutContact('allow', true);

    expect(await amend(bench)).toMatchObject({ answer: { recorded: 'now' } });
  });
});
