import { describe, expect, test } from 'vitest';
import type { FilledRecord } from '../../../functions/domain/filled-record.ts';
import { intentHash } from '../../../functions/domain/intent.ts';
import { LEAD } from '../../model/bench.ts';
import { pausePoint } from '../../model/pause-point.ts';
import { type LedgerWrite, once } from '../../model/write-faults.ts';
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
/** Tomas corrects the task, and reconcile grants the attempt that is made of the corrected fields. */
async function correctionGranted(): Promise<RecoveryBench> {
  const bench = await askedAboutBoth();
  await bench.person('create-task', 'amend', { by: 'Tomas', evidence: await hashOf(bench, 'Mari') });
  await bench.reconcile('create-task');
  return bench;
}

const tasks = (bench: RecoveryBench) => bench.crm.tasks.map(({ body }) => JSON.stringify(body));
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

    expect(tasks(bench)).toEqual([expect.stringContaining('Mari')]);
    expect(sentTo(bench)).toEqual([expect.stringContaining('Sari')]);
  });

  test('a stop that overtakes them leaves the first ones in place', async () => {
    const bench = await correctionGranted();
    await bench.person('create-task', 'stop');

    await expect(bench.act('create-task', 2)).rejects.toMatchObject({ name: 'NoGrant' });
    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'stop' });
    expect(await nameOf(bench)).toBe('Jo');
    expect((await bench.ledger.handoff(KEY))?.amendments).toEqual([]);
  });

  test('are the lead’s before anything goes out with them', async () => {
    const bench = await correctionGranted();
    const seen: unknown[] = [];
    bench.crm.wire.hooks = { beforeWrite: async () => void seen.push(await nameOf(bench)) };
    await bench.act('create-task', 2);

    expect(seen).toEqual(['Mari']);
  });

  test('that cannot be put in place let nothing go out', async () => {
    const bench = await correctionGranted();
    bench.ledger.hooks = once('before', ({ what }) => what === 'amend');

    expect(await bench.act('create-task', 2)).toEqual({
      outcome: 'not-applied',
      reason: 'not-corrected',
      requestLeft: false,
    });
    expect(bench.crm.tasks).toEqual([]);
    bench.clock.advance(100_000);
    await bench.reconcile('create-task');
    expect(await nameOf(bench)).toBe('Mari');
    await bench.act('create-task', 3);
    expect(tasks(bench)).toEqual([expect.stringContaining('Mari')]);
  });

  test('whoever dies between the claim and the correction is followed by one who makes it', async () => {
    const bench = await correctionGranted();
    const point = pausePoint();
    bench.ledger.hooks = { beforeWrite: ({ what }) => (what === 'amend' ? point.hold() : undefined) };
    void bench.act('create-task', 2);
    await point.reached;
    bench.ledger.hooks = {};
    bench.clock.advance(1_000_000);

    await bench.reconcile('create-task');

    expect(await nameOf(bench)).toBe('Mari');
    expect((await bench.ledger.handoff(KEY))?.amendments).toMatchObject([{ by: 'Tomas' }]);
  });

  test('another decision in its place sends the first ones, also where a body was frozen with the others', async () => {
    const bench = await correctionGranted();
    await bench.prepare('create-task', 2);
    expect(await bench.person('create-task', 'resume')).toMatchObject({
      refused: { error: 'AlreadyDecided' },
    });
    expect(await bench.reconcile('create-task', { error: 'OwnerUnknown' })).toMatchObject({
      disposition: 'ask',
    });
    await bench.enters('ask', 'create-task', { token: 'token-2' });
    await bench.person('create-task', 'resume');
    expect(await bench.reconcile('create-task')).toMatchObject({ reason: 'decided-resume' });
    await bench.act('create-task', 2);

    expect(tasks(bench)).toEqual([expect.stringContaining('Jo ')]);
    expect(await nameOf(bench)).toBe('Jo');
  });

  test('an owner frozen anew keeps the owner that was seen first: who set one since is not overwritten', async () => {
    const bench = new RecoveryBench({ route: { approvers: [TOMAS], existingOwner: 'replace' } });
    await bench.upTo('assign-owner');
    bench.crm.wire.plan({ kind: 'refused', reason: 'permissions' });
    await bench.act('assign-owner', 1);
    bench.clock.advance(100_000);
    await bench.reconcile('assign-owner');
    await bench.enters('ask', 'assign-owner');
    await bench.person('assign-owner', 'amend', { by: 'Tomas' });
    expect(await bench.reconcile('assign-owner')).toMatchObject({ disposition: 'resume' });
    bench.crm.personSetsOwner('501', '72');

    expect(await bench.act('assign-owner', 2)).toMatchObject({
      outcome: 'not-applied',
      reason: 'owner-changed',
    });
    expect(bench.crm.ownerOf('501')).toBe('72');
  });

  test('those that another action got meanwhile are offered to the one that has the first ones', async () => {
    const bench = await askedAboutBoth();
    const offered = async (action: string) => {
      const shown = await bench.answer({ decision: 'show', leadRequestId: 'inq-1' });
      const { record } = (shown as { answer: { record: FilledRecord } }).answer;
      const { choices } = record.actions.find((each) => each.action === action) ?? {};
      return choices?.flatMap(({ input: { evidence } }) => evidence ?? []).toSorted();
    };
    const [jo, mari, sari] = [intentHash(LEAD), await hashOf(bench, 'Mari'), await hashOf(bench, 'Sari')];
    await bench.person('send-introduction', 'amend', { by: 'Tomas', evidence: mari });
    await bench.reconcile('send-introduction');
    bench.mail.wire.plan({ kind: 'refused', reason: 'permissions' });
    await bench.act('send-introduction', 2);
    bench.clock.advance(100_000);
    await bench.reconcile('send-introduction');
    await bench.enters('ask', 'send-introduction', { token: 'token-2' });

    expect(await offered('create-task')).toEqual([mari, sari].toSorted());
    expect(await offered('send-introduction')).toEqual([jo, sari].toSorted());
  });

  test('those that held before can be chosen again', async () => {
    const bench = await correctionGranted();
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
    expect(tasks(bench)).toEqual([expect.stringContaining('Jo ')]);
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

  test('who has none makes it that person’s once it is made: the next lead request of theirs is asked about', async () => {
    const bench = await askedAboutContact('ask', false);
    expect(await amend(bench)).toMatchObject({ answer: { recorded: 'now' } });
    await bench.reconcile('upsert-contact');
    await bench.act('upsert-contact', 2);

    expect(await bench.accept({ ...KIM, leadRequestId: 'inq-2' })).toMatchObject({ status: 'asked' });
    expect(bench.started).toEqual(['web.inq-1.1']);
  });

  test('is no more the one’s before: a new lead request of theirs is a new handoff', async () => {
    const bench = await askedAboutContact('ask', false);
    await amend(bench);
    await bench.reconcile('upsert-contact');
    await bench.act('upsert-contact', 2);

    expect(await bench.accept({ ...LEAD, leadRequestId: 'inq-3' })).toMatchObject({ status: 'accepted' });
    expect(bench.started).toContain('web.inq-3.1');
  });

  describe.each(['claim-person', 'release-person', 'conflict', 'amend'] as const)(
    'whose worker dies at the write %s',
    (what) => {
      test.each(['beforeWrite', 'afterWrite'] as const)(
        '%s, is made once by who comes after it',
        async (moment) => {
          const bench = await askedAboutContact('ask', false);
          await amend(bench);
          await bench.reconcile('upsert-contact');
          const point = pausePoint();
          bench.ledger.hooks = {
            [moment]: (write: LedgerWrite) => (write.what === what ? point.hold() : undefined),
          };
          void bench.act('upsert-contact', 2);
          await point.reached;
          bench.ledger.hooks = {};
          bench.clock.advance(1_000_000);

          const { attempt } = await bench.reconcile('upsert-contact');
          expect(await bench.act('upsert-contact', attempt)).toMatchObject({ outcome: 'performed' });

          const { handoff, conflicts = [] } = (await bench.ledger.record(KEY)) ?? {};
          expect(handoff).toMatchObject({ lead: { firstName: 'Kim' }, amendments: [{ by: 'Tomas' }] });
          expect(conflicts.map(({ lead }) => lead.firstName).toSorted()).toEqual(['Jo', 'Kim']);
          expect(bench.crm.contacts).toHaveLength(1);
          expect(await bench.accept({ ...KIM, leadRequestId: 'inq-2' })).toMatchObject({ status: 'asked' });
          expect(await bench.accept({ ...LEAD, leadRequestId: 'inq-3' })).toMatchObject({
            status: 'accepted',
          });
        },
      );
    },
  );

  test('that is refused, or stopped before it is made, is in nobody’s way', async () => {
    const bench = await askedAboutContact('ask', false);
    await bench.person('upsert-contact', 'take-over');
    expect(await amend(bench)).toMatchObject({ refused: { error: 'AlreadyDecided' } });
    await bench.person('upsert-contact', 'stop');

    expect(await bench.accept({ ...KIM, leadRequestId: 'inq-2' })).toMatchObject({ status: 'accepted' });
  });

  test('is held against what is so now, and not against when this lead request came', async () => {
    const bench = await askedAboutContact('ask', false);
    bench.clock.advance(25 * 3_600_000);
    await bench.accept({ ...KIM, leadRequestId: 'inq-2' });

    expect(await amend(bench)).toMatchObject({ refused: { error: 'SamePerson' } });
    bench.clock.advance(25 * 3_600_000);
    expect(await amend(bench)).toMatchObject({ answer: { recorded: 'now' } });
  });

  test('is nobody’s business where the route allows it', async () => {
    const bench = await askedAboutContact('allow', true);

    expect(await amend(bench)).toMatchObject({ answer: { recorded: 'now' } });
  });
});
