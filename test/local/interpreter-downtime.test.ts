import { describe, expect, it } from 'vitest';
import { TaskFailed } from '../../local/interpreter/errors.ts';
import type { Json } from '../../local/interpreter/json.ts';
import {
  type Answer,
  FUNCTION,
  LAMBDA_WITH_TOKEN,
  lastSnapshot,
  start,
  type Trial,
} from './interpreter-harness.ts';

/** What became due while the engine was down happens at once when it is back, and nothing happens twice. */

const HOUR_MS = 3_600_000;
const never = () => new Promise<never>(() => {});
const task = (fields: object = {}) => ({ Type: 'Task', Resource: FUNCTION, ...fields });
const ask = (fields: object = {}) => ({ Type: 'Task', Resource: LAMBDA_WITH_TOKEN, ...fields });
const throttled = () => {
  throw new TaskFailed({ error: 'Throttled' });
};

/** The engine is killed, is away for an hour, and a new one goes on from the last snapshot. */
async function afterAnHour(trial: Trial, states: object, answer?: Answer, asl: object = {}): Promise<Trial> {
  trial.handle.suspend();
  await trial.clock.advance(HOUR_MS);
  return start(states, answer, {
    resumeFrom: lastSnapshot(trial),
    keptEvents: trial.events.length,
    clock: trial.clock,
    ids: () => 'made after the downtime',
    asl,
    context: {
      executionArn: 'arn:aws:states:us-east-1:111111111111:execution:machine:run',
      executionName: 'run',
      startTime: '2026-01-01T00:00:00.000Z',
      stateMachineArn: 'arn:aws:states:us-east-1:111111111111:stateMachine:machine',
      stateMachineName: 'machine',
    },
  });
}

/** Milliseconds that the execution needs from now to its end, and how it ends. */
async function ending(trial: Trial) {
  const from = trial.clock.now();
  const { status, output, error } = await trial.end();
  return { took: trial.clock.now() - from, status, output, error };
}

describe('after an hour without an engine', () => {
  it.each<[what: string, fields: object, error: string]>([
    ['timeout', { TimeoutSeconds: 60 }, 'States.Timeout'],
    ['heartbeat', { HeartbeatSeconds: 30 }, 'States.Timeout'],
  ])('a token whose %s has passed is a States.Timeout at once', async (_what, fields, error) => {
    const states = { Ask: ask({ ...fields, End: true }) };
    const before = start(states);
    await before.clock.settle();

    const after = await afterAnHour(before, states);

    expect(await ending(after)).toMatchObject({ took: 0, status: 'FAILED', error });
    expect(after.calls).toEqual([]);
    expect(after.types()).toEqual(['TaskTimedOut', 'ExecutionFailed']);
    expect(after.handle.tokenStatus(String(before.calls[0]?.taskToken))).toBe('closed');
  });

  it('a timeout that has passed is caught where the definition catches it', async () => {
    const states = {
      Ask: ask({
        TimeoutSeconds: 60,
        Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'Escalate' }],
        End: true,
      }),
      Escalate: { Type: 'Pass', Output: 'asked somebody else', End: true },
    };
    const before = start(states);
    await before.clock.settle();

    const after = await afterAnHour(before, states);

    expect(await ending(after)).toMatchObject({ took: 0, output: 'asked somebody else' });
  });

  it('an answer that was accepted before wins over a timeout that has passed since', async () => {
    const states = { Ask: ask({ TimeoutSeconds: 60, End: true }) };
    const before = start(states);
    await before.clock.settle();
    before.handle.sendTaskSuccess(String(before.calls[0]?.taskToken), 'in time');

    const after = await afterAnHour(before, states);

    expect(await ending(after)).toMatchObject({ took: 0, output: 'in time' });
  });

  it('a token without a timeout still takes its answer', async () => {
    const states = { Ask: ask({ End: true }) };
    const before = start(states);
    await before.clock.settle();
    const token = String(before.calls[0]?.taskToken);

    const after = await afterAnHour(before, states);
    await after.clock.settle();

    expect(after.handle.tokenStatus(token)).toBe('waiting');
    after.handle.sendTaskFailure(token, 'No');
    expect(await ending(after)).toMatchObject({ status: 'FAILED', error: 'No' });
  });

  it('a function that ran is called again, with its whole time', async () => {
    const states = { Send: task({ TimeoutSeconds: 60, End: true }) };
    const before = start(states, never);
    await before.clock.advance(59_000);

    const after = await afterAnHour(before, states, never);

    expect(await ending(after)).toMatchObject({ took: 60_000, error: 'States.Timeout' });
    expect(after.calls).toHaveLength(1);
  });

  it('a Wait that is over ends at once', async () => {
    const states = { Pause: { Type: 'Wait', Seconds: 60, End: true } };
    const before = start(states);
    await before.clock.settle();

    expect(await ending(await afterAnHour(before, states))).toMatchObject({ took: 0, status: 'SUCCEEDED' });
  });

  it('a retry that was due is made at once, and the back-off goes on from there', async () => {
    const states = {
      Send: task({
        Retry: [{ ErrorEquals: ['Throttled'], IntervalSeconds: 10, BackoffRate: 3, MaxAttempts: 2 }],
        End: true,
      }),
    };
    const before = start(states, throttled);
    await before.clock.settle();
    expect(before.calls).toHaveLength(1);

    const after = await afterAnHour(before, states, throttled);

    expect(await ending(after)).toMatchObject({ took: 30_000, error: 'Throttled' });
    expect(after.calls).toHaveLength(2);
  });

  it('an execution whose own time is over times out at once', async () => {
    const states = { Ask: ask({ End: true }) };
    const asl = { TimeoutSeconds: 600 };
    const before = start(states, undefined, { asl });
    await before.clock.settle();

    const after = await afterAnHour(before, states, undefined, asl);

    expect(await ending(after)).toMatchObject({ took: 0, status: 'TIMED_OUT' });
  });

  it('each part of a Parallel goes on by itself', async () => {
    const branch = (name: string, state: object) => ({ StartAt: name, States: { [name]: state } });
    const states = {
      All: {
        Type: 'Parallel',
        Branches: [
          branch('Done', task({ Arguments: 'done', End: true })),
          branch('Running', task({ Arguments: 'running', End: true })),
          branch('Waiting', { Type: 'Wait', Seconds: 60, End: true }),
          branch('Asking', ask({ Arguments: 'asking', TimeoutSeconds: 7_200, End: true })),
          branch(
            'Backing off',
            task({
              Arguments: 'backing off',
              Retry: [{ ErrorEquals: ['Throttled'], IntervalSeconds: 60 }],
              End: true,
            }),
          ),
          branch('Each', {
            Type: 'Map',
            Items: ['first', 'second'],
            MaxConcurrency: 1,
            ItemProcessor: branch('Item', task({ End: true })),
            End: true,
          }),
        ],
        End: true,
      },
    };
    const before = start(states, ({ arguments: what }) => {
      if (what === 'done' || what === 'first') return `${what} before`;
      if (what === 'backing off') return throttled();
      return what === 'asking' ? null : never();
    });
    await before.clock.settle();
    const token = String(before.calls.find(({ taskToken }) => taskToken)?.taskToken);

    const after = await afterAnHour(before, states, ({ arguments: what }) => `${what as string} after`);
    await after.clock.settle();
    after.handle.sendTaskSuccess(token, 'answered');

    const expected: Json = [
      'done before',
      'running after',
      {},
      'answered',
      'backing off after',
      ['first before', 'second after'],
    ];
    expect(await ending(after)).toMatchObject({ took: 0, output: expected });
    expect(after.calls.map(({ arguments: what }) => what).sort()).toEqual([
      'backing off',
      'running',
      'second',
    ]);
  });
});
