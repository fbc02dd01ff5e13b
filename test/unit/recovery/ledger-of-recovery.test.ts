import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DynamoDBLedger } from '../../../functions/adapters/dynamodb/ledger.ts';
import type { Amendment } from '../../../functions/domain/amendment.ts';
import type { Handoff, Waiting } from '../../../functions/domain/handoff.ts';
import type { Ledger } from '../../../functions/ports/ledger.ts';
import { InMemoryLedger } from '../../model/in-memory-ledger.ts';
import { TableConnection } from '../../model/table-connection.ts';
import { once, type WriteFault } from '../../model/write-faults.ts';

/** A ledger under test, and how to spoil its next write. */
interface Subject {
  readonly ledger: Ledger;
  spoil(fault: WriteFault): void;
}

let connection: TableConnection;

beforeAll(async () => {
  connection = await TableConnection.open();
});
afterAll(() => connection.close());

function onDynamoDB(): Subject {
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 2,
  });
  connection.connect(client);
  return {
    ledger: new DynamoDBLedger(client, 'ledger'),
    spoil(fault) {
      // Of two deliveries the SDK makes the second by itself.
      connection.failNext(
        'UpdateItem',
        fault === 'before' ? 'lost' : 'answer-lost',
        fault === 'met-again' ? 1 : 2,
      );
    },
  };
}

function inMemory(): Subject {
  const ledger = new InMemoryLedger();
  return {
    ledger,
    spoil(fault) {
      ledger.hooks = once(fault, () => true);
    },
  };
}

let lead = 0;

describe.each([
  ['on DynamoDB', onDynamoDB],
  ['in memory', inMemory],
])('the ledger of recovery %s', (_where, make) => {
  let subject: Subject;
  let ledger: Ledger;
  let key: { route: string; leadRequestId: string };
  let handoff: Handoff;
  let second: string;

  beforeEach(async () => {
    connection.fault = () => null;
    subject = make();
    ledger = subject.ledger;
    lead += 1;
    key = { route: 'web', leadRequestId: `inq-${lead}` };
    second = `web.inq-${lead}.2`;
    handoff = {
      ...key,
      lead: { leadRequestId: key.leadRequestId, email: 'jo@customer.example' },
      ownerId: '71',
      intentHash: 'hash',
      acceptedAt: lead,
      closedAt: null,
      execution: `web.inq-${lead}.1`,
      run: 1,
      amendments: [],
    };
    await ledger.accept(handoff);
  });

  const open = async () =>
    (await ledger.listOpen('web')).filter(({ leadRequestId }) => leadRequestId === key.leadRequestId);

  describe('the fence', () => {
    test('goes to the next run, once, however often its write is met', async () => {
      const taken = { ...handoff, run: 2, execution: second, resubmissions: [] };
      subject.spoil('met-again');
      expect(await ledger.takeFence(key, 1, second)).toEqual(taken);
      expect(await ledger.takeFence(key, 1, 'web.other.2')).toEqual(taken);

      expect(await ledger.handoff(key)).toEqual(taken);
    });

    test('keeps who asked for a run and why, once, and of those who came too late nothing', async () => {
      const robin = { execution: 'person-1', by: 'Robin', reason: 'it failed', at: 7 };
      subject.spoil('met-again');
      await ledger.takeFence(key, 1, second, robin);
      await ledger.takeFence(key, 1, second, { ...robin, by: 'Uma' });
      await ledger.takeFence(key, 2, 'web.x.3');

      expect(await ledger.handoff(key)).toMatchObject({ run: 3, resubmissions: [{ run: 2, ...robin }] });
    });

    test.each(['before', 'after'] as const)(
      'whose write is lost %s it was applied can be taken again',
      async (fault) => {
        subject.spoil(fault);
        await expect(ledger.takeFence(key, 1, second)).rejects.toMatchObject({ name: 'LedgerUnavailable' });

        expect(await ledger.takeFence(key, 1, second)).toMatchObject({ run: 2, execution: second });
      },
    );

    test('of several who take it at once one wins, and all are told who', async () => {
      const takers = ['a', 'b', 'c'].map((name) => ledger.takeFence(key, 1, `${second}${name}`));
      const standing = await Promise.all(takers);

      expect(new Set(standing.map(({ execution }) => execution)).size).toBe(1);
      expect(await ledger.handoff(key)).toMatchObject({ run: 2, execution: standing[0]?.execution });
    });

    test('of a closed handoff is taken by nobody', async () => {
      await ledger.close(key, handoff.execution, 7, 1_000);

      expect(await ledger.takeFence(key, 1, second)).toEqual({ ...handoff, closedAt: 7 });
    });

    test('is what a close asks for', async () => {
      await ledger.takeFence(key, 1, second);

      expect(await ledger.close(key, handoff.execution, 7, 1_000)).toBe(false);
      expect(await ledger.close(key, second, 8, 1_000)).toBe(true);
    });
  });

  describe('corrected fields', () => {
    const corrected = { leadRequestId: 'x', email: 'jo.lind@customer.example', phone: '+358401' };
    const amendment: Amendment = { intentHash: 'other', decisionId: 'decision-1', by: 'Tomas', at: 9 };

    beforeEach(async () => {
      await ledger.addConflict(key, { intentHash: 'other', firstSeenAt: 5, lead: corrected });
      await ledger.addConflict(key, { intentHash: 'third', firstSeenAt: 6, lead: handoff.lead });
    });

    test('take the place of the first ones, once per decision', async () => {
      subject.spoil('met-again');
      await ledger.amend(key, amendment);
      await ledger.amend(key, { ...amendment, at: 99 });

      const amended = { ...handoff, lead: corrected, amendments: [amendment] };
      expect(await ledger.handoff(key)).toEqual(amended);
    });

    test('of a later decision are kept behind those of the first, and a late repeat of that changes nothing', async () => {
      const later = { ...amendment, intentHash: 'third', decisionId: 'decision-2', at: 10 };
      await ledger.amend(key, amendment);
      await ledger.amend(key, later);
      await ledger.amend(key, amendment);

      expect(await ledger.handoff(key)).toEqual({ ...handoff, amendments: [amendment, later] });
    });

    test('of decisions made at once are all kept', async () => {
      const ids = ['a', 'b', 'c', 'd'];
      await Promise.all(ids.map((decisionId) => ledger.amend(key, { ...amendment, decisionId })));

      const { amendments = [] } = (await ledger.handoff(key)) ?? {};
      expect(amendments.map(({ decisionId }) => decisionId).sort()).toEqual(ids);
    });

    test('that never came change nothing', async () => {
      await expect(ledger.amend(key, { ...amendment, intentHash: 'never' })).rejects.toMatchObject({
        name: 'LedgerUnavailable',
      });

      expect(await ledger.handoff(key)).toEqual(handoff);
    });
  });

  describe('the list of what is open', () => {
    test('has a handoff from its acceptance to its close, with the run that it is at', async () => {
      const { leadRequestId, acceptedAt } = handoff;
      expect(await open()).toMatchObject([
        { route: 'web', leadRequestId, acceptedAt, run: 1, execution: handoff.execution },
      ]);
      await ledger.takeFence(key, 1, second);
      expect(await open()).toMatchObject([{ run: 2, execution: second }]);
      await ledger.close(key, second, 7, 1_000);

      expect(await open()).toEqual([]);
    });

    test('is of one route, oldest first, and holds nothing that waits', async () => {
      const older = { ...handoff, leadRequestId: `${key.leadRequestId}-b`, acceptedAt: 0 };
      await ledger.accept({ ...handoff, route: 'fair' });
      await ledger.accept(older);
      const waiting: Waiting = {
        action: 'handoff',
        kind: 'ask',
        token: null,
        execution: handoff.execution,
        who: 'robin@revops.example',
        why: 'execution-failed',
        since: 5,
        dueAt: null,
        asked: 0,
      };
      await ledger.putWaiting(key, waiting);

      const ids = (await ledger.listOpen('web')).map(({ leadRequestId }) => leadRequestId);
      expect(ids.filter((id) => id.startsWith(key.leadRequestId))).toEqual([
        older.leadRequestId,
        key.leadRequestId,
      ]);
      expect(await ledger.listOpen('fair')).toContainEqual(
        expect.objectContaining({ leadRequestId: key.leadRequestId, route: 'fair' }),
      );
    });
  });
});
