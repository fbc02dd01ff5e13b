import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ACTIONS } from '../../../functions/domain/action.ts';
import { Held, NoGrant } from '../../../functions/domain/errors.ts';
import type { Outcome } from '../../../functions/domain/outcome.ts';
import type { TableConnection } from '../../model/table-connection.ts';
import { OUTCOMES } from '../domain/states.ts';
import { connectTables, decorated } from './powertools-bench.ts';

let connection: TableConnection;
let lead = 0;
let input: { idempotencyKey: string; intentHash: string };
const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});

beforeAll(async () => {
  connection = await connectTables();
});
afterAll(() => connection.close());
beforeEach(() => {
  lead += 1;
  input = { idempotencyKey: `web/inq-${lead}#1`, intentHash: 'hash' };
  connection.fault = () => null;
  connection.seen.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  expect(warn).not.toHaveBeenCalled();
});

/** A run that counts how often it is called. */
function counted(result: () => Promise<Outcome>) {
  return vi.fn(result);
}
const returns = (outcome: Outcome) => counted(async () => outcome);

describe('an outcome that was returned', () => {
  test.each(Object.entries(OUTCOMES))('%s is given again, and nothing runs', async (_name, outcome) => {
    const attempt = decorated('create-task');
    const first = returns(outcome);
    const second = returns({ outcome: 'unknown', reason: 'ran-again' });

    expect(await attempt(input, first)).toEqual(outcome);
    expect(await attempt(input, second)).toEqual(outcome);
    expect(second).not.toHaveBeenCalled();
  });

  test('is remembered by a function that was started anew', async () => {
    await decorated('create-task')(input, returns(OUTCOMES.performed));
    const second = returns(OUTCOMES.unknown);

    expect(await decorated('create-task')(input, second)).toEqual(OUTCOMES.performed);
    expect(second).not.toHaveBeenCalled();
  });

  test('of one attempt is not that of the next', async () => {
    const attempt = decorated('create-task');
    await attempt(input, returns(OUTCOMES.unknown));
    const next = returns(OUTCOMES.performed);

    await attempt({ ...input, idempotencyKey: `web/inq-${lead}#2` }, next);
    expect(next).toHaveBeenCalledOnce();
  });

  test('of one action is not that of another', async () => {
    for (const action of ACTIONS) {
      const run = returns(OUTCOMES.performed);
      await decorated(action)(input, run);
      expect(run).toHaveBeenCalledOnce();
    }
    const ids = connection.seen
      .filter(({ operation }) => operation === 'PutItem')
      .map(({ body }) => (body.Item as { id: { S: string } }).id.S.split('#')[0]);
    expect(ids).toEqual(['upsert-contact', 'assign-owner', 'create-task', 'send-introduction']);
  });

  test('is kept for 380 days: a year of execution and 14 days of redrive', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 5) });
    await decorated('create-task')(input, returns(OUTCOMES.performed));

    const update = connection.seen.find(({ operation }) => operation === 'UpdateItem');
    expect(update?.body.ExpressionAttributeValues).toMatchObject({
      ':expiry': { N: String(Date.UTC(2026, 0, 5) / 1000 + 380 * 86_400) },
    });
  });
});

describe('a refusal before the claim', () => {
  test('is not remembered: the same attempt runs when it is delivered again', async () => {
    const attempt = decorated('create-task');
    await expect(
      attempt(
        input,
        counted(() => Promise.reject(new Held('too-little-time'))),
      ),
    ).rejects.toMatchObject({
      name: 'Held',
    });
    const second = returns(OUTCOMES.performed);

    expect(await attempt(input, second)).toEqual(OUTCOMES.performed);
    expect(second).toHaveBeenCalledOnce();
  });

  test('is not masked by a record that could not be deleted', async () => {
    connection.failNext('DeleteItem', 'down');

    await expect(
      decorated('create-task')(
        input,
        counted(() => Promise.reject(new NoGrant(2, 'no-grant'))),
      ),
    ).rejects.toMatchObject({ name: 'NoGrant' });
  });
});

describe('Powertools fails', () => {
  test.each(Object.entries(OUTCOMES))(
    'to save %s after the effect: our outcome stands',
    async (_name, outcome) => {
      connection.failNext('UpdateItem', 'down');

      expect(await decorated('create-task')(input, returns(outcome))).toEqual(outcome);
    },
  );

  test('to read or write its record before the run: nothing runs', async () => {
    connection.failNext('PutItem', 'down');
    const run = returns(OUTCOMES.performed);

    await expect(decorated('create-task')(input, run)).rejects.toMatchObject({
      name: 'IdempotencyPersistenceLayerError',
    });
    expect(run).not.toHaveBeenCalled();
  });

  test('to recognise its own write that the SDK repeats: nothing runs', async () => {
    connection.failNext('PutItem', 'answer-lost');
    const run = returns(OUTCOMES.performed);

    await expect(decorated('create-task')(input, run)).rejects.toMatchObject({
      name: 'IdempotencyAlreadyInProgressError',
    });
    expect(run).not.toHaveBeenCalled();
  });
});

test('a lead that changed under its id is refused, and gets no result', async () => {
  const attempt = decorated('create-task');
  await attempt(input, returns(OUTCOMES.performed));
  const run = returns(OUTCOMES.performed);

  await expect(attempt({ ...input, intentHash: 'other' }, run)).rejects.toMatchObject({
    name: 'IdempotencyValidationError',
  });
  expect(run).not.toHaveBeenCalled();
});

test.each([undefined, '', null])('a key of %j is refused before anything runs', async (idempotencyKey) => {
  const run = returns(OUTCOMES.performed);
  const call = decorated('create-task')({ ...input, idempotencyKey } as typeof input, run);

  await expect(call).rejects.toThrow();
  expect(run).not.toHaveBeenCalled();
});

describe('a second delivery while the first runs', () => {
  test('is refused by name', async () => {
    const attempt = decorated('create-task');
    const gate = Promise.withResolvers<Outcome>();
    const running = Promise.withResolvers<void>();
    const first = attempt(input, () => {
      running.resolve();
      return gate.promise;
    });
    await running.promise;
    const run = returns(OUTCOMES.performed);

    await expect(attempt(input, run)).rejects.toMatchObject({ name: 'IdempotencyAlreadyInProgressError' });
    gate.resolve(OUTCOMES.unknown);

    expect(run).not.toHaveBeenCalled();
    expect(await first).toEqual(OUTCOMES.unknown);
  });

  test('runs when the first was killed and its time is over: only the ledger still knows of it', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 5) });
    const attempt = decorated('create-task');
    const running = Promise.withResolvers<void>();
    void attempt(input, () => {
      running.resolve();
      return new Promise<never>(() => {});
    });
    await running.promise;
    vi.setSystemTime(Date.UTC(2026, 0, 5) + 15_001);
    const run = returns(OUTCOMES.unknown);

    expect(await attempt(input, run)).toEqual(OUTCOMES.unknown);
    expect(run).toHaveBeenCalledOnce();
  });
});
