import { expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';

const DAY = 86_400_000;

/** Turns of the group while the attempt is never claimed: what reconcile says, with the seconds it waits. */
async function turns(bench: Bench, action: 'create-task' | 'send-introduction', count: number) {
  const seen: string[] = [];
  for (let turn = 0; turn < count; turn++) {
    const { disposition, waitSeconds } = await bench.reconcile(action, { error: 'Held', turns: turn });
    seen.push(disposition === 'wait' ? `wait ${waitSeconds}` : disposition);
    if (disposition === 'wait') bench.clock.advance(waitSeconds * 1000);
  }
  return seen;
}

test('an action that is let go and never claimed waits before every turn, and longer each time', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');

  const seen = await turns(bench, 'create-task', 8);

  expect(seen).toEqual(['wait 5', 'resume', 'wait 20', 'resume', 'wait 80', 'resume', 'wait 320', 'resume']);
});

test('a granted attempt that is never claimed waits before every turn, too', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');
  bench.crm.wire.plan({ kind: 'rate-limited' });
  await bench.act('create-task', 1);

  const seen = await turns(bench, 'create-task', 6);

  expect(seen).toEqual(['wait 5', 'resume', 'wait 20', 'resume', 'wait 80', 'resume']);
});

test('a send refused by quota for longer than the key is known is claimed again, not turned away for ever', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  bench.mail.wire.plan({ kind: 'rate-limited', retryAfterMs: DAY });
  await bench.act('send-introduction', 1);
  bench.clock.advance(DAY);

  const answer = await bench.reconcile('send-introduction');
  const outcome = await bench.act('send-introduction', answer.attempt);

  expect(answer).toMatchObject({ disposition: 'resume', attempt: 2 });
  expect(outcome.outcome).toBe('performed');
  expect(bench.mail.sent).toHaveLength(1);
});

test('after a quota refusal the key window counts from the attempt that was sent', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  bench.mail.wire.plan({ kind: 'rate-limited', retryAfterMs: DAY }, { kind: 'answer-lost' });
  await bench.act('send-introduction', 1);
  bench.clock.advance(DAY);
  await bench.reconcile('send-introduction');
  await bench.act('send-introduction', 2);
  bench.mail.wire.unreadable = true;
  bench.clock.advance(60_000);

  const answer = await bench.reconcile('send-introduction');
  const outcome = await bench.act('send-introduction', 3);

  expect(answer).toMatchObject({ disposition: 'resume', reason: 'same-key', attempt: 3 });
  expect(outcome.outcome).toBe('performed');
  expect(bench.mail.sent).toHaveLength(1);
});
