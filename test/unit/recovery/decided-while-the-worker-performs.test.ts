import { expect, test } from 'vitest';
import { KEY, RecoveryBench } from './recovery-bench.ts';

test('a stop that is decided while the worker performs came too late, says so, and is known when it is repeated', async () => {
  const bench = new RecoveryBench();
  await bench.upTo('create-task');
  const pause = bench.pauseAt('crm', 'afterWrite');
  const worker = bench.act('create-task', 1);
  await pause.reached;
  expect(await bench.person('create-task', 'stop')).toMatchObject({ answer: { recorded: 'now' } });
  pause.go();
  expect(await worker).toMatchObject({ outcome: 'performed' });
  await bench.act('send-introduction', 1);
  expect(await bench.close()).toEqual({ closed: true });

  const record = await bench.ledger.record(KEY);
  const task = record?.actions.find(({ action }) => action === 'create-task');
  expect(task).toMatchObject({ phase: 'performed', decision: null, lastDecision: { result: 'too-late' } });
  expect(await bench.person('create-task', 'stop')).toMatchObject({
    answer: { recorded: 'before', result: 'too-late', carriedOn: 'heard' },
  });
});
