import { describe, expect, test } from 'vitest';
import { runAttempt } from '../../../functions/actions/attempt.ts';
import { Bench } from '../../model/bench.ts';
import { NUMBERS } from '../../model/settings.ts';
import { once, writeOf } from '../../model/write-faults.ts';

class Broken extends Error {
  override readonly name = 'Broken';
}

describe('whatever happens after the claim, the attempt returns an outcome', () => {
  test.each([
    ['an error', () => Promise.reject(new Broken('with personal data: jo@customer.example')), 'threw-Broken'],
    ['something that is no error', () => Promise.reject('jo@customer.example'), 'threw'],
    [
      'a throw before any promise',
      () => {
        throw new Broken('x');
      },
      'threw-Broken',
    ],
  ])('%s is unknown, by its name alone', async (_what, perform, reason) => {
    const bench = new Bench();
    await bench.upTo('create-task');
    const prepared = await bench.prepare('create-task', 1);

    const outcome = await runAttempt(prepared, perform, {
      ledger: bench.ledger,
      clock: bench.clock.now,
      ids: bench.ids,
      numbers: NUMBERS,
      route: bench.route,
      remainingMs: () => 15_000,
    });

    expect(outcome).toEqual({ outcome: 'unknown', reason });
    expect(await bench.state('create-task')).toMatchObject({ phase: 'unknown', reason });
  });
});

describe('the settle’s write', () => {
  test('never arrived: unknown, and a read finds what was done', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    bench.ledger.hooks = once('before', writeOf('settle'));

    expect(await bench.act('create-task', 1)).toEqual({ outcome: 'unknown', reason: 'unsettled-hubspot' });
    expect(await bench.state('create-task')).toMatchObject({ phase: 'claimed' });
    expect(await bench.reconcile('create-task')).toMatchObject({
      disposition: 'keep',
      reason: 'evidence-says-done',
    });
    expect(bench.crm.tasks).toHaveLength(1);
  });

  test('arrived and its answer was lost: unknown to the workflow, performed in the ledger', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    bench.ledger.hooks = once('after', writeOf('settle'));

    expect((await bench.act('create-task', 1)).outcome).toBe('unknown');
    expect(await bench.reconcile('create-task')).toMatchObject({ disposition: 'keep', reason: 'performed' });
  });

  test('is met again by the SDK’s own retry: performed, written once', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    bench.ledger.hooks = once('met-again', writeOf('settle'));

    expect((await bench.act('create-task', 1)).outcome).toBe('performed');
    expect(await bench.state('create-task')).toMatchObject({ version: 2, phase: 'performed' });
  });
});

describe('the worker dies', () => {
  test.each([
    ['right before its request left', 'beforeWrite', 'resume', 0],
    ['right after its request was applied', 'afterWrite', 'keep', 1],
  ] as const)('%s', async (_what, moment, disposition, tasks) => {
    const bench = new Bench();
    await bench.upTo('create-task');
    await bench.dyingAct('create-task', 1, moment);
    bench.clock.advance(85_000);

    expect(await bench.reconcile('create-task')).toMatchObject({ disposition });
    expect(bench.crm.tasks).toHaveLength(tasks);
  });

  test('after the freeze and before the claim: the frozen body is used by the next worker', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    const first = await bench.prepare('create-task', 1);
    bench.clock.advance(3_600_000);
    const second = await bench.prepare('create-task', 1);

    expect(second.operation).toEqual(first.operation);
  });

  test('between the freeze’s write and its answer: the frozen body stands', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    bench.ledger.hooks = once('after', ({ what }) => what === 'freeze');
    await expect(bench.prepare('create-task', 1)).rejects.toMatchObject({ name: 'LedgerUnavailable' });
    bench.clock.advance(60_000);

    const prepared = await bench.prepare('create-task', 1);

    expect(prepared.operation.frozenAt).toBe(bench.clock.now() - 60_000);
  });
});
