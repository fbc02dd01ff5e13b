import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DynamoDBLedger } from '../../../functions/adapters/dynamodb/ledger.ts';
import { openAction } from '../../../functions/domain/action-state.ts';
import type { Handoff, Waiting } from '../../../functions/domain/handoff.ts';
import type { Operation } from '../../../functions/domain/operation.ts';
import { Rejected } from '../../../functions/domain/transition.ts';
import type { Ledger } from '../../../functions/ports/ledger.ts';
import { InMemoryLedger } from '../../model/in-memory-ledger.ts';
import { TableConnection } from '../../model/table-connection.ts';
import type { WriteFault } from '../../model/write-faults.ts';
import {
  claimEvent,
  decisionOf,
  grantChange,
  OUTCOMES,
  reconcileEvent,
  settleEvent,
} from '../domain/states.ts';

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
  const isWrite = (operation: string) => ['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation);
  return {
    ledger: new DynamoDBLedger(client, 'ledger'),
    spoil(fault) {
      // Of two deliveries the SDK makes the second by itself.
      let left = fault === 'met-again' ? 1 : 2;
      connection.fault = ({ operation }) => {
        if (left === 0 || !isWrite(operation)) return null;
        left -= 1;
        return fault === 'before' ? 'lost' : 'answer-lost';
      };
    },
  };
}

function inMemory(): Subject {
  const ledger = new InMemoryLedger();
  return {
    ledger,
    spoil(fault) {
      let used = false;
      ledger.hooks = {
        fault: () => {
          if (used) return null;
          used = true;
          return fault;
        },
      };
    },
  };
}

let lead = 0;

describe.each([
  ['on DynamoDB', onDynamoDB],
  ['in memory', inMemory],
])('the ledger %s', (_where, make) => {
  let subject: Subject;
  let ledger: Ledger;
  let key: { route: string; leadRequestId: string };
  let handoff: Handoff;

  beforeEach(() => {
    connection.fault = () => null;
    subject = make();
    ledger = subject.ledger;
    lead += 1;
    key = { route: 'web', leadRequestId: `inq-${lead}` };
    handoff = {
      ...key,
      lead: {
        leadRequestId: key.leadRequestId,
        email: 'jo@customer.example',
        message: '',
      } as Handoff['lead'],
      ownerId: '71',
      intentHash: 'hash',
      acceptedAt: 1,
      closedAt: null,
      execution: `web.inq-${lead}.1`,
      run: 1,
      amendments: [],
    };
  });

  const state = () => ledger.action(key, 'create-task');

  /** Every event in the order of a life, with the state it leads to. */
  const life = [
    ['claim', async () => claimEvent(1)],
    ['settle', async () => settleEvent(1, OUTCOMES.unknown)],
    ['decide', async () => ({ type: 'decide', decision: decisionOf('resume') }) as const],
    [
      'reconcile',
      async () =>
        reconcileEvent(await state(), grantChange(2, { decisionId: 'd' }), { decisionConsumed: true }),
    ],
  ] as const;

  test.each(life.map(([name], step) => [name, step] as const))(
    'a %s that meets itself is one write, with the state that it made',
    async (_name, step) => {
      for (const [, event] of life.slice(0, step)) await ledger.apply(key, await event(), await state());
      const event = await (life[step]?.[1] ?? life[0][1])();
      const before = await state();
      subject.spoil('met-again');

      const result = await ledger.apply(key, event, before);

      expect(result).toEqual(await state());
      expect(result).toMatchObject({ version: step + 1 });
    },
  );

  test('what it keeps comes back as it was, null and empty texts included', async () => {
    for (const [, event] of life) await ledger.apply(key, await event(), await state());
    const memory = new InMemoryLedger();
    let expected = openAction('create-task');
    for (const [name, event] of life) {
      const made =
        name === 'reconcile'
          ? reconcileEvent(expected, grantChange(2, { decisionId: 'd' }), { decisionConsumed: true })
          : await event();
      expected = (await memory.apply(key, made, expected)) as typeof expected;
    }

    expect(await state()).toEqual(expected);
  });

  test('a write that failed leaves nothing; one whose answer was lost is there', async () => {
    subject.spoil('before');
    await expect(ledger.apply(key, claimEvent(1), await state())).rejects.toMatchObject({
      name: 'LedgerUnavailable',
    });
    expect(await state()).toMatchObject({ version: 0 });
    subject.spoil('after');
    await expect(ledger.apply(key, claimEvent(1), await state())).rejects.toMatchObject({
      name: 'LedgerUnavailable',
    });

    expect(await state()).toMatchObject({ version: 1, claim: { id: 'claim-1' } });
  });

  test('of two claims one stands, and the other is judged on what is there', async () => {
    const seen = await state();
    const results = await Promise.all(['a', 'b'].map((id) => ledger.apply(key, claimEvent(1, id), seen)));

    expect(results.filter((result) => result instanceof Rejected)).toEqual([new Rejected('already-claimed')]);
    expect((await state()).version).toBe(1);
  });

  test('a rejection on an old state is thought over on the new one', async () => {
    const old = await state();
    await ledger.apply(key, claimEvent(1), old);
    await ledger.apply(key, settleEvent(1, OUTCOMES['not-applied']), await state());
    const settled = await state();
    await ledger.apply(key, reconcileEvent(settled, grantChange(2)), settled);

    expect(await ledger.apply(key, claimEvent(2), old)).toMatchObject({ phase: 'claimed', attempt: 2 });
  });

  test('a handoff is written once, and stands', async () => {
    subject.spoil('met-again');
    const first = await ledger.accept(handoff);
    const second = await ledger.accept({ ...handoff, ownerId: '72', intentHash: 'other' });

    expect(first.handoff).toEqual(handoff);
    expect(second).toEqual({ accepted: false, handoff });
    expect(await ledger.handoff(key)).toEqual(handoff);
  });

  test('a frozen operation is written once, and stands', async () => {
    const operation = {
      action: 'create-task',
      revision: 1,
      identity: 'web/inq/create-task',
      body: {
        contactId: '501',
        ownerId: null,
        stamp: 's',
        subject: '',
        body: 'x',
        dueAt: 1_767_614_400_123.5,
      },
      bodyHash: 'h',
      frozenAt: 5,
    } as Operation;
    subject.spoil('met-again');

    expect(await ledger.freeze(key, operation)).toEqual(operation);
    expect(await ledger.freeze(key, { ...operation, bodyHash: 'other', frozenAt: 9 })).toEqual(operation);
    expect(await ledger.operation(key, 'create-task', 1)).toEqual(operation);
    expect(await ledger.operation(key, 'create-task', 2)).toBeNull();
  });

  test('a conflict is written once', async () => {
    await ledger.accept(handoff);
    subject.spoil('met-again');
    const conflict = { intentHash: 'other', firstSeenAt: 5, lead: handoff.lead };
    await ledger.addConflict(key, conflict);
    await ledger.addConflict(key, { ...conflict, firstSeenAt: 9 });

    expect((await ledger.record(key))?.conflicts).toEqual([conflict]);
  });

  test('a close that meets itself is a close; it is for the current execution alone', async () => {
    await ledger.accept(handoff);
    expect(await ledger.close(key, 'web.other.1', 7, 1_000)).toBe(false);
    subject.spoil('met-again');

    expect(await ledger.close(key, handoff.execution, 7, 1_000)).toBe(true);
    expect(await ledger.close(key, handoff.execution, 9, 2_000)).toBe(true);
    expect((await ledger.handoff(key))?.closedAt).toBe(7);
  });

  test('waiting work is listed by route or destination, oldest first, and goes', async () => {
    const other = { route: 'web', leadRequestId: `${key.leadRequestId}b` };
    const waiting = (since: number, more: Partial<Waiting> = {}): Waiting => ({
      action: 'create-task',
      kind: 'ask',
      token: 't',
      execution: 'e',
      who: 'robin@revops.example',
      why: 'x',
      since,
      dueAt: null,
      asked: 0,
      ...more,
    });
    const mine = async (kind: 'ask' | 'park', partition: string) =>
      (await ledger.listWaiting(kind, partition)).filter(({ leadRequestId }) =>
        leadRequestId.startsWith(key.leadRequestId),
      );
    await ledger.putWaiting(key, waiting(9));
    subject.spoil('met-again');
    await ledger.putWaiting(other, waiting(5));
    await ledger.putWaiting(other, waiting(6, { kind: 'park', who: 'resend', action: 'send-introduction' }));

    expect((await mine('ask', 'web')).map(({ since }) => since)).toEqual([5, 9]);
    expect(await mine('park', 'resend')).toEqual([
      { ...other, ...waiting(6, { kind: 'park', who: 'resend', action: 'send-introduction' }) },
    ]);
    subject.spoil('met-again');
    await ledger.removeWaiting(key, 'create-task');
    await ledger.removeWaiting(key, 'create-task');
    expect(await mine('ask', 'web')).toHaveLength(1);
  });

  test('nothing is open, paused or known before it was written', async () => {
    expect(await ledger.handoff(key)).toBeNull();
    expect(await ledger.record(key)).toBeNull();
    expect(await state()).toEqual(openAction('create-task'));
    expect(await ledger.gates('web', 'hubspot')).toEqual({ routePaused: false, breakerOpen: false });
  });
});
