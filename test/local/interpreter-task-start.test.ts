import { describe, expect, it } from 'vitest';
import { TaskFailed } from '../../local/interpreter/errors.ts';
import type { TaskRequest, TaskRunner } from '../../local/interpreter/runtime.ts';
import { FUNCTION, LAMBDA_WITH_TOKEN, lastSnapshot, start } from './interpreter-harness.ts';

/**
 * "The timeout count begins when the start event is executed, such as when TaskStarted … events are logged":
 * https://docs.aws.amazon.com/step-functions/latest/dg/state-task.html
 */

/** A runner that lets its calls wait until the test begins them. */
function waitingRunner() {
  const requests: (TaskRequest & { end: PromiseWithResolvers<string> })[] = [];
  const tasks: TaskRunner = {
    reportsStart: true,
    run(request) {
      const end = Promise.withResolvers<string>();
      requests.push({ ...request, end });
      return end.promise;
    },
  };
  return { requests, tasks };
}

const states = { Send: { Type: 'Task', Resource: FUNCTION, TimeoutSeconds: 5, End: true } };

describe('a call that has to wait for its turn', () => {
  it('has its whole time from when it begins, and its Started event comes then', async () => {
    const { requests, tasks } = waitingRunner();
    const trial = start(states, undefined, { tasks });
    await trial.clock.advance(60_000);
    expect(trial.types()).toEqual(['ExecutionStarted', 'TaskStateEntered', 'LambdaFunctionScheduled']);

    requests[0]?.onStart();
    await trial.clock.advance(4_999);
    expect(trial.types().at(-1)).toBe('LambdaFunctionStarted');

    expect(await trial.end()).toEqual({ status: 'FAILED', error: 'States.Timeout' });
    expect(trial.clock.now()).toBe(Date.parse('2026-01-01T00:01:05Z'));
  });

  it('is recorded as started when it fails before its turn', async () => {
    const { requests, tasks } = waitingRunner();
    const trial = start(states, undefined, { tasks });
    await trial.clock.settle();

    requests[0]?.end.reject(new TaskFailed({ error: 'Lambda.TooManyRequestsException' }));

    expect((await trial.end()).error).toBe('Lambda.TooManyRequestsException');
    expect(trial.types().slice(2)).toEqual([
      'LambdaFunctionScheduled',
      'LambdaFunctionStarted',
      'LambdaFunctionFailed',
      'ExecutionFailed',
    ]);
  });

  it('leaves no trace when the execution was stopped meanwhile', async () => {
    const { requests, tasks } = waitingRunner();
    const trial = start(states, undefined, { tasks });
    await trial.clock.settle();
    trial.handle.stop();

    requests[0]?.onStart();
    requests[0]?.end.resolve('too late');
    await trial.clock.settle();

    expect(trial.types().at(-1)).toBe('ExecutionAborted');
  });

  it('is made again after a restart, with the token it had', async () => {
    const asking = { Ask: { Type: 'Task', Resource: LAMBDA_WITH_TOKEN, HeartbeatSeconds: 5, End: true } };
    const before = waitingRunner();
    const first = start(asking, undefined, { tasks: before.tasks });
    await first.clock.settle();
    first.handle.suspend();

    const after = waitingRunner();
    const options = { resumeFrom: lastSnapshot(first), tasks: after.tasks, clock: first.clock };
    const second = start(asking, undefined, options);
    await second.clock.advance(10_000);
    expect(after.requests[0]?.taskToken).toBe(before.requests[0]?.taskToken);
    after.requests[0]?.onStart();
    after.requests[0]?.end.resolve('accepted');
    await second.clock.advance(4_000);

    second.handle.sendTaskSuccess(String(after.requests[0]?.taskToken), 'in time');
    expect((await second.end()).output).toBe('in time');
  });
});
