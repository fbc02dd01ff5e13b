import type { Context } from 'aws-lambda';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { RouteSettings } from '../../../functions/domain/route.ts';
import { acceptLead } from '../../../functions/intake/accept-lead.ts';
import { LEAD } from '../../model/bench.ts';
import { NUMBERS, testRoute } from '../../model/settings.ts';
import { HOURS_4, PAST_GRACE, RecoveryBench, RUN_1, toldToAsk } from './recovery-bench.ts';

const world: { bench: RecoveryBench; routes: RouteSettings[]; emitted: unknown[] } = {
  bench: new RecoveryBench(),
  routes: [testRoute()],
  emitted: [],
};

vi.mock('../../../functions/recovery/account-ports.ts', () => ({
  accountPorts: (route: RouteSettings) => world.bench.recovery({ route }),
}));
vi.mock('../../../functions/adapters/routes-file.ts', async (original) => ({
  ...(await original<object>()),
  routesFile: () => ({ stage: 'test', numbers: NUMBERS, routes: world.routes }),
}));
vi.mock('../../../functions/adapters/metrics.ts', () => ({
  emitRouteWaits: (waits: unknown) => world.emitted.push(waits),
}));

const logged: string[] = [];
for (const level of ['info', 'warn', 'error', 'debug', 'log'] as const) {
  vi.spyOn(console, level).mockImplementation((...lines) => void logged.push(lines.map(String).join(' ')));
}
process.env.POWERTOOLS_DEV = 'true';
const { handler: decide } = await import('../../../functions/recovery/decide.ts');
const { handler: ended } = await import('../../../functions/recovery/execution-ended.ts');
const { handler: sweep } = await import('../../../functions/recovery/sweep.ts');
const { handler: ask } = await import('../../../functions/recovery/ask.ts');

/** A context with this much time; each look at the clock takes some. */
function context(leftMs = 120_000, lookMs = 0): Context {
  let left = leftMs + lookMs;
  return {
    functionName: 'sweep',
    getRemainingTimeInMillis: () => {
      left -= lookMs;
      return left;
    },
  } as Context;
}

beforeEach(() => {
  world.bench = new RecoveryBench();
  world.routes = [testRoute()];
  world.emitted.length = 0;
  logged.length = 0;
});

const REQUEST = {
  leadRequestId: 'inq-1',
  action: 'create-task',
  decision: 'confirm',
  by: 'Robin Okafor',
  reason: 'saw it in the portal',
  evidence: 'task-9001',
};

describe('decide', () => {
  test('answers for the route that its state machine is for', async () => {
    await toldToAsk(world.bench);

    expect(await decide({ route: 'web', request: REQUEST, execution: 'person-1' }, context())).toMatchObject({
      answer: { decision: 'confirm', recorded: 'now' },
    });
  });

  test('answers with a refusal that the state machine can fail with', async () => {
    const answer = await decide({ route: 'web', request: REQUEST, execution: 'person-1' }, context());

    expect(JSON.parse(JSON.stringify(answer))).toEqual({
      refused: { error: 'UnknownHandoff', message: expect.stringContaining('no handoff inq-1 on route web') },
    });
  });

  test('logs neither who decided nor why', async () => {
    await toldToAsk(world.bench);
    await decide({ route: 'web', request: REQUEST, execution: 'person-1' }, context());

    expect(logged.join('\n')).toContain('person answered');
    expect(logged.join('\n')).not.toMatch(/Robin|portal|9001/);
  });

  test('takes nothing but what its state machine sends', async () => {
    await expect(decide({ route: 'web', request: REQUEST }, context())).rejects.toMatchObject({
      name: 'InvalidEvent',
    });
    await expect(
      decide({ route: 'other', request: REQUEST, execution: 'person-1' }, context()),
    ).rejects.toMatchObject({ name: 'UnknownRoute' });
  });
});

describe('execution ended', () => {
  const event = (name: string) => ({ detail: { name, status: 'FAILED' } });

  test('asks about the handoff', async () => {
    await toldToAsk(world.bench);
    await ended(event(RUN_1), context());

    expect(await world.bench.waitingOf('handoff')).toMatchObject({ why: 'execution-failed' });
  });

  test.each(['other.inq-1.1', 'web.inq-2.1', 'by-hand'])('logs and ignores %s', async (name) => {
    await toldToAsk(world.bench);
    await ended(event(name), context());

    expect(world.bench.told).toEqual([]);
    expect(logged.join('\n')).toMatch(/"became": ?"unknown"/);
  });
});

test('ask puts the question and tells of it', async () => {
  await toldToAsk(world.bench);
  const request = { route: 'web', leadRequestId: 'inq-1', run: 1, execution: RUN_1 };
  await ask(
    { ...request, action: 'create-task', token: 'token-1', reason: 'permissions', asked: 0, attempt: 1 },
    context(),
  );

  expect(world.bench.told).toHaveLength(1);
  expect(logged.join('\n')).not.toContain('token-1');
});

describe('sweep', () => {
  test('goes through every route, and tells what waits on each', async () => {
    world.routes = [testRoute(), testRoute({ name: 'events' })];
    await toldToAsk(world.bench);
    await world.bench.ends('FAILED');
    world.bench.clock.advance(HOURS_4);
    await sweep({}, context());

    expect(world.bench.told.map(({ asked }) => asked)).toEqual([0, 1]);
    expect(world.emitted).toEqual([
      { route: 'web', waiting: 1, oldestSeconds: 14_400, parked: 0 },
      { route: 'events', waiting: 0, oldestSeconds: 0, parked: 0 },
    ]);
  });

  test('fails visibly after it has done all it could', async () => {
    world.routes = [testRoute(), testRoute({ name: 'events' })];
    await toldToAsk(world.bench);
    world.bench.workflow.statuses.clear();
    world.bench.clock.advance(PAST_GRACE);
    world.bench.eventsFail = true;

    await expect(sweep({}, context())).rejects.toMatchObject({ name: 'SweepIncomplete' });
    expect(world.emitted).toHaveLength(2);
    expect(logged.join('\n')).toMatch(/"errorName": ?"EventsUnavailable"/);
  });

  test('of a route whose lists cannot be read goes on with the next one', async () => {
    world.routes = [testRoute(), testRoute({ name: 'events' })];
    let reads = 0;
    world.bench.ledger.hooks = { readFails: () => ++reads === 1 };

    await expect(sweep({}, context())).rejects.toMatchObject({ name: 'SweepIncomplete' });
    expect(world.emitted).toEqual([{ route: 'events', waiting: 0, oldestSeconds: 0, parked: 0 }]);
  });

  test('gives each route its share of the time, and keeps some', async () => {
    world.routes = [testRoute(), testRoute({ name: 'events' })];
    for (const route of world.routes) {
      for (let i = 1; i <= 60; i++) {
        const lead = { ...LEAD, leadRequestId: `inq-${i}`, email: `jo.${i}@customer.example.com` };
        await acceptLead(lead, world.bench.intake({ route }));
      }
    }
    world.bench.clock.advance(PAST_GRACE);
    await sweep({}, context(60_000, 1_000));

    const swept = logged.filter((line) => line.includes('route swept')).map((line) => JSON.parse(line));
    expect(swept).toMatchObject([
      { sweptRoute: 'web', looked: expect.any(Number), left: expect.any(Number) },
      { sweptRoute: 'events' },
    ]);
    for (const { looked, left } of swept) {
      expect(looked + left).toBe(60);
      expect(looked).toBeGreaterThanOrEqual(20);
      expect(looked).toBeLessThanOrEqual(24);
    }
  });
});
