import { describe, expect, it } from 'vitest';
import { TaskDoesNotExist, TaskFailed, TaskTimedOut } from '../../local/interpreter/errors.ts';
import { LAMBDA_WITH_TOKEN, start, type Trial } from './interpreter-harness.ts';

const asking = (fields: object = {}) => ({
  Ask: {
    Type: 'Task',
    Resource: LAMBDA_WITH_TOKEN,
    Arguments: { FunctionName: 'ask', Payload: { token: '{% $states.context.Task.Token %}' } },
    End: true,
    ...fields,
  },
});

const accepted = () => ({ StatusCode: 200 });

function tokenOf(trial: Trial, call = 0): string {
  return String(trial.calls[call]?.taskToken);
}

describe('a task token', () => {
  it('reaches the called function and completes the state with the answer', async () => {
    const trial = start(asking(), accepted);
    await trial.clock.advance(3_600_000);

    trial.handle.sendTaskSuccess(tokenOf(trial), { decision: 'resume' });

    expect(trial.calls[0]?.arguments).toEqual({ FunctionName: 'ask', Payload: { token: tokenOf(trial) } });
    expect(await trial.end()).toEqual({ status: 'SUCCEEDED', output: { decision: 'resume' } });
    expect(trial.types().slice(2, 6)).toEqual([
      'TaskScheduled',
      'TaskStarted',
      'TaskSubmitted',
      'TaskSucceeded',
    ]);
  });

  it('may be answered before the call that carries it has returned', async () => {
    const trial = start(asking(), async ({ taskToken }) => {
      trial.handle.sendTaskSuccess(String(taskToken), 'quick');
      await trial.clock.sleep(60_000, new AbortController().signal);
      return accepted();
    });
    const began = trial.clock.now();

    expect((await trial.end()).output).toBe('quick');
    expect(trial.clock.now()).toBe(began);
    expect(trial.types()).not.toContain('TaskSubmitted');
  });

  it('fails the state with the error of SendTaskFailure', async () => {
    const trial = start(asking(), accepted);
    await trial.clock.settle();

    trial.handle.sendTaskFailure(tokenOf(trial), 'Refused', 'wrong person');

    expect(await trial.end()).toEqual({ status: 'FAILED', error: 'Refused', cause: 'wrong person' });
  });

  it('takes one answer only', async () => {
    const trial = start(asking(), accepted);
    await trial.clock.settle();

    trial.handle.sendTaskSuccess(tokenOf(trial), 'first');

    expect(() => trial.handle.sendTaskSuccess(tokenOf(trial), 'second')).toThrow(TaskTimedOut);
    expect((await trial.end()).output).toBe('first');
    expect(trial.handle.tokenStatus(tokenOf(trial))).toBe('closed');
  });

  it('that nobody was given is unknown', async () => {
    const trial = start(asking(), accepted);
    await trial.clock.settle();

    expect(trial.handle.tokenStatus(tokenOf(trial))).toBe('waiting');
    expect(trial.handle.tokenStatus('forged')).toBe('unknown');
    expect(() => trial.handle.sendTaskSuccess('forged', null)).toThrow(TaskDoesNotExist);
    expect(() => trial.handle.sendTaskHeartbeat('forged')).toThrow(TaskDoesNotExist);
  });

  it('waits in silence without a timeout, and times out with one', async () => {
    const patient = start(asking(), accepted);
    await patient.clock.advance(30 * 24 * 3_600_000);
    expect(patient.types().at(-1)).toBe('TaskSubmitted');

    const bound = start(asking({ TimeoutSeconds: 60 }), accepted);
    expect(await bound.end()).toEqual({ status: 'FAILED', error: 'States.Timeout' });
    expect(() => bound.handle.sendTaskSuccess(tokenOf(bound), 'late')).toThrow(TaskTimedOut);
  });

  it('is a new one for a retry', async () => {
    const states = asking({
      TimeoutSeconds: 5,
      Retry: [{ ErrorEquals: ['States.Timeout'], MaxAttempts: 1 }],
    });
    const trial = start(states, accepted);
    await trial.clock.advance(7_000);

    trial.handle.sendTaskSuccess(tokenOf(trial, 1), 'second try');

    expect(tokenOf(trial, 1)).not.toBe(tokenOf(trial, 0));
    expect(() => trial.handle.sendTaskSuccess(tokenOf(trial, 0), 'late')).toThrow(TaskTimedOut);
    expect((await trial.end()).output).toBe('second try');
  });

  it('is closed when the call that should carry it fails', async () => {
    const trial = start(asking(), () => {
      throw new TaskFailed({ error: 'Lambda.TooManyRequestsException' });
    });

    expect((await trial.end()).error).toBe('Lambda.TooManyRequestsException');
    expect(trial.handle.tokenStatus(tokenOf(trial))).toBe('closed');
  });
});

describe('heartbeats', () => {
  const beating = (errors: string[]) => ({
    ...asking({ HeartbeatSeconds: 10, Catch: [{ ErrorEquals: errors, Next: 'Missed' }] }),
    Missed: { Type: 'Pass', Output: '{% $states.input.Error %}', End: true },
  });

  it.each([['States.HeartbeatTimeout'], ['States.Timeout']])(
    'that stay away are caught as %s',
    async (error) => {
      const trial = start(beating([error]), accepted);
      const began = trial.clock.now();

      expect((await trial.end()).output).toBe('States.Timeout');
      expect(trial.clock.now() - began).toBe(10_000);
    },
  );

  it('keep the task alive', async () => {
    const trial = start(beating(['States.HeartbeatTimeout']), accepted);
    for (let beat = 0; beat < 5; beat += 1) {
      await trial.clock.advance(8_000);
      trial.handle.sendTaskHeartbeat(tokenOf(trial));
    }
    await trial.clock.advance(9_000);

    trial.handle.sendTaskSuccess(tokenOf(trial), 'alive');

    expect((await trial.end()).output).toBe('alive');
  });
});
