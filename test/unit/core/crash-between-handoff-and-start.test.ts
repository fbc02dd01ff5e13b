import { describe, expect, test } from 'vitest';
import { acceptLead } from '../../../functions/intake/accept-lead.ts';
import { WorkflowUnavailable } from '../../../functions/ports/workflow.ts';
import { Bench, KEY, LEAD } from '../../model/bench.ts';
import { InMemoryWorkflow } from '../../model/in-memory-workflow.ts';
import { once } from '../../model/write-faults.ts';

test('the handoff was written and its execution never started: the same lead request starts it', async () => {
  const bench = new Bench();
  const down = new InMemoryWorkflow();
  down.start = async () => {
    throw new WorkflowUnavailable(null);
  };
  await expect(acceptLead(LEAD, bench.intake({ workflow: down }))).rejects.toMatchObject({
    name: 'WorkflowUnavailable',
  });
  expect(bench.started).toEqual([]);

  expect(await bench.accept()).toEqual({
    leadRequestId: 'inq-1',
    execution: 'web.inq-1.1',
    status: 'repeated',
  });
  expect(bench.started).toEqual(['web.inq-1.1']);
});

describe('the write of the handoff', () => {
  test.each(['before', 'after'] as const)(
    'lost %s it was applied: nothing started, the same request goes through',
    async (fault) => {
      const bench = new Bench();
      bench.ledger.hooks = once(fault, ({ what }) => what === 'accept');
      await expect(bench.accept()).rejects.toMatchObject({ name: 'LedgerUnavailable' });
      expect(bench.started).toEqual([]);

      await bench.accept();
      expect(bench.started).toEqual(['web.inq-1.1']);
    },
  );

  test('met again by the SDK’s own retry is ours: the execution starts', async () => {
    const bench = new Bench();
    bench.ledger.hooks = once('met-again', ({ what }) => what === 'accept');
    await bench.accept();

    expect(bench.started).toEqual(['web.inq-1.1']);
  });
});

test('the same lead request again keeps the owner that was chosen first', async () => {
  const bench = new Bench({ route: { owner: { rule: 'from-request', fallbackOwnerId: '72' } } });
  await bench.accept({ ...LEAD, ownerId: '71' });
  await bench.accept({ ...LEAD, ownerId: '71' });

  expect((await bench.ledger.handoff(KEY))?.ownerId).toBe('71');
});

test('a request that names no owner gets the route’s', async () => {
  const bench = new Bench({ route: { owner: { rule: 'from-request', fallbackOwnerId: '72' } } });
  await bench.accept();

  expect((await bench.ledger.handoff(KEY))?.ownerId).toBe('72');
});

test('what is closed is not started again', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  await bench.act('create-task', 1);
  await bench.act('send-introduction', 1);
  await bench.close();

  expect(await bench.accept()).toMatchObject({ status: 'closed' });
  expect(bench.started).toEqual(['web.inq-1.1']);
});

test('a malformed lead request leaves no trace', async () => {
  const bench = new Bench();
  await expect(bench.accept({ ...LEAD, email: 'no' })).rejects.toMatchObject({ name: 'InvalidLeadRequest' });

  expect(await bench.ledger.record(KEY)).toBeNull();
});
