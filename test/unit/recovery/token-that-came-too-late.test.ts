import { expect, test } from 'vitest';
import { askedAboutTask, PAST_GRACE, type RecoveryBench, RUN_1, RUN_2 } from './recovery-bench.ts';

/**
 * The workflow lost sight of the ask function and asked again; then the first one wrote its dead token over the living one, behind
 * which the workflow waits.
 */
async function deadTokenOnTheList(): Promise<RecoveryBench> {
  const bench = await askedAboutTask();
  await bench.enters('ask', 'create-task', { token: 'living', asked: 3 });
  await bench.enters('ask', 'create-task', { token: 'dead', asked: 3 });
  bench.workflow.tokens.delete('dead');
  return bench;
}

test('a decision behind a dead token, while the workflow waits behind another one, comes to the next run', async () => {
  const bench = await deadTokenOnTheList();
  const answer = await bench.person('create-task', 'resume');
  bench.clock.advance(PAST_GRACE);
  await bench.sweep();

  expect(answer).toMatchObject({ answer: { carriedOn: 'by-itself' } });
  expect(bench.running()).toEqual([RUN_2]);
});

test('and is left to the run that has just been told', async () => {
  const bench = await deadTokenOnTheList();
  await bench.person('create-task', 'resume');
  await bench.sweep();

  expect(bench.running()).toEqual([RUN_1]);
});
