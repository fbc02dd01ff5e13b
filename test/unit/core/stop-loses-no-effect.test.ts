import { describe, expect, test } from 'vitest';
import { Bench, KEY } from '../../model/bench.ts';

describe('a person stops an action whose request is on its way', () => {
  test('it lands within the bound: stopped-but-done, with the record', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    bench.crm.wire.plan({ kind: 'lands-late', afterMs: 60_000 });
    await bench.act('create-task', 1);
    await bench.decide('create-task', 'stop');

    const early = await bench.reconcile('create-task');
    bench.clock.advance(85_000);
    const later = await bench.reconcile('create-task');

    expect(early).toMatchObject({ disposition: 'wait' });
    expect(later).toMatchObject({ disposition: 'stop', reason: 'stopped-by-person' });
    expect(await bench.state('create-task')).toMatchObject({
      phase: 'stopped-but-done',
      evidence: { recordId: '9001' },
    });
  });

  test('it never lands: stopped, and no earlier than that is certain', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    bench.crm.wire.plan({ kind: 'lost' });
    await bench.act('create-task', 1);
    await bench.decide('create-task', 'stop');
    await bench.reconcile('create-task');
    bench.clock.advance(84_999);
    const before = await bench.reconcile('create-task');
    bench.clock.advance(1);
    const at = await bench.reconcile('create-task');

    expect(before).toMatchObject({ disposition: 'wait', reason: 'too-early' });
    expect(at).toMatchObject({ disposition: 'stop' });
    expect(await bench.state('create-task')).toMatchObject({ phase: 'stopped' });
  });

  test('nobody can read it: stopped-unclear after the read limit', async () => {
    const bench = new Bench();
    await bench.upTo('create-task');
    bench.crm.wire.plan({ kind: 'lost' });
    await bench.act('create-task', 1);
    await bench.decide('create-task', 'stop');
    bench.clock.advance(85_000);
    bench.crm.wire.unreadable = true;

    const answers = [];
    for (let read = 0; read < 3; read++) answers.push((await bench.reconcile('create-task')).disposition);

    expect(answers).toEqual(['wait', 'wait', 'stop']);
    expect(await bench.state('create-task')).toMatchObject({ phase: 'stopped-unclear' });
  });

  test('a person archived what it made: it was made', async () => {
    const bench = new Bench({
      uniqueTasks: true,
      contracts: { 'create-task': { ...new Bench().contracts['upsert-contact'] } },
    });
    await bench.upTo('create-task');
    bench.crm.wire.plan({ kind: 'answer-lost' });
    await bench.act('create-task', 1);
    const [task] = bench.crm.tasks;
    if (task) task.archived = true;
    await bench.decide('create-task', 'stop');

    await bench.reconcile('create-task');

    expect(await bench.state('create-task')).toMatchObject({
      phase: 'stopped-but-done',
      evidence: { recordId: '9001' },
    });
  });
});

test('a worker that reports success after the stop was final turns it into stopped-but-done', async () => {
  const bench = new Bench();
  await bench.upTo('create-task');
  const point = bench.pauseAt('crm', 'afterWrite');
  const attempt = bench.act('create-task', 1);
  await point.reached;
  await bench.decide('create-task', 'stop');
  bench.clock.advance(200_000);
  const hidden = bench.crm.tasks.splice(0);
  await bench.reconcile('create-task');
  expect(await bench.state('create-task')).toMatchObject({ phase: 'stopped' });
  bench.crm.tasks.push(...hidden);

  point.go();
  await attempt;

  expect(await bench.state('create-task')).toMatchObject({ phase: 'stopped-but-done' });
});

test('what is closed waits for nobody, whatever a function left behind', async () => {
  const bench = new Bench();
  await bench.upTo('send-introduction');
  await bench.ask('create-task');
  await bench.act('create-task', 1);
  await bench.act('send-introduction', 1);

  await bench.close();

  expect(await bench.ledger.listWaiting('ask', 'web')).toEqual([]);
  expect((await bench.ledger.record(KEY))?.handoff.closedAt).not.toBeNull();
});
