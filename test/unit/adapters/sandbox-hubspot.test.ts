import { afterEach, describe, expect, it } from 'vitest';
import { contactProperties } from '../../../functions/adapters/hubspot/properties.ts';
import { hubspotReader } from '../../../functions/adapters/hubspot/reader.ts';
import { hubspotWriter } from '../../../functions/adapters/hubspot/writer.ts';
import type { Outcome } from '../../../functions/domain/outcome.ts';
import type { SettingsInput } from '../../../functions/sandbox/settings.ts';
import { type SandboxBench, sandboxBench } from './sandbox-bench.ts';

const JANE = contactProperties({ email: 'jane@example.com', firstName: 'Jane', company: 'Acme' });
const open: SandboxBench[] = [];
afterEach(async () => {
  for (const bench of open.splice(0)) await bench.close();
});

async function hubspot(settings: SettingsInput = {}, taskUniqueProperty?: string) {
  const bench = await sandboxBench(settings);
  open.push(bench);
  const common = {
    baseUrl: bench.hubspotUrl,
    clock: bench.clock,
    ...(taskUniqueProperty === undefined ? {} : { taskUniqueProperty }),
  };
  return {
    bench,
    reader: hubspotReader({ ...common, token: bench.token('read'), timeoutMs: 5_000 }),
    writer: hubspotWriter({ ...common, token: bench.token('write'), timeoutMs: 1_500 }),
    call: () => ({ identity: 'web/req-1/upsert-contact', deadline: bench.clock() + 10_000 }),
  };
}

function idOf(outcome: Outcome): string {
  expect(outcome.outcome).toBe('performed');
  return (outcome.outcome === 'performed' ? outcome.evidence.recordId : null) ?? '';
}

describe('contacts', () => {
  it('are created, read back by email and id, and patched', async () => {
    const { reader, writer, call } = await hubspot();
    expect(await reader.findByEmail('jane@example.com')).toBeNull();

    const id = idOf(await writer.createContact(JANE, call()));
    idOf(await writer.update(id, { phone: '+49 30 1' }, call()));

    const byEmail = await reader.findByEmail('Jane@example.com');
    expect(byEmail).toMatchObject({
      id,
      archived: false,
      email: 'jane@example.com',
      ownerId: null,
      optedOut: false,
    });
    expect(byEmail?.properties).toMatchObject({ ...JANE, phone: '+49 30 1' });
    expect(await reader.findById(id)).toEqual(byEmail);
    expect(await reader.findById('999999')).toBeNull();
  });

  it('that exist already are a conflict to be read back', async () => {
    const { reader, writer, call } = await hubspot();
    const id = idOf(await writer.createContact(JANE, call()));

    expect(await writer.createContact(JANE, call())).toEqual({
      outcome: 'unknown',
      reason: 'already-exists',
      conflict: true,
    });
    expect(await reader.findByEmail('jane@example.com')).toMatchObject({ id });
  });

  it('are found under the survivor after a merge, and among the archived', async () => {
    const { bench, reader, writer, call } = await hubspot();
    const id = idOf(await writer.createContact(JANE, call()));
    const other = idOf(await writer.createContact({ email: 'jane.doe@example.com' }, call()));

    await bench.person('merge', { contactId: other, otherContactId: id });
    const survivor = await reader.findById(id);
    await bench.person('archive', { contactId: survivor?.id });

    expect(survivor?.archived).toBe(false);
    expect(await reader.findById(survivor?.id ?? '')).toMatchObject({ id: survivor?.id, archived: true });
  });

  it('that opted out say so', async () => {
    const { bench, reader, writer, call } = await hubspot();
    idOf(await writer.createContact(JANE, call()));
    bench.advance(1_000);
    await bench.person('opt-out', { email: 'jane@example.com' });

    expect(await reader.findByEmail('jane@example.com')).toMatchObject({ optedOut: true });
  });

  it('with an invalid value are refused by the name of the field', async () => {
    const { writer, call } = await hubspot();

    expect(await writer.createContact({ email: 'not an address' }, call())).toEqual({
      outcome: 'refused',
      reason: 'invalid-email',
    });
  });
});

describe('owners', () => {
  it('are set once, and the history tells ours from a person’s', async () => {
    const { bench, reader, writer, call } = await hubspot();
    const id = idOf(await writer.createContact(JANE, call()));
    bench.advance(1_000);
    idOf(await writer.setOwner(id, '71', call()));
    bench.advance(1_000);
    await bench.person('set-owner', { contactId: id, ownerId: '82' });

    const contact = await reader.findById(id);

    expect(contact?.ownerId).toBe('82');
    expect(contact?.ownerHistory).toEqual([
      { ownerId: '82', at: bench.clock(), source: 'CRM_UI' },
      { ownerId: '71', at: bench.clock() - 1_000, source: 'INTEGRATION' },
    ]);
  });

  it('are people with a name, unless they left', async () => {
    const { bench, reader } = await hubspot();

    expect(await reader.findOwner('71')).toEqual({
      id: '71',
      name: 'Ada Berg',
      email: 'ada.berg@sales.example.com',
    });
    await bench.person('archive-owner', { ownerId: '82' });
    expect(await reader.findOwner('82')).toBeNull();
    expect(await reader.findOwner('12345')).toBeNull();
  });
});

describe('tasks', () => {
  const stamp = 'web/req-1/create-task';

  async function withContact(settings: SettingsInput = {}, unique?: string) {
    const here = await hubspot(settings, unique);
    const contactId = idOf(await here.writer.createContact(JANE, here.call()));
    const task = (of = stamp) => ({
      contactId,
      ownerId: '71',
      stamp: of,
      subject: 'Call Jane',
      body: 'Please call.',
      dueAt: here.bench.clock() + 86_400_000,
    });
    return { ...here, contactId, task };
  }

  it('are found by their stamp once the search knows them', async () => {
    const { bench, reader, writer, call, contactId, task } = await withContact({ searchLagMs: 30_000 });
    const id = idOf(await writer.createTask(task(), call()));

    expect(await reader.findByStamp(stamp)).toBeNull();
    bench.advance(30_001);

    expect(await reader.findByStamp(stamp)).toEqual({
      id,
      archived: false,
      completed: false,
      contactIds: [contactId],
    });
    expect(await reader.findByStamp(`${stamp}/r2`)).toBeNull();
    expect(await reader.findByStamp('web/req-2/create-task')).toBeNull();
  });

  it('are read by id, before the search knows them and after they were archived', async () => {
    const { bench, reader, writer, call, contactId, task } = await withContact({ searchLagMs: 30_000 });
    const id = idOf(await writer.createTask(task(), call()));

    expect(await reader.findTask(id)).toEqual({
      id,
      archived: false,
      completed: false,
      contactIds: [contactId],
    });
    await bench.person('archive-task', { taskId: id });
    expect(await reader.findTask(id)).toMatchObject({ id, archived: true });
    expect(await reader.findTask('999999')).toBeNull();
    expect(await reader.findTask('by hand')).toBeNull();
    expect(await reader.findById('by hand')).toBeNull();
  });

  it('that a person completed say so', async () => {
    const { bench, reader, writer, call, task } = await withContact();
    const id = idOf(await writer.createTask(task(), call()));
    bench.advance(1_000);
    await bench.person('complete-task', { taskId: id });

    expect(await reader.findByStamp(stamp)).toMatchObject({ id, completed: true });
  });

  it.each([400, 409] as const)(
    'with a unique property exist once (refused with %i) and are read at once',
    async (status) => {
      const unique = 'handoff_stamp';
      const { bench, reader, writer, call, task } = await withContact(
        { searchLagMs: 30_000, uniqueTaskProperties: [unique], uniqueConflictStatus: status },
        unique,
      );
      const id = idOf(await writer.createTask(task(), call()));

      expect(await reader.findByStamp(stamp)).toMatchObject({ id, archived: false });
      expect(await writer.createTask(task(), call())).toMatchObject({
        outcome: 'unknown',
        reason: 'already-exists',
      });
      bench.advance(1_000);
      await bench.person('archive-task', { taskId: id });
      expect(await reader.findByStamp(stamp)).toMatchObject({ id, archived: true });
    },
  );
});

describe('faults', () => {
  it.each<[object, Outcome, number]>([
    [{ kind: 'apply-then-drop' }, { outcome: 'unknown', reason: 'connection-reset' }, 1],
    [{ kind: 'drop' }, { outcome: 'unknown', reason: 'connection-reset' }, 0],
    [{ kind: 'hang' }, { outcome: 'unknown', reason: 'timeout' }, 0],
    [{ kind: 'delay', delayMs: 60_000 }, { outcome: 'unknown', reason: 'timeout' }, 1],
    [{ kind: 'slow-body', delayMs: 60_000 }, { outcome: 'unknown', reason: 'timeout' }, 1],
    [{ kind: 'garbage' }, { outcome: 'unknown', reason: 'unparsable' }, 1],
    [{ kind: 'status', status: 503 }, { outcome: 'unknown', reason: 'status-503' }, 0],
    [
      { kind: 'status', status: 429, headers: { 'retry-after': '3' } },
      { outcome: 'not-applied', reason: 'rate-limited', requestLeft: true, retryAfterMs: 3_000 },
      0,
    ],
  ])('%j is told as %j', async (fault, expected, contacts) => {
    const { bench, writer, call } = await hubspot();
    await bench.plan({ operation: 'create-contact', ...fault });

    expect(await writer.createContact(JANE, call())).toEqual(expected);

    const { contacts: made, requests } = await bench.inspect();
    expect(made).toHaveLength(contacts);
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

it('a writer that was given the reader’s key is refused, and a reader needs no more', async () => {
  const { bench, reader, call } = await hubspot();
  const wrong = hubspotWriter({
    baseUrl: bench.hubspotUrl,
    clock: bench.clock,
    token: bench.token('read'),
    timeoutMs: 5_000,
  });

  expect(await wrong.createContact(JANE, call())).toEqual({ outcome: 'refused', reason: 'permissions' });
  expect(await reader.findByStamp('web/req-1/create-task')).toBeNull();
});
