import { describe, expect, it } from 'vitest';
import { TaskFailed } from '../../local/interpreter/errors.ts';
import type { Json } from '../../local/interpreter/json.ts';
import { FUNCTION, start } from './interpreter-harness.ts';

/** What a Pass with this Output ends with. */
async function evaluate(output: Json, input: Json = {}) {
  return await start({ One: { Type: 'Pass', Output: output, End: true } }, undefined, { input }).end();
}

const inState = "An error occurred while executing the state 'One' (entered at the event id #2).";

describe('a JSONata expression', () => {
  it.each<[expression: string, value: Json]>([
    ['$partition([1, 2, 3, 4, 5], 2)', [[1, 2], [3, 4], [5]]],
    ['$range(0, 10, 5)', [0, 5, 10]],
    ['$range(3, 1, -1)', [3, 2, 1]],
    ['$hash("hello", "SHA-256")', '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'],
    ['$hash("hello", "MD5")', '5d41402abc4b2a76b9719d911017c592'],
    ['$hash("hello", "SHA-1")', 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d'],
    [
      '$hash("hello", "SHA-384")',
      '59e1748777448c69de6b800d7a33bbfb9ff1b463e44354c3553bcdb9c666fa90125a3c79f90397bdf5f6a13de828684f',
    ],
    [
      '$hash("hello", "SHA-512")',
      '9b71d224bd62f3785d96d46ad3ea3d73319bfbc2890caadae2dff72519673ca72323c3d99ba5c11d7c7acc6e14b8c5da0c4663475c2e5c3adef46f73bcdec043',
    ],
    ['$hash("é", "MD5")', '66ddcd97cfdeabb2f6fb8a999b4bc76f'],
    ['$partition([], 2)', []],
    ['$partition([1], 2)', [[1]]],
    ['$range(1, 1, 1)', [1]],
    ['$range(1, 2, -1)', []],
    ["$parse('null')", null],
    ['$random() >= 0', true],
    ['$states.context.State.Name', 'One'],
    ['$exists($states.context.State.RetryCount)', false],
    ['$exists($states.result)', false],
    ['$exists($states.errorOutput)', false],
    ['$exists($states.context.Task)', false],
    [`$parse('{"a":[1]}')`, { a: [1] }],
    ['$uuid()', '00000000-0000-4000-8000-000000000001'],
    ['$millis()', Date.parse('2026-01-01T00:00:00Z')],
    ['$now()', '2026-01-01T00:00:00.000Z'],
    ['$now("[Y0001]-[M01]")', '2026-01'],
    ['$random() < 1', true],
    ['$states.input.list[id = 2].name', 'second'],
    ['$merge([$states.input, {"attempt": 2}]).attempt', 2],
  ])('%s', async (expression, value) => {
    const input = { list: [{ id: 2, name: 'second' }], attempt: 1 };

    expect(await evaluate(`{% ${expression} %}`, input)).toEqual({ status: 'SUCCEEDED', output: value });
  });

  it.each<[expression: string, problem: string]>([
    ['$states.input.missing', 'returned nothing (undefined).'],
    ['function($x){$x}', 'returned an unsupported result type.'],
    ['{"a": $sum}', 'returned an unsupported result type.'],
    ['$eval("1 + 1")', 'threw an error during evaluation. T1006: Attempted to invoke a non-function'],
    [
      '$abs("a")',
      'threw an error during evaluation. T0410: Argument 1 of function "abs" does not match function signature',
    ],
    ['$partition([1], 0)', 'threw an error during evaluation: the size of $partition must be positive'],
    [
      '($f := function($x){ $f($x + 1) }; $f(1))',
      'threw an error during evaluation: Expression evaluation timeout: Check for infinite loop',
    ],
    [
      '$hash("a", "CRC32")',
      'threw an error during evaluation: $hash takes a string and one of MD5, SHA-1, SHA-256, SHA-384, SHA-512',
    ],
    [
      '$hash("a", "sha256")',
      'threw an error during evaluation: $hash takes a string and one of MD5, SHA-1, SHA-256, SHA-384, SHA-512',
    ],
    ['$partition("a", 1)', 'threw an error during evaluation: $partition takes an array'],
    ['$partition([1], 1.5)', 'threw an error during evaluation: the size of $partition must be an integer'],
    ['$range(1.5, 2, 1)', 'threw an error during evaluation: the start of $range must be an integer'],
    [
      '$range(1, 2000000, 1)',
      'threw an error during evaluation: Expression evaluation memory limit exceeded',
    ],
    ['$parse(1)', 'threw an error during evaluation: $parse takes a string'],
    ['$parse($states.input.missing)', 'returned nothing (undefined).'],
    ['$hash($states.input.missing, "MD5")', 'returned nothing (undefined).'],
    ['$missing', 'returned nothing (undefined).'],
    ['$', 'returned nothing (undefined).'],
    ['$states.context.Map.Item.Value', 'returned nothing (undefined).'],
    ['$range(1, 2, 0)', 'threw an error during evaluation: the step of $range must not be 0'],
  ])('%s fails the state', async (expression, problem) => {
    expect(await evaluate({ list: [`{% ${expression} %}`] })).toEqual({
      status: 'FAILED',
      error: 'States.QueryEvaluationError',
      cause: `${inState} The JSONata expression '${expression}' specified for the field 'Output/list[0]' ${problem}`,
    });
  });

  it('with a seeded $random ends the execution, whatever it catches', async () => {
    const states = {
      One: {
        Type: 'Task',
        Resource: FUNCTION,
        Arguments: '{% $random(7) %}',
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Two' }],
        End: true,
      },
      Two: { Type: 'Succeed' },
    };

    expect(await start(states).end()).toEqual({
      status: 'FAILED',
      error: 'UnsupportedFeature',
      cause: `${inState} The state machine uses $random with a seed, which the local engine does not know.`,
    });
  });

  it('is one only without blanks around its braces', async () => {
    expect((await evaluate([' {% 1 %}', '{% 1 %}', '{%%'])).output).toEqual([' {% 1 %}', 1, '{%%']);
  });
});

describe('the context object', () => {
  it('tells of the execution, the state machine and the state', async () => {
    expect((await evaluate('{% $states.context %}', 'the input')).output).toEqual({
      Execution: {
        Id: 'arn:aws:states:us-east-1:111111111111:execution:machine:run',
        Input: 'the input',
        Name: 'run',
        RedriveCount: 0,
        RoleArn: 'arn:aws:iam::111111111111:role/role',
        StartTime: '2026-01-01T00:00:00.000Z',
      },
      State: { EnteredTime: '2026-01-01T00:00:00.000Z', Name: 'One' },
      StateMachine: { Id: 'arn:aws:states:us-east-1:111111111111:stateMachine:machine', Name: 'machine' },
    });
  });

  it('counts the retries of a Task, a Parallel and a Map, and tells the item of a Map', async () => {
    const attempts = { ErrorEquals: ['States.ALL'], MaxAttempts: 1 };
    const seen: Json[] = [];
    const states = {
      Each: {
        Type: 'Map',
        Items: ['only'],
        Retry: [attempts],
        ItemProcessor: {
          StartAt: 'Do',
          States: {
            Do: {
              Type: 'Task',
              Resource: FUNCTION,
              Arguments: ['{% $states.context.State %}', '{% $states.context.Map %}'],
              Retry: [attempts],
              End: true,
            },
          },
        },
        Output: '{% $states.context.State.RetryCount %}',
        End: true,
      },
    };
    const trial = start(states, ({ arguments: given }) => {
      seen.push(given);
      if (seen.length <= 2) throw new TaskFailed({ error: 'Odd' });
      return null;
    });

    expect((await trial.end()).output).toBe(1);
    expect(seen.map((given) => (given as [{ RetryCount: number }])[0].RetryCount)).toEqual([0, 1, 0]);
    expect((seen[0] as Json[])[1]).toEqual({ Item: { Index: 0, Value: 'only' } });
  });
});

describe('variables', () => {
  it('are assigned at once: every expression sees the values from before', async () => {
    const states = {
      One: { Type: 'Pass', Assign: { a: 1, b: 2 }, Next: 'Two' },
      Two: {
        Type: 'Pass',
        Assign: { a: '{% $b %}', b: '{% $a %}' },
        Output: '{% [$a, $b] %}',
        Next: 'Three',
      },
      Three: { Type: 'Pass', Output: '{% [$states.input, $a, $b] %}', End: true },
    };

    expect((await start(states).end()).output).toEqual([1, 2, 2, 1]);
  });

  it('of a Choice come from the rule that matched, else from the state', async () => {
    const states = {
      One: {
        Type: 'Choice',
        Choices: [{ Condition: '{% $states.input.go %}', Assign: { by: 'rule' }, Next: 'Two' }],
        Assign: { by: 'default' },
        Default: 'Two',
      },
      Two: { Type: 'Pass', Output: '{% $by %}', End: true },
    };

    expect((await start(states, undefined, { input: { go: true } }).end()).output).toBe('rule');
    expect((await start(states, undefined, { input: { go: false } }).end()).output).toBe('default');
  });
});

describe('a Choice', () => {
  const choosing = {
    One: { Type: 'Choice', Choices: [{ Condition: '{% $states.input %}', Next: 'Two' }] },
    Two: { Type: 'Succeed' },
  };

  it('fails without a match and a Default', async () => {
    expect(await start(choosing, undefined, { input: false }).end()).toEqual({
      status: 'FAILED',
      error: 'States.NoChoiceMatched',
      cause: `${inState} Failed to transition out of the state. The state does not point to a next state.`,
    });
  });

  it('does not take anything but a boolean for a Condition', async () => {
    expect((await start(choosing, undefined, { input: 'yes' }).end()).cause).toBe(
      `${inState} The JSONata expression '$states.input' specified for the field 'Choices[0]/Condition' returned an unexpected result type. Expected 'boolean', but was 'string' for value: "yes"`,
    );
  });
});

describe('a Wait', () => {
  async function waited(fields: object, input: Json = null) {
    const trial = start({ One: { Type: 'Wait', ...fields, End: true } }, undefined, { input });
    const began = trial.clock.now();
    const { status, cause } = await trial.end();
    return status === 'SUCCEEDED' ? (trial.clock.now() - began) / 1000 : cause;
  }

  it('takes whole seconds, literal or computed', async () => {
    expect(await waited({ Seconds: 7 })).toBe(7);
    expect(await waited({ Seconds: '{% $states.input * 2 %}' }, 4)).toBe(8);
    expect(await waited({ Seconds: '{% 0 %}' })).toBe(0);
    expect(await waited({ Seconds: 99_999_999 })).toBe(99_999_999);
  });

  it.each<[expression: string, problem: string]>([
    ['0.2', 'The Seconds field cannot be parsed as an integer: 0.2'],
    ['-1', 'Seconds must be between 0 and 99999999 but was: -1'],
    ['100000000', 'Seconds must be between 0 and 99999999 but was: 100000000'],
    [
      '"5"',
      `The JSONata expression '"5"' specified for the field 'Seconds' returned an unexpected result type. Expected 'number', but was 'string' for value: "5"`,
    ],
  ])('refuses %s', async (expression, problem) => {
    expect(await waited({ Seconds: `{% ${expression} %}` })).toBe(`${inState} ${problem}`);
  });

  it('ends at a timestamp, at once if that has passed', async () => {
    expect(await waited({ Timestamp: '2026-01-01T00:01:00Z' })).toBe(60);
    expect(await waited({ Timestamp: '2026-01-01T01:00:30+01:00' })).toBe(30);
    expect(await waited({ Timestamp: '{% $states.input %}' }, '2020-01-01T00:00:00Z')).toBe(0);
    expect(await waited({ Timestamp: 'tomorrow' })).toContain("'tomorrow' is not in the RFC 3339 format");
  });
});
