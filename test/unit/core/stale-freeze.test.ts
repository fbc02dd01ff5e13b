import { expect, test } from 'vitest';
import { Bench } from '../../model/bench.ts';

test('what was frozen for an attempt that was never claimed is not sent after the next decision', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  bench.mail.wire.plan({ kind: 'refused', reason: 'sender-not-verified' });
  await bench.act('send-introduction', 1);
  bench.clock.advance(100_000);
  const amend = async (address: string) => {
    await bench.reconcile('send-introduction');
    bench.crm.owners.set('71', { id: '71', name: 'Ada Park', email: address });
    await bench.decide('send-introduction', 'amend');
    expect(await bench.reconcile('send-introduction')).toMatchObject({ disposition: 'resume', attempt: 2 });
  };
  await amend('ada@wrong-again.example.com');
  await bench.prepare('send-introduction', 2);
  bench.clock.advance(700_000);
  await expect(bench.act('send-introduction', 2)).rejects.toThrow('grant-expired');

  await amend('ada@verified.example.com');
  await bench.act('send-introduction', 2);

  expect(bench.mail.sent.map(({ message }) => message.from)).toEqual(['Ada Park <ada@verified.example.com>']);
});

test('the body that was claimed last is the one that is looked for, until the next is claimed', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  bench.mail.wire.plan({ kind: 'answer-lost' });
  await bench.act('send-introduction', 1);
  const hidden = bench.mail.sent.splice(0);
  bench.crm.personSetsOwner('501', '72');
  bench.clock.advance(85_000);
  await bench.reconcile('send-introduction');
  await bench.decide('send-introduction', 'send-as-current-owner');
  expect(await bench.reconcile('send-introduction')).toMatchObject({ disposition: 'resume', attempt: 2 });
  bench.mail.sent.push(...hidden);

  expect(await bench.reconcile('send-introduction')).toMatchObject({ disposition: 'keep' });
  await expect(bench.act('send-introduction', 2)).resolves.toMatchObject({ outcome: 'performed' });
  expect(bench.mail.sent).toHaveLength(1);
});
