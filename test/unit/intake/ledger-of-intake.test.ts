import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DynamoDBLedger } from '../../../functions/adapters/dynamodb/ledger.ts';
import type { DeadLetter } from '../../../functions/domain/dead-letter.ts';
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
      ledger.hooks = once(fault, () => true);
    },
  };
}

const TIMES = { windowMs: 100, expiresAt: 1_000_000 };
let lead = 0;

describe.each([
  ['on DynamoDB', onDynamoDB],
  ['in memory', inMemory],
])('the ledger of intake %s', (_where, make) => {
  let subject: Subject;
  let ledger: Ledger;
  let key: { route: string; leadRequestId: string };
  let person: string;
  let handoff: Handoff;

  beforeEach(() => {
    connection.fault = () => null;
    subject = make();
    ledger = subject.ledger;
    lead += 1;
    key = { route: 'web', leadRequestId: `inq-${lead}` };
    person = `person-${lead}`;
    handoff = {
      ...key,
      lead: { leadRequestId: key.leadRequestId, email: 'jo@customer.example' } as Handoff['lead'],
      ownerId: '71',
      intentHash: 'hash',
      acceptedAt: 1,
      closedAt: null,
      execution: `web.inq-${lead}.1`,
      run: 1,
      amendments: [],
    };
  });

  const waitingOf = (messageId: string, more: Partial<Waiting> = {}): Waiting => ({
    action: 'dead-letter',
    kind: 'ask',
    token: null,
    execution: 'e',
    who: 'robin@revops.example',
    why: 'dead-letter',
    since: 5,
    dueAt: 5,
    asked: 0,
    messageId,
    ...more,
  });
  const letterOf = (messageId: string): DeadLetter => ({
    messageId,
    reason: { code: 'not-json', field: null },
    receivedAt: 3,
    receiveCount: 6,
    body: '',
    truncated: false,
    waiting: waitingOf(messageId),
    resolution: null,
  });
  const asked = async () =>
    (await ledger.listWaiting('ask', 'web')).filter(
      ({ leadRequestId }) => leadRequestId === key.leadRequestId,
    );

  test('an id of which nothing is known', async () => {
    expect(await ledger.underId(key)).toEqual({
      handoff: null,
      waiting: [],
      conflicts: [],
      deadLetters: [],
    });
  });

  test('what stands under an id, with a handoff and without', async () => {
    const conflict = { intentHash: 'other', firstSeenAt: 5, lead: handoff.lead };
    await ledger.addConflict(key, conflict);
    await ledger.addDeadLetter(key, letterOf('m-1'));
    expect(await ledger.record(key)).toBeNull();
    expect(await ledger.underId(key)).toEqual({
      handoff: null,
      waiting: [],
      conflicts: [conflict],
      deadLetters: [letterOf('m-1')],
    });
    await ledger.accept(handoff);
    const { messageId: _, ...waiting } = waitingOf('', { action: 'handoff' });
    await ledger.putWaiting(key, waiting);

    expect(await ledger.underId(key)).toMatchObject({ handoff, waiting: [waiting] });
    // A dead letter is no question about the handoff.
    expect((await ledger.record(key))?.waiting).toEqual([waiting]);
  });

  test('tickets count up, for each route by itself', async () => {
    const route = `rotation-${lead}`;
    expect([await ledger.drawTicket(route), await ledger.drawTicket(route)]).toEqual([1, 2]);
    expect(await ledger.drawTicket(`other-${lead}`)).toBe(1);
    const at = await Promise.all(Array.from({ length: 20 }, () => ledger.drawTicket(route)));
    expect(new Set(at).size).toBe(20);
  });

  test('a ticket whose answer is lost is drawn by nobody else', async () => {
    const route = `rotation-${lead}`;
    subject.spoil('after');
    await expect(ledger.drawTicket(route)).rejects.toMatchObject({ name: 'LedgerUnavailable' });

    expect(await ledger.drawTicket(route)).toBeGreaterThan(1);
  });

  test('of two handoffs of a person the first one stands, however often they ask', async () => {
    const other = { route: 'web', leadRequestId: 'other' };
    const mine = { leadRequestId: key.leadRequestId, acceptedAt: 1_000 };
    subject.spoil('met-again');
    expect(await ledger.claimPerson(person, key, 1_000, TIMES)).toEqual(mine);
    expect(await ledger.claimPerson(person, other, 1_099, TIMES)).toEqual(mine);
    expect(await ledger.claimPerson(person, other, 900, TIMES)).toEqual(mine);
    expect(await ledger.claimPerson(person, key, 1_000, TIMES)).toEqual(mine);
    expect(await ledger.claimPerson(person, other, 1_100, TIMES)).toEqual({
      leadRequestId: 'other',
      acceptedAt: 1_100,
    });
    expect(await ledger.claimPerson(person, key, 1_000, TIMES)).toMatchObject({ leadRequestId: 'other' });
  });

  test('at once, one of them stands for all', async () => {
    const ids = Array.from({ length: 8 }, (_, i) => `at-once-${i}`);
    const standing = await Promise.all(
      ids.map((leadRequestId) => ledger.claimPerson(person, { route: 'web', leadRequestId }, 1_000, TIMES)),
    );

    expect(new Set(standing.map(({ leadRequestId }) => leadRequestId)).size).toBe(1);
  });

  test('a person’s last handoff is read, and let go by itself alone', async () => {
    const other = { route: 'web', leadRequestId: 'other' };
    expect(await ledger.personsHandoff(person, 'web')).toBeNull();
    await ledger.claimPerson(person, key, 1_000, TIMES);
    expect(await ledger.personsHandoff(person, 'web')).toMatchObject({
      leadRequestId: key.leadRequestId,
      acceptedAt: 1_000,
    });
    expect(await ledger.personsHandoff(person, 'another')).toBeNull();

    await ledger.releasePerson(person, other);
    expect(await ledger.claimPerson(person, other, 1_001, TIMES)).toMatchObject({
      leadRequestId: key.leadRequestId,
    });
    await ledger.releasePerson(person, key);
    expect(await ledger.claimPerson(person, other, 1_001, TIMES)).toMatchObject({
      leadRequestId: other.leadRequestId,
    });
    await ledger.releasePerson(person, key);
    expect(await ledger.personsHandoff(person, 'web')).toMatchObject({ leadRequestId: other.leadRequestId });
  });

  test('a person is somebody else on another route', async () => {
    await ledger.claimPerson(person, key, 1_000, TIMES);
    const there = { route: 'fair', leadRequestId: 'x' };

    expect(await ledger.claimPerson(person, there, 1_000, TIMES)).toMatchObject({ leadRequestId: 'x' });
  });

  test.each(['before', 'after'] as const)(
    'a claim lost %s it was applied can be made again',
    async (fault) => {
      subject.spoil(fault);
      await expect(ledger.claimPerson(person, key, 1_000, TIMES)).rejects.toMatchObject({
        name: 'LedgerUnavailable',
      });

      expect(await ledger.claimPerson(person, key, 1_000, TIMES)).toMatchObject({ acceptedAt: 1_000 });
    },
  );

  test('a handoff that is joined is closed, points to the other one and leaves the open ones; once', async () => {
    await ledger.accept(handoff);
    subject.spoil('met-again');
    const joined = { ...handoff, closedAt: 7, joinedTo: 'other' };
    expect(await ledger.join(key, 1, 'other', { at: 7, expiresAt: 1_000 })).toEqual(joined);
    expect(await ledger.join(key, 1, 'a-third', { at: 9, expiresAt: 2_000 })).toEqual(joined);

    expect(await ledger.handoff(key)).toEqual(joined);
    const open = await ledger.listOpen('web');
    expect(open.filter(({ leadRequestId }) => leadRequestId === key.leadRequestId)).toEqual([]);
    expect(await ledger.takeFence(key, 1, 'web.x.2')).toEqual(joined);
  });

  test('one that goes on as its next run, or is closed, is not joined', async () => {
    await ledger.accept(handoff);
    await ledger.takeFence(key, 1, 'web.x.2');
    const standing = await ledger.join(key, 1, 'other', { at: 7, expiresAt: 1_000 });
    expect(standing).toMatchObject({ run: 2, closedAt: null });
    expect(standing.joinedTo).toBeUndefined();
    await ledger.close(key, 'web.x.2', 8, 1_000);

    expect((await ledger.join(key, 2, 'other', { at: 9, expiresAt: 1_000 })).joinedTo).toBeUndefined();
  });

  test('a dead letter is written once, and waits by itself', async () => {
    subject.spoil('met-again');
    expect(await ledger.addDeadLetter(key, letterOf('m-1'))).toEqual(letterOf('m-1'));
    expect(await ledger.addDeadLetter(key, { ...letterOf('m-1'), receiveCount: 9 })).toEqual(letterOf('m-1'));
    const later = waitingOf('m-2', { since: 6 });
    await ledger.addDeadLetter(key, { ...letterOf('m-2'), waiting: later });

    expect(await asked()).toEqual([
      { ...key, ...waitingOf('m-1') },
      { ...key, ...later },
    ]);
  });

  test('what is asked about it changes as long as it waits, and is never made anew', async () => {
    await ledger.addDeadLetter(key, letterOf('m-1'));
    const told = waitingOf('m-1', { dueAt: 99, asked: 1 });
    await ledger.putWaiting(key, told);
    await ledger.putWaiting(key, waitingOf('m-2'));
    expect(await asked()).toEqual([{ ...key, ...told }]);

    const resolution = { kind: 'dismissed', by: 'Tomas', reason: 'a test', at: 50 } as const;
    subject.spoil('met-again');
    await ledger.resolveDeadLetter(key, 'm-1', resolution, 1_000);
    await ledger.resolveDeadLetter(key, 'm-1', { ...resolution, by: 'Mia' }, 1_000);
    await ledger.resolveDeadLetter(key, 'm-3', resolution, 1_000);
    await ledger.putWaiting(key, waitingOf('m-1'));

    expect(await asked()).toEqual([]);
    expect((await ledger.underId(key)).deadLetters).toEqual([
      { ...letterOf('m-1'), waiting: told, resolution },
    ]);
  });

  test('nobody else ends the investigation of a dead letter', async () => {
    await ledger.accept(handoff);
    await ledger.addDeadLetter(key, letterOf('m-1'));
    await ledger.removeWaiting(key, 'dead-letter');
    await ledger.removeWaiting(key, 'handoff');
    await ledger.close(key, handoff.execution, 7, 1_000);

    expect(await asked()).toEqual([{ ...key, ...waitingOf('m-1') }]);
  });
});

test('what expires in the table: a person, a joined handoff, a dead letter that is over, and no other dead letter', async () => {
  const { ledger } = onDynamoDB();
  const key = { route: 'web', leadRequestId: 'expiring' };
  const handoff: Handoff = {
    ...key,
    lead: { leadRequestId: 'expiring', email: 'jo@customer.example' } as Handoff['lead'],
    ownerId: '71',
    intentHash: 'hash',
    acceptedAt: 1,
    closedAt: null,
    execution: 'web.expiring.1',
    run: 1,
    amendments: [],
  };
  const letter = (messageId: string): DeadLetter => ({
    messageId,
    reason: { code: 'not-json', field: null },
    receivedAt: 3,
    receiveCount: 6,
    body: 'x',
    truncated: false,
    waiting: {
      action: 'dead-letter',
      kind: 'ask',
      token: null,
      execution: 'e',
      who: 'robin',
      why: 'dead-letter',
      since: 5,
      dueAt: 5,
      asked: 0,
      messageId,
    },
    resolution: null,
  });
  connection.fault = () => null;
  connection.seen.length = 0;
  await ledger.claimPerson('expiring', key, 1_000, { windowMs: 1, expiresAt: 7_100 });
  await ledger.accept(handoff);
  const conflict = { intentHash: 'other', firstSeenAt: 1, lead: handoff.lead };
  await ledger.addConflict({ ...key, leadRequestId: 'investigated' }, conflict, 6_000);
  await ledger.addConflict(key, conflict);
  await ledger.addDeadLetter(key, letter('m-1'));
  await ledger.addDeadLetter(key, letter('m-2'));
  const resolution = { kind: 'accepted', by: 'Tomas', reason: 'x', at: 50 } as const;
  await ledger.resolveDeadLetter(key, 'm-1', resolution, 8_000);
  await ledger.join(key, 1, 'other', { at: 7, expiresAt: 9_000 });

  const text = JSON.stringify(connection.seen.map(({ body }) => body));
  // The person, and the conflict under an id that has no handoff.
  expect(text.match(/"expiresAt":\{"N":"\d+"\}/g)).toEqual([
    '"expiresAt":{"N":"8"}',
    '"expiresAt":{"N":"6"}',
  ]);
  const expiring = connection.seen
    .filter(({ operation }) => operation === 'UpdateItem')
    .map(
      ({ body }) =>
        `${(body.Key as { sk: { S: string } }).sk.S} ${JSON.stringify(body.ExpressionAttributeValues)}`,
    )
    .filter((line) => line.includes(':expiry'));
  expect(expiring.map((line) => line.replace(/ .*":expiry":\{"N":"(\d+)"\}.*/, ' $1')).sort()).toEqual([
    'CONFLICT#other 9',
    'DEAD#m-1 8',
    'HANDOFF 9',
    'HANDOFF 9',
  ]);
});
