import { describe, expect, it } from 'vitest';
import { FUNCTION, LAMBDA, LAMBDA_WITH_TOKEN, lastSnapshot, start } from './interpreter-harness.ts';

const pause = { Pause: { Type: 'Wait', Seconds: 60, End: true } };

describe('stopping an execution', () => {
  it('aborts it with the error and cause given, once', async () => {
    const trial = start(pause);
    await trial.clock.advance(1_000);

    expect(trial.handle.stop('Superseded', 'run 2 took over')).toBe(true);
    expect(trial.handle.stop()).toBe(false);

    expect(await trial.end()).toEqual({ status: 'ABORTED', error: 'Superseded', cause: 'run 2 took over' });
    expect(trial.events.at(-1)).toMatchObject({
      type: 'ExecutionAborted',
      executionAbortedEventDetails: { error: 'Superseded', cause: 'run 2 took over' },
    });
    await trial.clock.advance(120_000);
    expect(trial.types()).toEqual(['ExecutionStarted', 'WaitStateEntered', 'ExecutionAborted']);
  });

  it('closes its task tokens', async () => {
    const trial = start({ Ask: { Type: 'Task', Resource: LAMBDA_WITH_TOKEN, End: true } });
    await trial.clock.settle();

    trial.handle.stop();
    await trial.clock.settle();

    expect(trial.handle.tokenStatus(String(trial.calls[0]?.taskToken))).toBe('closed');
  });

  it('before it began leaves it without a state', async () => {
    const trial = start(pause);
    trial.handle.stop();

    expect((await trial.end()).status).toBe('ABORTED');
    expect(trial.types()).toEqual(['ExecutionAborted']);
  });
});

describe('an execution', () => {
  it('times out after TimeoutSeconds of the state machine, counted from its start', async () => {
    const trial = start(pause, undefined, { asl: { TimeoutSeconds: 5 } });
    const began = trial.clock.now();

    expect(await trial.end()).toEqual({ status: 'TIMED_OUT' });
    expect(trial.clock.now() - began).toBe(5_000);
    expect(trial.types().at(-1)).toBe('ExecutionTimedOut');
  });

  it('fails with its 25,000th event, which no Catch can prevent', async () => {
    const branch = { StartAt: 'Spin', States: { Spin: { Type: 'Pass', Next: 'Spin' } } };
    const states = {
      Loop: {
        Type: 'Parallel',
        Branches: [branch],
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'After' }],
        End: true,
      },
      After: { Type: 'Succeed' },
    };
    const trial = start(states, undefined, { journal: { save: () => {} } });

    expect(await trial.end()).toEqual({
      status: 'FAILED',
      error: 'States.Runtime',
      cause: 'The execution reached the maximum number of history events (25000).',
    });
    expect(trial.events).toHaveLength(25_000);
    expect(trial.events.at(-1)?.type).toBe('ExecutionFailed');
  });

  it('fails when a state hands on more than 256 KiB', async () => {
    const states = { Grow: { Type: 'Pass', Output: '{% $pad("", 262143, "a") %}', End: true } };

    expect(await start(states).end()).toMatchObject({ status: 'FAILED', error: 'States.DataLimitExceeded' });
  });

  it('takes exactly 256 KiB', async () => {
    const states = { Grow: { Type: 'Pass', Output: '{% $pad("", 262142, "a") %}', End: true } };

    expect((await start(states).end()).status).toBe('SUCCEEDED');
  });

  it('rejects its result when the runner has a defect, and aborts the other branch', async () => {
    const branch = (name: string, Resource: string) => ({
      StartAt: name,
      States: { [name]: { Type: 'Task', Resource, End: true } },
    });
    const states = {
      Both: {
        Type: 'Parallel',
        Branches: [branch('a', FUNCTION), branch('b', LAMBDA_WITH_TOKEN)],
        End: true,
      },
    };
    const trial = start(states, ({ resource }) => {
      if (resource === FUNCTION) throw new Error('the child process is gone');
      return null;
    });

    await expect(trial.end()).rejects.toThrow('the child process is gone');
  });

  it('writes its history as AWS does', async () => {
    const states = {
      Call: {
        Type: 'Task',
        Resource: LAMBDA,
        Arguments: { FunctionName: 'f' },
        TimeoutSeconds: 9,
        Assign: { x: 1 },
        End: true,
      },
    };
    const trial = start(states, () => ({ StatusCode: 200 }), { input: { lead: 1 } });
    await trial.end();

    const timestamp = Date.parse('2026-01-01T00:00:00Z') / 1000;
    expect(trial.events).toEqual([
      {
        type: 'ExecutionStarted',
        id: 1,
        previousEventId: 0,
        timestamp,
        executionStartedEventDetails: {
          input: '{"lead":1}',
          inputDetails: { truncated: false },
          roleArn: 'arn:aws:iam::111111111111:role/role',
        },
      },
      {
        type: 'TaskStateEntered',
        id: 2,
        previousEventId: 0,
        timestamp,
        stateEnteredEventDetails: { name: 'Call', input: '{"lead":1}', inputDetails: { truncated: false } },
      },
      {
        type: 'TaskScheduled',
        id: 3,
        previousEventId: 2,
        timestamp,
        taskScheduledEventDetails: {
          parameters: '{"FunctionName":"f"}',
          region: 'us-east-1',
          resource: 'invoke',
          resourceType: 'lambda',
          timeoutInSeconds: 9,
        },
      },
      {
        type: 'TaskStarted',
        id: 4,
        previousEventId: 3,
        timestamp,
        taskStartedEventDetails: { resource: 'invoke', resourceType: 'lambda' },
      },
      {
        type: 'TaskSucceeded',
        id: 5,
        previousEventId: 4,
        timestamp,
        taskSucceededEventDetails: {
          output: '{"StatusCode":200}',
          outputDetails: { truncated: false },
          resource: 'invoke',
          resourceType: 'lambda',
        },
      },
      {
        type: 'TaskStateExited',
        id: 6,
        previousEventId: 5,
        timestamp,
        stateExitedEventDetails: {
          name: 'Call',
          output: '{"StatusCode":200}',
          outputDetails: { truncated: false },
          assignedVariables: { x: '1' },
          assignedVariablesDetails: { truncated: false },
        },
      },
      {
        type: 'ExecutionSucceeded',
        id: 7,
        previousEventId: 6,
        timestamp,
        executionSucceededEventDetails: { output: '{"StatusCode":200}', outputDetails: { truncated: false } },
      },
    ]);
  });

  it('journals a snapshot at each state entry, with what a restart needs', async () => {
    const states = { Ask: { Type: 'Task', Resource: LAMBDA_WITH_TOKEN, TimeoutSeconds: 60, End: true } };
    const trial = start(states, undefined, { input: 'lead-1' });
    await trial.clock.settle();

    expect(lastSnapshot(trial)).toMatchObject({
      version: 1,
      lastEventId: 5,
      root: {
        current: {
          name: 'Ask',
          input: 'lead-1',
          task: { token: trial.calls[0]?.taskToken, submitted: true, deadline: trial.clock.now() + 60_000 },
        },
      },
    });
  });
});
