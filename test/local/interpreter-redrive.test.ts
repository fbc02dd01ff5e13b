import { describe, expect, it } from 'vitest';
import type { StatesDefinition } from '../../local/interpreter/definition.ts';
import { TaskFailed } from '../../local/interpreter/errors.ts';
import { redriven } from '../../local/interpreter/redrive.ts';
import {
  type Answer,
  FUNCTION,
  LAMBDA_WITH_TOKEN,
  lastSnapshot,
  start,
  type Trial,
} from './interpreter-harness.ts';

/**
 * What AWS does at a redrive, by its own page and by a capture of the real service (September 2026) that shows the
 * events: https://github.com/radkawar/stackd, testdata/aws/stepfunctions/redrive_execution.json.
 * https://docs.aws.amazon.com/step-functions/latest/dg/redrive-executions.html
 */

/** Redrives an execution that has ended; what it emits follows the ExecutionRedriven event. */
function redrive(ended: Trial, states: object, answer?: Answer, asl: object = {}): Trial {
  const redrivenEventId = ended.events.length + 1;
  const definition = { StartAt: Object.keys(states)[0], States: states } as unknown as StatesDefinition;
  return start(states, answer, {
    resumeFrom: redriven(lastSnapshot(ended), definition, redrivenEventId),
    keptEvents: redrivenEventId,
    clock: ended.clock,
    ids: () => 'made after the redrive',
    asl,
    context: {
      executionArn: 'arn:aws:states:us-east-1:111111111111:execution:machine:run',
      executionName: 'run',
      startTime: '2026-01-01T00:00:00.000Z',
      redriveCount: 1,
      redriveTime: new Date(ended.clock.now()).toISOString(),
      stateMachineArn: 'arn:aws:states:us-east-1:111111111111:stateMachine:machine',
      stateMachineName: 'machine',
    },
  });
}

const fail = (error: string) => {
  throw new TaskFailed({ error });
};
const never = () => new Promise<never>(() => {});
const task = (fields: object = {}) => ({ Type: 'Task', Resource: FUNCTION, ...fields });
const links = ({ events }: Trial) => events.map(({ type, previousEventId }) => [type, previousEventId]);

describe('a redriven execution', () => {
  const states = {
    First: { Type: 'Pass', Assign: { lead: 'lead-1' }, Output: 'from first', Next: 'Send' },
    Send: task({
      Arguments: ['{% $lead %}', '{% $states.input %}', '{% $states.context.Execution %}'],
      Retry: [{ ErrorEquals: ['Throttled'], MaxAttempts: 1 }],
      End: true,
    }),
  };

  it('goes on in the state that failed, without entering it again, and keeps what had succeeded', async () => {
    const before = start(states, () => fail('Refused'));
    await before.end();

    const after = redrive(before, states, () => 'sent');

    expect(await after.end()).toEqual({ status: 'SUCCEEDED', output: 'sent' });
    const [lead, input, execution] = (after.calls[0]?.arguments ?? []) as [string, string, object];
    expect([lead, input]).toEqual(['lead-1', 'from first']);
    expect(execution).toMatchObject({
      StartTime: '2026-01-01T00:00:00.000Z',
      RedriveCount: 1,
      RedriveTime: '2026-01-01T00:00:00.000Z',
    });
    // 4 is TaskStateEntered, 8 ExecutionFailed, 9 ExecutionRedriven.
    expect(before.types()[3]).toBe('TaskStateEntered');
    expect(after.events[0]?.id).toBe(10);
    expect(links(after)).toEqual([
      ['LambdaFunctionScheduled', 4],
      ['LambdaFunctionStarted', 10],
      ['LambdaFunctionSucceeded', 11],
      ['TaskStateExited', 12],
      ['ExecutionSucceeded', 13],
    ]);
  });

  it('may use all retries again', async () => {
    const before = start(states, () => fail('Throttled'));
    await before.end();
    expect(before.calls).toHaveLength(2);

    const after = redrive(before, states, () => fail('Throttled'));

    expect((await after.end()).error).toBe('Throttled');
    expect(after.calls).toHaveLength(2);
  });

  it('has no RedriveTime and a RedriveCount of 0 before', async () => {
    const trial = start(states, ({ arguments: sent }) => sent);

    const { output } = await trial.end();

    const execution = (output as unknown[])[2] as Record<string, unknown>;
    expect(execution.RedriveCount).toBe(0);
    expect(execution).not.toHaveProperty('RedriveTime');
  });

  it('gets a new token for a task that was aborted, and the old one is closed', async () => {
    const asking = { Ask: { Type: 'Task', Resource: LAMBDA_WITH_TOKEN, TimeoutSeconds: 60, End: true } };
    const before = start(asking);
    await before.clock.advance(50_000);
    const old = String(before.calls[0]?.taskToken);
    before.handle.stop();

    const after = redrive(before, asking);
    await after.clock.advance(50_000);

    expect(after.calls[0]?.taskToken).toBe('made after the redrive');
    expect(after.handle.tokenStatus(old)).toBe('closed');
    after.handle.sendTaskSuccess('made after the redrive', 'in time');
    expect((await after.end()).output).toBe('in time');
  });

  it('has the whole time of the state machine again', async () => {
    const asl = { TimeoutSeconds: 10 };
    const slow = { Pause: { Type: 'Wait', Seconds: 8, Next: 'Send' }, Send: task({ End: true }) };
    const before = start(slow, never, { asl });
    expect(await before.end()).toEqual({ status: 'TIMED_OUT' });
    expect(before.events.at(-1)).toMatchObject({
      type: 'ExecutionTimedOut',
      previousEventId: 0,
      executionTimedOutEventDetails: { error: 'States.Timeout' },
    });

    const after = redrive(before, slow, never, asl);
    const from = after.clock.now();
    await after.end();

    expect(after.clock.now() - from).toBe(10_000);
  });
});

describe('a redriven Parallel', () => {
  const branch = (name: string, fields: object = {}) => ({
    StartAt: name,
    States: { [name]: task({ Arguments: name, ...fields, End: true }) },
  });
  const states = {
    Both: {
      Type: 'Parallel',
      Branches: [branch('Done'), branch('Failed'), branch('Aborted')],
      Next: 'Use',
    },
    Use: { Type: 'Succeed' },
  };

  it('runs the failed and the aborted branches, not the one that had succeeded', async () => {
    const before: Trial = start(states, async ({ arguments: name }) => {
      if (name === 'Aborted') return never();
      if (name === 'Done') return 'first result';
      await before.clock.sleep(1_000, new AbortController().signal);
      return fail('Refused');
    });
    expect((await before.end()).error).toBe('Refused');

    const after = redrive(before, states, ({ arguments: name }) => name);

    expect((await after.end()).output).toEqual(['first result', 'Failed', 'Aborted']);
    expect(after.calls.map(({ arguments: name }) => name)).toEqual(['Failed', 'Aborted']);
    const types = after.types();
    expect(types).not.toContain('ParallelStateEntered');
    expect(types).not.toContain('ParallelStateStarted');
    expect(types).not.toContain('TaskStateEntered');
    expect(types.filter((type) => type === 'LambdaFunctionScheduled')).toHaveLength(2);
  });

  it('runs anew as a whole when it had failed for the size of its data', async () => {
    const big = 'x'.repeat(150_000);
    const before = start(states, () => big);
    expect((await before.end()).error).toBe('States.DataLimitExceeded');

    const after = redrive(before, states, ({ arguments: name }) => name);

    expect((await after.end()).output).toEqual(['Done', 'Failed', 'Aborted']);
    expect(after.calls).toHaveLength(3);
    expect(after.types()[0]).toBe('ParallelStateStarted');
  });

  it('inside another goes on where it was', async () => {
    const nested = {
      Outer: {
        Type: 'Parallel',
        Branches: [{ StartAt: 'Both', States: states }, branch('Beside')],
        End: true,
      },
    };
    const before: Trial = start(nested, async ({ arguments: name }) => {
      if (name === 'Done' || name === 'Beside') return `${name} before`;
      await before.clock.sleep(1_000, new AbortController().signal);
      return name === 'Failed' ? fail('Refused') : never();
    });
    await before.end();

    const after = redrive(before, nested, ({ arguments: name }) => name);

    expect((await after.end()).output).toEqual([['Done before', 'Failed', 'Aborted'], 'Beside before']);
    expect(after.calls).toHaveLength(2);
  });
});

describe('a redriven Map', () => {
  const states = (fields: object = {}) => ({
    Each: {
      Type: 'Map',
      Items: [0, 1, 2],
      MaxConcurrency: 1,
      ItemProcessor: { StartAt: 'Do', States: { Do: task({ End: true }) } },
      ...fields,
      End: true,
    },
  });

  it('keeps the iterations that had succeeded, runs the failed one and starts the others', async () => {
    const before = start(states(), ({ arguments: item }) => (item === 1 ? fail('Odd') : `before ${item}`));
    await before.end();

    const after = redrive(before, states(), ({ arguments: item }) => `after ${item}`);

    expect((await after.end()).output).toEqual(['before 0', 'after 1', 'after 2']);
    const types = after.types();
    expect(types).not.toContain('MapStateStarted');
    expect(types.filter((type) => type === 'MapIterationStarted')).toHaveLength(1);
    expect(types.filter((type) => type === 'TaskStateEntered')).toHaveLength(1);
  });

  it('runs every failed iteration, also those that it had tolerated', async () => {
    const tolerant = states({ ToleratedFailureCount: 1 });
    const before = start(tolerant, ({ arguments: item }) => (item === 0 ? 'before 0' : fail('Odd')));
    expect((await before.end()).error).toBe('States.ExceedToleratedFailureThreshold');

    const after = redrive(before, tolerant, ({ arguments: item }) => `after ${item}`);

    expect((await after.end()).output).toEqual(['before 0', 'after 1', 'after 2']);
  });
});

describe('other redriven states', () => {
  it('a Fail fails again, after the ExecutionRedriven event and without being entered', async () => {
    const states = { Give: { Type: 'Fail', Error: 'GaveUp', Cause: 'Twice.' } };
    const before = start(states);
    await before.end();

    const after = redrive(before, states);

    expect(await after.end()).toEqual({ status: 'FAILED', error: 'GaveUp', cause: 'Twice.' });
    expect(links(after)).toEqual([['ExecutionFailed', before.events.length + 1]]);
  });

  it('a Choice is evaluated again', async () => {
    const states = {
      Which: {
        Type: 'Choice',
        Choices: [{ Condition: '{% $states.context.Execution.RedriveCount > 0 %}', Next: 'Done' }],
      },
      Done: { Type: 'Succeed' },
    };
    const before = start(states);
    expect((await before.end()).error).toBe('States.NoChoiceMatched');

    expect((await redrive(before, states).end()).status).toBe('SUCCEEDED');
  });

  it.each([
    ['Seconds', { Seconds: 100 }, 100_000],
    ['a Timestamp that has passed', { Timestamp: '2026-01-01T00:01:00Z' }, 0],
  ])('a Wait with %s', async (_what, until, waitedMs) => {
    const states = { Pause: { Type: 'Wait', ...until, End: true } };
    const before = start(states);
    await before.clock.advance(30_000);
    before.handle.stop('Enough', 'A test.');
    await before.clock.advance(40_000);

    const after = redrive(before, states);
    const from = after.clock.now();

    expect((await after.end()).status).toBe('SUCCEEDED');
    expect(after.clock.now() - from).toBe(waitedMs);
  });

  it('an abort is an event that follows nothing', async () => {
    const before = start({ Pause: { Type: 'Wait', Seconds: 1, End: true } });
    await before.clock.settle();
    before.handle.stop('Enough', 'A test.');

    expect(before.events.at(-1)).toMatchObject({ type: 'ExecutionAborted', previousEventId: 0 });
  });
});
