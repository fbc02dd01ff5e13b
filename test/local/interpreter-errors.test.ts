import { describe, expect, it } from 'vitest';
import { TaskFailed } from '../../local/interpreter/errors.ts';
import { FUNCTION, LAMBDA, LAMBDA_WITH_TOKEN, start } from './interpreter-harness.ts';

const call = { Type: 'Task', Resource: FUNCTION };

function failing(error: string, cause = 'because'): () => never {
  return () => {
    throw new TaskFailed({ error, cause });
  };
}

describe('Catch', () => {
  it('merges the error into the state data with $merge, so that the next state still has its input', async () => {
    const states = {
      Send: {
        ...call,
        Catch: [
          {
            ErrorEquals: ['States.ALL'],
            Output: '{% $merge([$states.input, {"lastError": $states.errorOutput.Error}]) %}',
            Next: 'Reconcile',
          },
        ],
        End: true,
      },
      Reconcile: { Type: 'Pass', End: true },
    };
    const trial = start(states, failing('Unknown'), { input: { leadRequestId: 'lead-1', attempt: 1 } });

    expect(await trial.end()).toEqual({
      status: 'SUCCEEDED',
      output: { leadRequestId: 'lead-1', attempt: 1, lastError: 'Unknown' },
    });
  });

  it('replaces the input by the error output where it has no Output', async () => {
    const states = {
      Send: { ...call, Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Reconcile' }], End: true },
      Reconcile: { Type: 'Pass', End: true },
    };
    const trial = start(states, failing('Unknown', 'no answer'), { input: { leadRequestId: 'lead-1' } });

    expect((await trial.end()).output).toEqual({ Error: 'Unknown', Cause: 'no answer' });
  });

  it('takes the first catcher that names the error', async () => {
    const states = {
      Send: {
        ...call,
        Catch: [
          { ErrorEquals: ['NoGrant'], Next: 'Wrong' },
          { ErrorEquals: ['Held', 'Unknown'], Next: 'Right' },
          { ErrorEquals: ['States.ALL'], Next: 'Wrong' },
        ],
        End: true,
      },
      Wrong: { Type: 'Fail' },
      Right: { Type: 'Pass', Output: 'right', End: true },
    };

    expect((await start(states, failing('Unknown')).end()).output).toBe('right');
  });

  it.each(['States.Runtime', 'States.DataLimitExceeded'])(
    'with States.ALL does not see %s',
    async (error) => {
      const states = {
        Send: {
          ...call,
          Retry: [{ ErrorEquals: ['States.ALL'] }],
          Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Reconcile' }],
          End: true,
        },
        Reconcile: { Type: 'Pass', End: true },
      };
      const trial = start(states, failing(error, 'terminal'));

      expect(await trial.end()).toEqual({ status: 'FAILED', error, cause: 'terminal' });
      expect(trial.calls).toHaveLength(1);
    },
  );

  it('sees States.DataLimitExceeded under its own name', async () => {
    const states = {
      Send: { ...call, Catch: [{ ErrorEquals: ['States.DataLimitExceeded'], Next: 'Reconcile' }], End: true },
      Reconcile: { Type: 'Pass', End: true },
    };
    const trial = start(states, () => 'a'.repeat(262_143));

    expect((await trial.end()).output).toEqual({
      Error: 'States.DataLimitExceeded',
      Cause: `The state/task '${FUNCTION}' returned a result with a size exceeding the maximum number of bytes service limit.`,
    });
  });

  it('of States.TaskFailed covers every error but a timeout', async () => {
    const states = {
      Send: {
        ...call,
        TimeoutSeconds: 5,
        Catch: [{ ErrorEquals: ['States.TaskFailed'], Next: 'Reconcile' }],
        End: true,
      },
      Reconcile: { Type: 'Pass', End: true },
    };

    expect((await start(states, failing('Anything')).end()).status).toBe('SUCCEEDED');
    expect(await start(states, () => new Promise(() => {})).end()).toEqual({
      status: 'FAILED',
      error: 'States.Timeout',
    });
  });

  it('catches a failed expression of the state and names the field', async () => {
    const states = {
      Send: {
        ...call,
        Arguments: { id: ['{% $states.input.missing %}'] },
        Catch: [{ ErrorEquals: ['States.QueryEvaluationError'], Next: 'Reconcile' }],
        End: true,
      },
      Reconcile: { Type: 'Pass', End: true },
    };
    const trial = start(states);

    expect((await trial.end()).output).toEqual({
      Error: 'States.QueryEvaluationError',
      Cause:
        "An error occurred while executing the state 'Send' (entered at the event id #2). The JSONata expression '$states.input.missing' specified for the field 'Arguments/id[0]' returned nothing (undefined).",
    });
    expect(trial.calls).toEqual([]);
    expect(trial.events[2]).toMatchObject({
      type: 'EvaluationFailed',
      evaluationFailedEventDetails: { state: 'Send', location: 'Arguments/id[0]' },
    });
  });
});

describe('Retry', () => {
  const retrying = (retrier: object) => ({
    Send: { ...call, Retry: [{ ErrorEquals: ['Throttled'], ...retrier }], End: true },
  });

  async function delays(retrier: object, random = () => 0): Promise<number[]> {
    const times: number[] = [];
    const trial = start(
      retrying(retrier),
      () => {
        times.push(trial.clock.now());
        throw new TaskFailed({ error: 'Throttled' });
      },
      { random },
    );
    await trial.end();
    return times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1000);
  }

  it('waits 1, 2 and 4 seconds where it says nothing else', async () => {
    expect(await delays({})).toEqual([1, 2, 4]);
  });

  it('grows by its own rate and stops at MaxDelaySeconds', async () => {
    const retrier = { IntervalSeconds: 2, BackoffRate: 3, MaxAttempts: 5, MaxDelaySeconds: 20 };
    expect(await delays(retrier)).toEqual([2, 6, 18, 20, 20]);
  });

  it('waits a random part of the delay with JitterStrategy FULL', async () => {
    const retrier = { IntervalSeconds: 4, MaxAttempts: 2, JitterStrategy: 'FULL' };
    expect(await delays(retrier, () => 0.25)).toEqual([1, 2]);
  });

  it('never retries with MaxAttempts 0', async () => {
    expect(await delays({ MaxAttempts: 0 })).toEqual([]);
  });

  it('shows the number of retries in the context object and starts anew at the next visit', async () => {
    const states = {
      Send: {
        ...call,
        Arguments: '{% $states.context.State.RetryCount %}',
        Retry: [{ ErrorEquals: ['Throttled'], MaxAttempts: 2 }],
        Next: 'Again',
      },
      Again: {
        Type: 'Choice',
        Choices: [{ Condition: '{% $states.input = 2 %}', Next: 'Send' }],
        Default: 'Done',
      },
      Done: { Type: 'Succeed' },
    };
    const answers = ['Throttled', 'Throttled', 2, 3];
    const trial = start(states, () => {
      const answer = answers.shift() ?? null;
      if (answer === 'Throttled') throw new TaskFailed({ error: answer });
      return answer;
    });

    await trial.end();

    expect(trial.calls.map(({ arguments: sent }) => sent)).toEqual([0, 1, 2, 0]);
  });

  it('leaves an error that it does not name to the Catch at once', async () => {
    const states = {
      Send: {
        ...call,
        Retry: [{ ErrorEquals: ['Throttled'] }],
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Reconcile' }],
        End: true,
      },
      Reconcile: { Type: 'Succeed' },
    };
    const trial = start(states, failing('Unknown'));

    expect((await trial.end()).status).toBe('SUCCEEDED');
    expect(trial.calls).toHaveLength(1);
  });
});

describe('a timeout', () => {
  it('ends the Task after TimeoutSeconds and tells the runner that nobody waits', async () => {
    const states = { Send: { Type: 'Task', Resource: LAMBDA, TimeoutSeconds: '{% 2 + 3 %}', End: true } };
    const trial = start(states, () => new Promise(() => {}));
    const began = trial.clock.now();

    expect(await trial.end()).toEqual({ status: 'FAILED', error: 'States.Timeout' });
    expect(trial.clock.now() - began).toBe(5000);
    expect(trial.calls[0]?.signal.aborted).toBe(true);
    expect(trial.types().slice(-2)).toEqual(['TaskTimedOut', 'ExecutionFailed']);
  });

  it('does not let a late result through', async () => {
    const states = {
      Send: {
        ...call,
        TimeoutSeconds: 5,
        Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'Look' }],
        End: true,
      },
      Look: { Type: 'Wait', Seconds: 10, End: true },
    };
    const trial = start(states, async () => {
      await trial.clock.sleep(8000, new AbortController().signal);
      return 'late';
    });

    expect((await trial.end()).output).toEqual({ Error: 'States.Timeout', Cause: '' });
  });

  it('refuses a fraction of a second', async () => {
    const states = { Send: { ...call, TimeoutSeconds: '{% 1.5 %}', End: true } };

    expect((await start(states).end()).error).toBe('States.QueryEvaluationError');
  });
});

describe('a Parallel', () => {
  const twoBranches = {
    Both: {
      Type: 'Parallel',
      Branches: [
        { StartAt: 'Ask', States: { Ask: { Type: 'Task', Resource: LAMBDA_WITH_TOKEN, End: true } } },
        {
          StartAt: 'Send',
          States: { Send: { ...call, Next: 'Pause' }, Pause: { Type: 'Wait', Seconds: 9, End: true } },
        },
      ],
      Next: 'After',
    },
    After: { Type: 'Succeed' },
  };

  it('aborts the sibling of a failed branch, which leaves no further event', async () => {
    const trial = start(twoBranches, ({ resource }) => {
      if (resource === FUNCTION) throw new TaskFailed({ error: 'Unknown' });
      return null;
    });
    const result = await trial.end();
    const token = String(trial.calls[0]?.taskToken);

    expect(result).toEqual({ status: 'FAILED', error: 'Unknown' });
    expect(trial.types().slice(-4)).toEqual([
      'TaskStateAborted',
      'TaskStateAborted',
      'ParallelStateFailed',
      'ExecutionFailed',
    ]);
    expect(() => trial.handle.sendTaskSuccess(token, 'late')).toThrow('no longer waits');
    await trial.clock.advance(60_000);
    expect(trial.types().at(-1)).toBe('ExecutionFailed');
  });

  it('hands its branches their own copy of Arguments and collects their outputs in order', async () => {
    const branch = (name: string, seconds: number) => ({
      StartAt: name,
      States: {
        [name]: { Type: 'Wait', Seconds: seconds, Output: `{% $states.input & "${name}" %}`, End: true },
      },
    });
    const states = {
      Both: {
        Type: 'Parallel',
        Arguments: '{% "from " %}',
        Branches: [branch('slow', 5), branch('fast', 1)],
        End: true,
      },
    };

    expect((await start(states).end()).output).toEqual(['from slow', 'from fast']);
  });

  it('keeps the variables of a branch inside, and lets it read those around', async () => {
    const inner = (name: string) => ({
      StartAt: name,
      States: {
        [name]: { Type: 'Pass', Assign: { mine: `{% $outer & "${name}" %}` }, Next: `${name} end` },
        [`${name} end`]: { Type: 'Pass', Output: '{% $mine %}', End: true },
      },
    });
    const states = {
      Set: { Type: 'Pass', Assign: { outer: 'from ' }, Next: 'Both' },
      Both: {
        Type: 'Parallel',
        Branches: [inner('a'), inner('b')],
        Assign: { all: '{% $states.result %}' },
        Next: 'Out',
      },
      Out: { Type: 'Pass', Output: '{% [$all, $exists($mine)] %}', End: true },
    };

    expect((await start(states).end()).output).toEqual(['from a', 'from b', false]);
  });

  it('lets the outer Catch see the error of a branch', async () => {
    const states = {
      Both: {
        Type: 'Parallel',
        Branches: [{ StartAt: 'No', States: { No: { Type: 'Fail', Error: 'Refused', Cause: 'opted out' } } }],
        Catch: [{ ErrorEquals: ['Refused'], Output: '{% $states.errorOutput.Cause %}', Next: 'After' }],
        End: true,
      },
      After: { Type: 'Succeed' },
    };
    const trial = start(states);

    expect((await trial.end()).output).toBe('opted out');
    expect(trial.types()).toContain('ParallelStateFailed');
  });
});

describe('a Map', () => {
  const iterating = (fields: object) => ({
    Each: {
      Type: 'Map',
      Items: '{% $states.input %}',
      ItemProcessor: { StartAt: 'Do', States: { Do: { ...call, End: true } } },
      ...fields,
      End: true,
    },
  });
  const oddFails = ({ arguments: item }: { arguments: unknown }) => {
    if (Number(item) % 2) throw new TaskFailed({ error: 'Odd' });
    return Number(item) * 10;
  };

  it('runs at most MaxConcurrency iterations at once', async () => {
    let running = 0;
    let most = 0;
    const trial = start(
      iterating({ MaxConcurrency: 2 }),
      async ({ arguments: item }) => {
        running += 1;
        most = Math.max(most, running);
        await trial.clock.sleep(1000, new AbortController().signal);
        running -= 1;
        return item;
      },
      { input: [1, 2, 3, 4, 5] },
    );

    expect((await trial.end()).output).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
  });

  it('fails with the error of its first failed iteration where it tolerates none', async () => {
    expect(await start(iterating({}), oddFails, { input: [2, 3] }).end()).toEqual({
      status: 'FAILED',
      error: 'Odd',
    });
  });

  it('leaves tolerated failures out of its result', async () => {
    const trial = start(iterating({ ToleratedFailureCount: 1 }), oddFails, { input: [2, 3, 4] });

    expect((await trial.end()).output).toEqual([20, 40]);
  });

  it('fails by name when more iterations fail than it tolerates', async () => {
    const trial = start(iterating({ ToleratedFailurePercentage: 40 }), oddFails, { input: [2, 3, 5] });

    expect((await trial.end()).error).toBe('States.ExceedToleratedFailureThreshold');
  });

  it('succeeds at once without items', async () => {
    const trial = start(iterating({}), oddFails, { input: [] });

    expect((await trial.end()).output).toEqual([]);
    expect(trial.types().slice(2, 4)).toEqual(['MapStateStarted', 'MapStateSucceeded']);
  });
});
