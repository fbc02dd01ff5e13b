import { expect, test } from 'vitest';
import { askedAboutTask } from './recovery-bench.ts';

test('an execution that is delivered again after its decision was used, and another was made, changes nothing', async () => {
  const bench = await askedAboutTask();
  const takesOver = () => bench.person('create-task', 'take-over', {}, 'first');
  await takesOver();
  await bench.reconcile('create-task');
  await bench.person('create-task', 'release', { notDone: true });
  await bench.reconcile('create-task');
  const before = await bench.state('create-task');

  expect(await takesOver()).toMatchObject({
    answer: { recorded: 'before', result: 'used', carriedOn: 'heard' },
  });
  expect(await bench.state('create-task')).toEqual(before);
});
