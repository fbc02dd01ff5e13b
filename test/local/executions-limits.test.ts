import { afterEach, describe, expect, it } from 'vitest';
import { DAY_MS, executionArn, MACHINE, openExecutions, suspendExecutions } from './executions-harness.ts';

/**
 * https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html and
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html
 */

afterEach(suspendExecutions);

const TOO_LONG = (field: string, most: number) => ({
  code: 'ValidationException',
  message: `1 validation error detected: Value at '${field}' failed to satisfy constraint: Member must have length less than or equal to ${most}`,
});

async function asking() {
  const trial = openExecutions();
  const record = trial.executions.start(MACHINE, 'asking');
  await trial.clock.settle();
  return { ...trial, record, taskToken: trial.token(record) };
}

describe('256 KiB', () => {
  it('of input is taken, one byte more is not; bytes are those of UTF-8', () => {
    const { executions } = openExecutions();
    const text = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));

    expect(executions.start(MACHINE, 'largest', text(262_144)).status).toBe('RUNNING');
    expect(() => executions.start(MACHINE, 'larger', text(262_145))).toThrow(
      expect.objectContaining(TOO_LONG('input', 262_144)),
    );
    expect(() => executions.start(MACHINE, 'wide', JSON.stringify('ü'.repeat(131_072)))).toThrow(
      expect.objectContaining(TOO_LONG('input', 262_144)),
    );
  });

  it('of a token’s output is taken, one byte more is not, and the token still waits', async () => {
    const { executions, clock, record, taskToken } = await asking();

    expect(() => executions.succeedTask(taskToken, JSON.stringify('x'.repeat(262_143)))).toThrow(
      expect.objectContaining(TOO_LONG('output', 262_144)),
    );

    executions.succeedTask(taskToken, JSON.stringify('x'.repeat(262_142)));
    await clock.settle();
    expect(record.status).toBe('SUCCEEDED');
  });

  it.each(['Output', 'Arguments'])('of a state’s %s is too much for States.ALL to catch', async (field) => {
    const states = {
      Grow: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke',
        [field]: '{% $pad("", 262143, "a") %}',
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }],
        Next: 'Caught',
      },
      Caught: { Type: 'Succeed' },
    };
    const { executions, clock } = openExecutions(() => null, { states });
    const record = executions.start(MACHINE, 'grow');
    await clock.settle();

    expect(record.end).toMatchObject({
      status: 'FAILED',
      error: 'States.DataLimitExceeded',
      cause:
        "The state/task 'Grow' returned a result with a size exceeding the maximum number of bytes service limit.",
    });
  });
});

describe('a failure’s texts', () => {
  it.each([
    ['error', 256],
    ['cause', 32_768],
  ])('%s has at most %d characters', async (field, most) => {
    const { executions, clock, record, taskToken } = await asking();
    const given = (length: number): [string?, string?] =>
      field === 'error' ? ['x'.repeat(length)] : ['Error', 'x'.repeat(length)];

    expect(() => executions.failTask(taskToken, ...given(most + 1))).toThrow(
      expect.objectContaining(TOO_LONG(field, most)),
    );
    expect(() => executions.stop(executionArn('asking'), ...given(most + 1))).toThrow(
      expect.objectContaining(TOO_LONG(field, most)),
    );
    executions.failTask(taskToken, ...given(most));
    await clock.settle();
    expect(record.status).toBe('FAILED');
  });
});

describe('names', () => {
  const { executions } = openExecutions();
  const forbidden = [
    ...[' ', '\t', '\n', '\u00a0'],
    ...['<', '>', '{', '}', '[', ']'],
    ...['?', '*'],
    ...['"', '#', '%', '\\', '^', '|', '~', '`', '$', '&', ',', ';', ':', '/'],
    ...['\u0000', '\u001f', '\u007f', '\u009f', '\ufffe', '\uffff'],
    ...['\ud800', '\udfff', '😀'],
  ];

  it.each(forbidden.map((each) => JSON.stringify(each)))('with %s are refused', (each) => {
    const name = `a${JSON.parse(each)}b`;

    expect(() => executions.start(MACHINE, name)).toThrow(
      expect.objectContaining({ code: 'InvalidName', message: `Invalid Name: '${name}'` }),
    );
  });

  it.each([0, 81])('of %d characters are refused', (length) => {
    expect(() => executions.start(MACHINE, 'n'.repeat(length))).toThrow(
      expect.objectContaining({ code: 'InvalidName' }),
    );
  });

  it.each(['n', 'n'.repeat(80), "route.lead-1_ü.1!@'()+=", '名前'])('like %j are taken', (name) => {
    expect(executions.start(MACHINE, name).start.name).toBe(name);
  });
});

describe('an input', () => {
  it.each(['', '{', 'undefined', "{'a':1}", '{"a":1}}'])('like %j is not JSON', (input) => {
    const { executions } = openExecutions();

    expect(() => executions.start(MACHINE, 'one', input)).toThrow(
      expect.objectContaining({
        code: 'InvalidExecutionInput',
        message: expect.stringMatching(/^Invalid State Machine Execution Input: '/),
      }),
    );
    expect(executions.all()).toEqual([]);
  });

  it.each(['1', '"text"', 'null', '[1]', '{}'])('like %j is', (input) => {
    expect(openExecutions().executions.start(MACHINE, 'one', input).start.input).toBe(input);
  });
});

describe('90 days after its end', () => {
  it('an execution is gone, its name may be used again, and its token was never ours', async () => {
    const { executions, clock, record, taskToken } = await asking();
    executions.succeedTask(taskToken, '1');
    await clock.settle();
    await clock.advance(90 * DAY_MS - 1);
    expect(executions.find(executionArn('asking'))).toBe(record);
    expect(() => executions.start(MACHINE, 'asking')).toThrow(
      expect.objectContaining({
        code: 'ExecutionAlreadyExists',
        message: `Execution Already Exists: '${executionArn('asking')}'`,
      }),
    );

    await clock.advance(1);

    expect(() => executions.find(executionArn('asking'))).toThrow(
      expect.objectContaining({ code: 'ExecutionDoesNotExist' }),
    );
    expect(() => executions.succeedTask(taskToken, '1')).toThrow(
      expect.objectContaining({ code: 'InvalidToken' }),
    );
    expect(executions.start(MACHINE, 'asking').status).toBe('RUNNING');
  });

  it('one that still runs is there', async () => {
    const states = { Pause: { Type: 'Wait', Seconds: 99_999_999, End: true } };
    const { executions, clock } = openExecutions(() => null, { states });
    executions.start(MACHINE, 'long');
    await clock.advance(200 * DAY_MS);

    expect(executions.find(executionArn('long')).status).toBe('RUNNING');
  });
});
