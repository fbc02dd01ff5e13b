import { describe, expect, it } from 'vitest';
import { TaskFailed } from '../../local/interpreter/errors.ts';
import {
  type Answer,
  FUNCTION,
  LAMBDA_WITH_TOKEN,
  lastSnapshot,
  start,
  type Trial,
} from './interpreter-harness.ts';

/** Kills the engine and goes on in a new one, which knows only the last snapshot and the time. */
function restart(trial: Trial, states: object, answer?: Answer): Trial {
  const resumeFrom = lastSnapshot(trial);
  trial.handle.suspend();
  return start(states, answer, { resumeFrom, clock: trial.clock, ids: () => 'made after the restart' });
}

const never = () => new Promise<never>(() => {});
const task = (fields: object = {}) => ({ Type: 'Task', Resource: FUNCTION, ...fields });
const ask = (fields: object = {}) => ({ Type: 'Task', Resource: LAMBDA_WITH_TOKEN, ...fields });

describe('after a restart', () => {
  it('the state that was at work is entered again, and the states before it are not', async () => {
    const states = {
      First: { Type: 'Pass', Assign: { lead: 'lead-1' }, Output: 'from first', Next: 'Send' },
      Send: task({ Arguments: ['{% $lead %}', '{% $states.input %}'], End: true }),
    };
    const before = start(states, never);
    await before.clock.settle();

    const after = restart(before, states, () => 'sent');

    expect((await after.end()).output).toBe('sent');
    expect(after.calls[0]?.arguments).toEqual(['lead-1', 'from first']);
    expect(after.types()).toEqual([
      'TaskStateEntered',
      'LambdaFunctionScheduled',
      'LambdaFunctionStarted',
      'LambdaFunctionSucceeded',
      'TaskStateExited',
      'ExecutionSucceeded',
    ]);
    expect(after.events[0]?.id).toBe((before.events.at(-1)?.id ?? 0) + 1);
  });

  it('a submitted task keeps its token and its deadline', async () => {
    const states = { Ask: ask({ TimeoutSeconds: 60, End: true }) };
    const before = start(states);
    await before.clock.advance(45_000);

    const after = restart(before, states);
    const resumedAt = after.clock.now();

    expect(await after.end()).toEqual({ status: 'FAILED', error: 'States.Timeout' });
    expect(after.clock.now() - resumedAt).toBe(15_000);
    expect(after.calls).toEqual([]);
  });

  it('a submitted task inside a Parallel takes the answer, and the finished branch does not run again', async () => {
    const states = {
      Both: {
        Type: 'Parallel',
        Branches: [
          { StartAt: 'Task', States: { Task: task({ End: true }) } },
          { StartAt: 'Ask', States: { Ask: ask({ Next: 'Decided' }), Decided: { Type: 'Succeed' } } },
        ],
        End: true,
      },
    };
    const before = start(states, () => 'done once');
    await before.clock.settle();
    const token = String(before.calls.find(({ taskToken }) => taskToken)?.taskToken);

    const after = restart(before, states);
    await after.clock.settle();
    expect(after.handle.tokenStatus(token)).toBe('waiting');
    after.handle.sendTaskSuccess(token, 'confirm-done');

    expect((await after.end()).output).toEqual(['done once', 'confirm-done']);
    expect(after.calls).toEqual([]);
    expect(after.types()).not.toContain('ParallelStateEntered');
  });

  it('an answer that was accepted right before the kill is used', async () => {
    const states = { Ask: ask({ Next: 'Use' }), Use: task({ End: true }) };
    const before = start(states);
    await before.clock.settle();
    before.handle.sendTaskSuccess(String(before.calls[0]?.taskToken), 'accepted');

    const after = restart(before, states, ({ arguments: input }) => input);

    expect((await after.end()).output).toBe('accepted');
  });

  it('a call that had not returned is made again with the same token', async () => {
    const states = { Ask: ask({ End: true }) };
    const before = start(states, never);
    await before.clock.settle();

    const after = restart(before, states);
    await after.clock.settle();

    expect(after.calls[0]?.taskToken).toBe(before.calls[0]?.taskToken);
    after.handle.sendTaskSuccess(String(before.calls[0]?.taskToken), 'from the first call');
    expect((await after.end()).output).toBe('from the first call');
  });

  it('a token that was used before the kill stays closed', async () => {
    const states = { Ask: ask({ Next: 'Hold' }), Hold: task({ End: true }) };
    const before = start(states, ({ taskToken }) => (taskToken ? null : never()));
    await before.clock.settle();
    const token = String(before.calls[0]?.taskToken);
    before.handle.sendTaskSuccess(token, 'used');
    await before.clock.settle();

    const after = restart(before, states, never);
    await after.clock.settle();

    expect(after.handle.tokenStatus(token)).toBe('closed');
  });

  it('a Wait ends when it would have ended', async () => {
    const states = { Pause: { Type: 'Wait', Seconds: 100, End: true } };
    const before = start(states);
    await before.clock.advance(70_000);

    const after = restart(before, states);
    const resumedAt = after.clock.now();

    expect((await after.end()).status).toBe('SUCCEEDED');
    expect(after.clock.now() - resumedAt).toBe(30_000);
  });

  it('a planned retry keeps its time, and the attempts made so far count', async () => {
    const states = {
      Send: task({
        Retry: [{ ErrorEquals: ['Throttled'], IntervalSeconds: 100, MaxAttempts: 1 }],
        End: true,
      }),
    };
    const throttled = () => {
      throw new TaskFailed({ error: 'Throttled' });
    };
    const before = start(states, throttled);
    await before.clock.advance(40_000);

    const after = restart(before, states, throttled);
    const resumedAt = after.clock.now();

    expect((await after.end()).error).toBe('Throttled');
    expect(after.clock.now() - resumedAt).toBe(60_000);
    expect(after.calls).toHaveLength(1);
  });

  it('a retry that was at work is made again, and the retries made so far count', async () => {
    const states = {
      Send: task({ Retry: [{ ErrorEquals: ['Throttled'], MaxAttempts: 1 }], End: true }),
    };
    const throttled = () => {
      throw new TaskFailed({ error: 'Throttled' });
    };
    const before: Trial = start(states, () => (before.calls.length === 1 ? throttled() : never()));
    await before.clock.advance(5_000);
    expect(before.calls).toHaveLength(2);

    const after = restart(before, states, throttled);

    expect((await after.end()).error).toBe('Throttled');
    expect(after.calls).toHaveLength(1);
  });

  it('a tolerated failure of a Map iteration stays one', async () => {
    const states = {
      Each: {
        Type: 'Map',
        Items: [1, 2],
        MaxConcurrency: 1,
        ToleratedFailureCount: 1,
        ItemProcessor: { StartAt: 'Do', States: { Do: task({ End: true }) } },
        End: true,
      },
    };
    const before = start(states, ({ arguments: item }) => {
      if (item === 1) throw new TaskFailed({ error: 'Odd' });
      return never();
    });
    await before.clock.settle();

    const after = restart(before, states, ({ arguments: item }) => item);

    expect((await after.end()).output).toEqual([2]);
    expect(after.types().filter((type) => type.startsWith('MapIteration'))).toEqual([
      'MapIterationSucceeded',
    ]);
  });

  it('a Map goes on with the iterations that are left', async () => {
    const states = {
      Each: {
        Type: 'Map',
        Items: [1, 2, 3],
        MaxConcurrency: 1,
        ItemSelector: '{% $states.context.Map.Item.Value * 10 %}',
        ItemProcessor: { StartAt: 'Do', States: { Do: task({ End: true }) } },
        End: true,
      },
    };
    const before = start(states, ({ arguments: item }) => (item === 20 ? never() : item));
    await before.clock.settle();

    const after = restart(before, states, ({ arguments: item }) => item);

    expect((await after.end()).output).toEqual([10, 20, 30]);
    expect(after.calls.map(({ arguments: item }) => item)).toEqual([20, 30]);
  });

  it('event numbers go on after all events that the engine has kept', async () => {
    const states = { Send: task({ End: true }) };
    const before = start(states, never);
    await before.clock.settle();
    before.handle.suspend();

    const options = { resumeFrom: lastSnapshot(before), keptEvents: 12, clock: before.clock };
    const after = start(states, () => null, options);
    await after.end();

    expect(after.events[0]?.id).toBe(13);
  });

  it('at every snapshot of a whole run, the execution ends the same', async () => {
    const states = {
      Set: { Type: 'Pass', Assign: { greeting: 'hello' }, Next: 'Both' },
      Both: {
        Type: 'Parallel',
        Branches: [
          { StartAt: 'Ask', States: { Ask: ask({ End: true }) } },
          {
            StartAt: 'Pause',
            States: {
              Pause: { Type: 'Wait', Seconds: 5, Next: 'Send' },
              Send: task({ Arguments: '{% $greeting %}', End: true }),
            },
          },
        ],
        Next: 'Each',
      },
      Each: {
        Type: 'Map',
        Items: '{% $states.input %}',
        ItemProcessor: { StartAt: 'Do', States: { Do: task({ End: true }) } },
        End: true,
      },
    };
    const answering =
      (trial: () => Trial): Answer =>
      ({ taskToken, arguments: sent }) => {
        if (taskToken)
          setImmediate(
            () =>
              trial().handle.tokenStatus(taskToken) === 'waiting' &&
              trial().handle.sendTaskSuccess(taskToken, 'yes'),
          );
        return sent;
      };
    const whole: Trial = start(
      states,
      answering(() => whole),
    );
    const expected = { status: 'SUCCEEDED', output: ['yes', 'hello'] };
    expect(await whole.end()).toEqual(expected);

    for (const resumeFrom of whole.snapshots) {
      const token = waitingToken(resumeFrom);
      const again: Trial = start(
        states,
        answering(() => again),
        { resumeFrom },
      );
      await again.clock.settle();
      if (token && again.handle.tokenStatus(token) === 'waiting') again.handle.sendTaskSuccess(token, 'yes');
      expect(await again.end()).toEqual(expected);
    }
    expect(whole.snapshots.length).toBeGreaterThan(12);
  });
});

function waitingToken(snapshot: unknown): string | undefined {
  return /"token":"([^"]+)"/.exec(JSON.stringify(snapshot))?.[1];
}
