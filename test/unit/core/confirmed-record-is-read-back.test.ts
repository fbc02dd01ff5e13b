import { describe, expect, test } from 'vitest';
import type { ActionName } from '../../../functions/domain/action.ts';
import { DestinationUnreadable } from '../../../functions/ports/destination-unreadable.ts';
import { Bench, LEAD } from '../../model/bench.ts';
import { NUMBERS } from '../../model/settings.ts';

/** The action ended refused, so that a person is asked. */
async function refused(action: ActionName): Promise<Bench> {
  const bench = new Bench();
  if (action === 'upsert-contact') await bench.accept();
  else await bench.upTo(action);
  const { wire } = action === 'send-introduction' ? bench.mail : bench.crm;
  wire.plan({ kind: 'refused', reason: 'invalid-request' });
  await bench.act(action, 1);
  bench.clock.advance(NUMBERS.landingBoundMs + NUMBERS.functionTimeoutSeconds * 1000 + NUMBERS.searchLagMs);
  await bench.reconcile(action);
  return bench;
}

/** A person is asked again, and nothing rests on what was named. */
const TURNED_DOWN = { disposition: 'ask', reason: 'evidence-not-found', kind: null };

async function confirmed(bench: Bench, action: ActionName, evidence: string) {
  await bench.decide(action, 'confirm', { evidence });
  const { disposition, reason } = await bench.reconcile(action);
  const { evidence: kept, phase } = await bench.state(action);
  return {
    disposition,
    reason,
    phase,
    kind: kept?.kind ?? null,
    recordId: kept?.recordId ?? null,
    facts: kept?.facts ?? null,
  };
}

describe('a contact that a person names', () => {
  test('is read back: its record is the evidence', async () => {
    const bench = await refused('upsert-contact');
    const id = bench.crm.seedContact({ email: LEAD.email });

    expect(await confirmed(bench, 'upsert-contact', id)).toMatchObject({
      disposition: 'keep',
      phase: 'performed',
      kind: 'record',
      recordId: id,
      facts: { archived: false, decision: expect.any(String) },
    });
  });

  test('and that is a stranger’s is turned down: the lead’s owner, task and words would go there', async () => {
    const bench = await refused('upsert-contact');
    const id = bench.crm.seedContact({ email: 'someone.else@example.com' });

    expect(await confirmed(bench, 'upsert-contact', id)).toMatchObject(TURNED_DOWN);
  });

  test('and that the CRM does not have is turned down, because every later action needs it', async () => {
    const bench = await refused('upsert-contact');

    expect(await confirmed(bench, 'upsert-contact', '999')).toMatchObject({
      disposition: 'ask',
      reason: 'evidence-not-found',
      phase: 'refused',
    });
  });

  test('and that cannot be read now is taken on the person’s word', async () => {
    const bench = await refused('upsert-contact');
    const id = bench.crm.seedContact({ email: LEAD.email });
    bench.crm.findById = async () => {
      throw new DestinationUnreadable('hubspot', 'timeout');
    };

    expect(await confirmed(bench, 'upsert-contact', id)).toMatchObject({
      phase: 'performed',
      kind: 'attested',
      recordId: id,
      facts: { readBack: 'not-read' },
    });
  });
});

describe('an owner that a person names', () => {
  test('is the evidence where the contact has it', async () => {
    const bench = await refused('assign-owner');
    const { recordId } = (await bench.state('upsert-contact')).evidence ?? {};
    bench.crm.personSetsOwner(recordId ?? '', '72');

    expect(await confirmed(bench, 'assign-owner', '72')).toMatchObject({
      phase: 'performed',
      kind: 'record',
      facts: { ownerId: '72' },
    });
  });

  test('is turned down where the contact has another', async () => {
    const bench = await refused('assign-owner');

    expect(await confirmed(bench, 'assign-owner', '72')).toMatchObject(TURNED_DOWN);
  });
});

describe('a task that a person names', () => {
  const TASK = { ownerId: null, stamp: 'by hand', subject: 'Call', body: 'Call', dueAt: 0 };

  test.each<[string, boolean]>([
    ['is the evidence where it is one of this contact', true],
    ['is turned down where it is one of another contact', false],
  ])('%s', async (_, ofThisContact) => {
    const bench = await refused('create-task');
    const { recordId } = (await bench.state('upsert-contact')).evidence ?? {};
    const contactId = ofThisContact
      ? (recordId ?? '')
      : bench.crm.seedContact({ email: 'other@example.com' });
    const made = await bench.crm.createTask(
      { ...TASK, contactId },
      { identity: 'by hand', deadline: bench.clock.now() + 1_000 },
    );
    const id = made.outcome === 'performed' ? (made.evidence.recordId ?? '') : '';

    expect(await confirmed(bench, 'create-task', id)).toMatchObject(
      ofThisContact ? { phase: 'performed', kind: 'record', recordId: id } : TURNED_DOWN,
    );
  });
});

describe('an email that a person names', () => {
  const call = (bench: Bench) => ({ identity: 'by hand', deadline: bench.clock.now() + 1_000 });
  const message = { from: 'a@b.example', replyTo: 'a@b.example', subject: 's', text: 't', html: 'h' };

  test.each<[string, string, boolean]>([
    ['is the evidence where it went to this person', LEAD.email, true],
    ['is turned down where it went to somebody else', 'somebody@example.com', false],
  ])('%s', async (_, to, stands) => {
    const bench = await refused('send-introduction');
    await bench.mail.send(bench.mail.encode({ ...message, to }), call(bench));
    const id = bench.mail.sent.at(-1)?.id ?? '';

    expect(await confirmed(bench, 'send-introduction', id)).toMatchObject(
      stands ? { phase: 'performed', kind: 'record', recordId: id } : TURNED_DOWN,
    );
  });

  test('is turned down where the mail sender does not know it', async () => {
    const bench = await refused('send-introduction');

    expect(await confirmed(bench, 'send-introduction', 'gmail-17')).toMatchObject(TURNED_DOWN);
  });

  test('from elsewhere is confirmed without a name, on the person’s word', async () => {
    const bench = await refused('send-introduction');
    await bench.decide('send-introduction', 'confirm');
    await bench.reconcile('send-introduction');

    expect(await bench.state('send-introduction')).toMatchObject({
      phase: 'performed',
      evidence: { kind: 'attested', recordId: null, facts: { readBack: 'not-read' } },
    });
  });
});
