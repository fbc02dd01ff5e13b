import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AwsError } from '../../../local/aws-error.ts';
import {
  deadLetters,
  deliveries,
  fromQueue,
  messageOf,
  passVisibility,
  produce,
  queuesOf,
} from './intake.ts';
import { leadOf, ONE_OF_EACH, ROUTE, type Stack, settled, startStack, until } from './stack.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
}, 120_000);

afterAll(() => stack.engine.stop());

const bodiesOf = (queue: { messages(): { body: string }[] }) => queue.messages().map(({ body }) => body);

const oneOfEach = async (leadRequestId: string) => {
  const record = await settled(stack.ledger, leadRequestId);
  expect(record.handoff.closedAt).not.toBeNull();
  expect(await stack.destination.effects(leadOf(leadRequestId).email)).toEqual(ONE_OF_EACH);
};

const afterDeliveries = (count: number) =>
  until(`${count} batches were delivered`, () => deliveries(stack, fromQueue) >= count);

test('of a batch with one bad message only that one comes again', async () => {
  const { leads } = queuesOf(stack);
  const before = deliveries(stack, fromQueue);
  const bad = JSON.stringify(messageOf({ ...leadOf('bad'), email: 'nobody' }));
  await produce(stack, messageOf(leadOf('good-1')), bad, messageOf(leadOf('good-2')));
  await afterDeliveries(before + 1);
  expect(bodiesOf(leads)).toEqual([bad]);
  expect(leads.messages()).toMatchObject([{ receiveCount: 1 }]);

  passVisibility(leads);
  await afterDeliveries(before + 2);
  expect(leads.messages()).toMatchObject([{ body: bad, receiveCount: 2 }]);
  await oneOfEach('good-1');
  await oneOfEach('good-2');
  leads.purge();
});

test('a batch of which every message fails loses nothing', async () => {
  const { leads } = queuesOf(stack);
  const before = deliveries(stack, fromQueue);
  const refused = vi.spyOn(stack.engine.executions, 'start').mockImplementation(() => {
    throw new AwsError('ExecutionLimitExceeded', 'Too many executions are open.');
  });
  const ids = ['all-1', 'all-2', 'all-3'];
  await produce(stack, ...ids.map((id) => messageOf(leadOf(id))));
  await afterDeliveries(before + 1);
  refused.mockRestore();
  expect(leads.messages()).toMatchObject(ids.map(() => ({ receiveCount: 1 })));

  passVisibility(leads);
  for (const id of ids) await oneOfEach(id);
  await until('the queue is empty', () => leads.messages().length === 0);
});

test('the same message twice, and the same request in two messages, is one handoff', async () => {
  const { leads } = queuesOf(stack);
  const message = messageOf(leadOf('twice'));
  await produce(stack, message, message);
  await oneOfEach('twice');
  await produce(stack, message);
  await until('the queue is empty', () => leads.messages().length === 0);
  await oneOfEach('twice');
});

test('the same id with other fields is kept as a conflict, and is not delivered again', async () => {
  const { leads } = queuesOf(stack);
  await produce(stack, messageOf(leadOf('changed')));
  await settled(stack.ledger, 'changed');
  await produce(stack, messageOf({ ...leadOf('changed'), company: 'Another' }));
  await until('the queue is empty', () => leads.messages().length === 0);
  const record = await stack.ledger.record({ route: ROUTE, leadRequestId: 'changed' });
  expect(record?.conflicts).toHaveLength(1);
  await oneOfEach('changed');
});

describe('a poison message', () => {
  /** Delivers everything that is left in the queue until it has become a dead letter and is kept. */
  async function untilKept(leadRequestId: string) {
    const { leads, deadLeads } = queuesOf(stack);
    const kept = await until('it is kept in the ledger', async () => {
      passVisibility(leads);
      const under = await stack.ledger.underId({ route: ROUTE, leadRequestId });
      return under.deadLetters.find(({ waiting }) => waiting.dueAt !== waiting.since);
    });
    await until('both queues are empty', () => leads.messages().length + deadLeads.messages().length === 0);
    return kept;
  }

  test('ends with the recovery owner, with its reason and with nothing started', async () => {
    const poison = JSON.stringify(messageOf({ ...leadOf('poison'), phone: { number: '+1 555 0142' } }));
    await produce(stack, poison);
    const kept = await untilKept('poison');

    expect(kept).toMatchObject({
      reason: { code: 'invalid-lead-request', field: 'phone' },
      body: poison,
      receiveCount: 6,
      waiting: {
        action: 'dead-letter',
        kind: 'ask',
        token: null,
        why: 'dead-letter',
        who: 'robin.okafor@revops.example.com',
      },
    });
    expect(await stack.ledger.listWaiting('ask', ROUTE)).toMatchObject([
      { leadRequestId: 'poison', why: 'dead-letter' },
    ]);
    expect(await stack.ledger.record({ route: ROUTE, leadRequestId: 'poison' })).toBeNull();
    const told = stack.engine.events
      .filter(({ event }) => event['detail-type'] === 'recovery.opened')
      .map(({ event }) => event.detail as { leadRequestId: string });
    expect(told.filter(({ leadRequestId }) => leadRequestId === 'poison')).toMatchObject([
      { route: ROUTE, why: 'dead-letter', escalated: false },
    ]);
  });

  test('that names no lead request is kept under an id that is made of its own', async () => {
    const { leads } = queuesOf(stack);
    await produce(stack, 'Dear team, please call me: jane@example.com');
    const [message] = leads.messages();
    expect(message).toBeDefined();
    await until('nothing is left of it', () => {
      passVisibility(leads);
      return queuesOf(stack).leads.messages().length === 0;
    });
    const listed = await until('somebody is asked about it', async () => {
      const waiting = await stack.ledger.listWaiting('ask', ROUTE);
      return waiting.find(({ messageId }) => messageId === message?.messageId);
    });
    expect(listed.leadRequestId).toMatch(/^dead-[0-9a-f]{16}$/);
  });

  test('under the id of a handoff that runs leaves it alone', async () => {
    await produce(stack, messageOf(leadOf('both')));
    await oneOfEach('both');
    await produce(stack, messageOf({ ...leadOf('both'), unknownField: 1 }));
    const kept = await untilKept('both');
    expect(kept.reason.code).toBe('invalid-lead-request');
    await oneOfEach('both');
  });

  test('is said of nowhere but in the ledger', () => {
    const said = [fromQueue, deadLetters].flatMap((name) => stack.engine.logLines(name)).join('\n');
    const events = JSON.stringify(stack.engine.events);
    expect(said).toContain('InvalidLeadRequest');
    for (const personal of ['555 0142', 'jane@example.com', leadOf('poison').email, 'Wiśniewska']) {
      expect(said).not.toContain(personal);
      expect(events).not.toContain(personal);
    }
  });
});
