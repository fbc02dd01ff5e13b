import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TaskFailed } from '../../local/interpreter/errors.ts';
import { redriveState } from '../../local/redrives.ts';
import { DAY_MS, executionArn, MACHINE, openExecutions, suspendExecutions } from './executions-harness.ts';

/**
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_RedriveExecution.html; the texts of the refusals and
 * the order of token and status are those of a capture of AWS (see interpreter-redrive.test.ts).
 */

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'executions-'));
});

afterEach(() => {
  suspendExecutions();
  rmSync(directory, { recursive: true, force: true });
});

/** An execution that failed because its question was answered with a failure. */
async function failed(options: Parameters<typeof openExecutions>[1] = {}) {
  const trial = openExecutions(() => null, { directory, ...options });
  const record = trial.executions.start(MACHINE, 'one');
  await trial.clock.settle();
  trial.executions.failTask(trial.token(record), 'No', 'Not done.');
  await trial.clock.settle();
  expect(record.status).toBe('FAILED');
  return { ...trial, record };
}

describe('who may be redriven', () => {
  it.each([
    ['FAILED', 'No'],
    ['ABORTED', 'Enough'],
    ['TIMED_OUT', undefined],
  ])('%s executions', async (status, error) => {
    const trial = openExecutions(() => null, { directory });
    const record = trial.executions.start(MACHINE, 'one');
    await trial.clock.settle();
    if (status === 'FAILED') trial.executions.failTask(trial.token(record), 'No');
    if (status === 'ABORTED') trial.executions.stop(executionArn('one'), 'Enough');
    if (status === 'TIMED_OUT') await trial.clock.advance(61_000);
    await trial.clock.settle();
    const ended = status === 'TIMED_OUT' ? 'FAILED' : status;
    expect(record.end).toMatchObject({ status: ended, error: error ?? 'States.Timeout' });

    trial.executions.redrive(executionArn('one'));

    expect(record.status).toBe('RUNNING');
  });

  it('not a running one, nor one that succeeded', async () => {
    const { executions, clock, token } = openExecutions(() => null, { directory });
    const record = executions.start(MACHINE, 'one');
    await clock.settle();
    expect(() => executions.redrive(executionArn('one'))).toThrow(
      expect.objectContaining({
        code: 'ExecutionNotRedrivable',
        message: `Execution ${executionArn('one')} invalid for redrive as: Execution is RUNNING and cannot be redriven`,
      }),
    );
    executions.succeedTask(token(record), '1');
    await clock.settle();
    expect(redriveState(record, clock.now())).toEqual({
      redriveCount: 0,
      redriveStatus: 'NOT_REDRIVABLE',
      redriveStatusReason: 'Execution is SUCCEEDED and cannot be redriven',
    });
    expect(() => executions.redrive(executionArn('one'))).toThrow(
      'Execution is SUCCEEDED and cannot be redriven',
    );
  });

  it('for 14 days from its end', async () => {
    const { executions, clock, record } = await failed();
    await clock.advance(14 * DAY_MS);
    expect(redriveState(record, clock.now())).toEqual({ redriveCount: 0, redriveStatus: 'REDRIVABLE' });

    await clock.advance(1);

    expect(redriveState(record, clock.now()).redriveStatusReason).toBe(
      'Execution redrivable period exceeded',
    );
    expect(() => executions.redrive(executionArn('one'))).toThrow('Execution redrivable period exceeded');
  });

  it('not one that began more than a year ago', async () => {
    const states = { Pause: { Type: 'Wait', Seconds: 99_999_999, End: true } };
    const { executions, clock } = openExecutions(() => null, { states });
    const record = executions.start(MACHINE, 'one');
    await clock.advance(366 * DAY_MS);
    executions.stop(executionArn('one'));

    expect(redriveState(record, clock.now()).redriveStatusReason).toBe(
      'Execution has exceeded the max execution time',
    );
  });

  it('not one whose history is full', async () => {
    const { executions, record } = await failed();
    const [event] = record.events;
    while (record.events.length < 24_998) record.events.splice(1, 0, event as (typeof record.events)[0]);
    expect(redriveState(record, 0).redriveStatus).toBe('REDRIVABLE');

    record.events.splice(1, 0, event as (typeof record.events)[0]);

    expect(() => executions.redrive(executionArn('one'))).toThrow('Execution history event limit exceeded');
  });

  it('none that does not exist, and no ARN of something else', async () => {
    const { executions } = openExecutions();

    expect(() => executions.redrive(executionArn('nobody'))).toThrow(
      expect.objectContaining({ code: 'ExecutionDoesNotExist' }),
    );
    expect(() => executions.redrive(executionArn('one').replace('execution', 'express'))).toThrow(
      expect.objectContaining({
        code: 'InvalidArn',
        message: "Invalid Arn: 'Resource type not valid in this context: express'",
      }),
    );
    expect(() => executions.redrive('not an arn')).toThrow(expect.objectContaining({ code: 'InvalidArn' }));
  });

  it('none when the account has no room for another', async () => {
    const { executions, clock, record } = await failed({ mostOpen: 1 });
    executions.start(MACHINE, 'two');
    await clock.settle();

    expect(() => executions.redrive(executionArn('one'))).toThrow(
      expect.objectContaining({ code: 'ExecutionLimitExceeded' }),
    );
    expect(() => executions.start(MACHINE, 'three')).toThrow(
      expect.objectContaining({ code: 'ExecutionLimitExceeded' }),
    );
    expect(record.status).toBe('FAILED');
  });
});

describe('a client token', () => {
  it('redrives once, whatever the execution does then', async () => {
    const { executions, clock, record, token } = await failed();
    const first = executions.redrive(executionArn('one'), 'token-A');
    await clock.advance(1_000);
    executions.failTask(token(record), 'No');
    await clock.settle();
    expect(record.status).toBe('FAILED');

    const again = executions.redrive(executionArn('one'), 'token-A');

    expect(again).toEqual(first);
    expect(record.status).toBe('FAILED');
    expect(record.redrives).toHaveLength(1);
    executions.redrive(executionArn('one'), 'token-B');
    expect(executions.redrive(executionArn('one'), 'token-A')).toEqual(first);
    expect(record.redrives).toHaveLength(2);
  });

  it('that was refused is not used up', async () => {
    const { executions, clock, record, token } = await failed();
    executions.redrive(executionArn('one'), 'token-A');
    await clock.settle();
    expect(() => executions.redrive(executionArn('one'), 'token-B')).toThrow('Execution is RUNNING');
    executions.failTask(token(record), 'No');
    await clock.settle();

    executions.redrive(executionArn('one'), 'token-B');

    expect(record.redrives).toHaveLength(2);
  });

  it('is remembered for 15 minutes, and for 10 redrives', async () => {
    const { executions, clock, record, token } = await failed();
    const redriveAndFail = async (clientToken: string) => {
      executions.redrive(executionArn('one'), clientToken);
      await clock.settle();
      if (record.status !== 'RUNNING') return;
      executions.failTask(token(record), 'No');
      await clock.settle();
    };
    await redriveAndFail('token-0');
    await clock.advance(15 * 60_000);
    await redriveAndFail('token-0');
    expect(record.redrives).toHaveLength(2);
    for (let each = 1; each <= 9; each += 1) await redriveAndFail(`token-${each}`);
    await redriveAndFail('token-0');
    expect(record.redrives, 'token-0 is still one of the last ten').toHaveLength(11);
    await redriveAndFail('token-10');

    await redriveAndFail('token-0');

    expect(record.redrives).toHaveLength(13);
  });

  it.each(['', 'with space', 'ü', 'x'.repeat(65)])('like %j is refused', async (clientToken) => {
    const { executions } = await failed();

    expect(() => executions.redrive(executionArn('one'), clientToken)).toThrow(
      expect.objectContaining({ code: 'ValidationException' }),
    );
  });
});

describe('a redriven execution', () => {
  it('has a new task token; the old one is too late', async () => {
    const { executions, clock, record, token } = await failed();
    const old = token(record);

    executions.redrive(executionArn('one'));
    await clock.settle();

    expect(token(record)).not.toBe(old);
    expect(() => executions.succeedTask(old, '1')).toThrow(expect.objectContaining({ code: 'TaskTimedOut' }));
    executions.succeedTask(token(record), '"yes"');
    await clock.settle();
    expect(record.end).toMatchObject({ status: 'SUCCEEDED', output: '"yes"' });
  });

  it('appends to its history, and is described with its redrives', async () => {
    const { executions, clock, record } = await failed();
    const before = record.events.length;
    await clock.advance(5_000);

    const { date } = executions.redrive(executionArn('one'));
    await clock.settle();

    expect(date).toBe(Date.parse('2026-01-01T00:00:05Z'));
    expect(record.events[before]).toEqual({
      type: 'ExecutionRedriven',
      id: before + 1,
      previousEventId: before,
      timestamp: date / 1000,
      executionRedrivenEventDetails: { redriveCount: 1 },
    });
    expect(record.events.map(({ id }) => id)).toEqual(record.events.map((_, index) => index + 1));
    expect(record.events.at(-1)?.type).toBe('TaskSubmitted');
    expect(redriveState(record, clock.now())).toEqual({
      redriveCount: 1,
      redriveDate: date,
      redriveStatus: 'NOT_REDRIVABLE',
      redriveStatusReason: 'Execution is RUNNING and cannot be redriven',
    });
  });

  it.each(['before it did anything', 'at work'])('goes on after a restart %s', async (when) => {
    const calls: string[] = [];
    const { executions, clock, restart } = await failed();
    executions.redrive(executionArn('one'), 'token-A');
    if (when === 'at work') await clock.settle();

    const after = restart(({ state }) => {
      calls.push(state);
      return null;
    });
    await clock.settle();
    const record = after.executions.find(executionArn('one'));

    expect(record.status).toBe('RUNNING');
    expect(record.redrives).toEqual([{ date: expect.any(Number), clientToken: 'token-A' }]);
    expect(after.executions.redrive(executionArn('one'), 'token-A')).toEqual(record.redrives[0]);
    expect(calls).toEqual(when === 'at work' ? [] : ['Ask']);
    expect(record.events.map(({ id }) => id)).toEqual(record.events.map((_, index) => index + 1));
    after.executions.succeedTask(after.token(record), '1');
    await clock.settle();
    expect(record.status).toBe('SUCCEEDED');
  });

  it('can be redriven by an engine that did not see it fail', async () => {
    const { restart, clock } = await failed();
    const after = restart();
    const record = after.executions.find(executionArn('one'));
    expect(record.status).toBe('FAILED');

    after.executions.redrive(executionArn('one'));
    await clock.settle();
    after.executions.succeedTask(after.token(record), '1');
    await clock.settle();

    expect(record.status).toBe('SUCCEEDED');
    expect(record.events.filter(({ type }) => type === 'TaskStateEntered')).toHaveLength(2);
  });

  it('is redriven again and again, each time with the whole number of retries', async () => {
    let calls = 0;
    const states = {
      Work: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke',
        Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 2 }],
        End: true,
      },
    };
    const { executions, clock } = openExecutions(
      () => {
        calls += 1;
        throw new TaskFailed({ error: 'Busy' });
      },
      { states },
    );
    const record = executions.start(MACHINE, 'one');
    await clock.advance(10_000);
    expect(calls).toBe(3);

    for (const expected of [6, 9]) {
      executions.redrive(executionArn('one'));
      await clock.advance(10_000);
      expect(calls).toBe(expected);
    }

    const counts = record.events.flatMap(({ executionRedrivenEventDetails: details }) => details ?? []);
    expect(counts).toEqual([{ redriveCount: 1 }, { redriveCount: 2 }]);
  });
});
