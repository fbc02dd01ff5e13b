import { InvokeCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../local/engine.ts';
import {
  clientSettings,
  executionArn,
  isRunning,
  MACHINE_ARN,
  startFixture,
  until,
} from './fixtures/engine/fixture.ts';

const WORKER = 'fixture-worker';
let engine: Engine;
let client: LambdaClient;

beforeAll(async () => {
  engine = await startFixture();
  client = new LambdaClient(clientSettings(engine.url));
});

afterAll(async () => {
  client.destroy();
  await engine.stop();
});

async function invoke(event: unknown) {
  const answer = await client.send(
    new InvokeCommand({ FunctionName: WORKER, Payload: JSON.stringify(event) }),
  );
  return { error: answer.FunctionError, payload: JSON.parse(answer.Payload?.transformToString() ?? 'null') };
}

describe('an invocation', () => {
  test('answers with what the handler returned, and the next one finds the process warm', async () => {
    const first = await invoke({ hello: 'world' });
    const second = await invoke({});

    expect(first).toMatchObject({ error: undefined, payload: { echo: { hello: 'world' } } });
    expect(second.payload.pid).toBe(first.payload.pid);
    expect(second.payload.calls).toBe(first.payload.calls + 1);
  });

  test('that throws is an unhandled error with its name, message and trace', async () => {
    const { error, payload } = await invoke({ do: 'throw' });

    expect(error).toBe('Unhandled');
    expect(payload).toMatchObject({
      errorType: 'ToldToThrow',
      errorMessage: 'The worker was told to throw.',
    });
    expect(payload.trace[0]).toBe('ToldToThrow: The worker was told to throw.');
  });

  test.each(['hang', 'spin'])('that does not end (%s) is killed at its timeout', async (how) => {
    const startedAt = Date.now();
    const running = invoke({ do: how });
    const pid = await until('it runs', () => engine.pids(WORKER)[0]);

    const { error, payload } = await running;

    expect(error).toBe('Unhandled');
    expect(payload.errorType).toBe('Sandbox.Timedout');
    expect(payload.errorMessage).toMatch(
      /^RequestId: [0-9a-f-]{36} Error: Task timed out after 2\.00 seconds$/,
    );
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(2_000);
    expect(isRunning(pid)).toBe(false);
  });

  test('whose process exits is a Runtime.ExitError', async () => {
    const { error, payload } = await invoke({ do: 'exit' });

    expect(error).toBe('Unhandled');
    expect(payload.errorType).toBe('Runtime.ExitError');
    expect(payload.errorMessage).toMatch(/^RequestId: \S+ Error: Runtime exited with error: exit status 3$/);
  });

  test('whose process is killed is a Runtime.ExitError, and the next one gets a new process', async () => {
    const running = invoke({ do: 'sleep', ms: 1_500 });
    const pid = await until('it runs', () => engine.pids(WORKER)[0]);
    await until('the handler has begun', () => engine.logLines(WORKER).at(-1)?.includes('does sleep'));

    process.kill(pid, 'SIGKILL');

    const { payload } = await running;
    expect(payload.errorMessage).toMatch(/Runtime exited with error: signal: killed$/);
    expect((await invoke({})).payload.pid).not.toBe(pid);
  });

  test('that leaves a rejection unhandled ends with it', async () => {
    const { payload } = await invoke({ do: 'reject' });

    expect(payload).toMatchObject({
      errorType: 'Runtime.UnhandledPromiseRejection',
      errorMessage: 'Nobody awaited this.',
    });
  });

  test('of type Event is accepted at once and runs later', async () => {
    const before = engine.counters.invocations[WORKER] ?? 0;

    const answer = await client.send(
      new InvokeCommand({
        FunctionName: WORKER,
        InvocationType: 'Event',
        Payload: JSON.stringify({ do: 'event' }),
      }),
    );

    expect(answer.StatusCode).toBe(202);
    await until('it has run', () => engine.logLines(WORKER).some((line) => line.endsWith('does event')));
    expect(engine.counters.invocations[WORKER]).toBe(before + 1);
  });

  test('of a function that does not exist is refused as in AWS', async () => {
    await expect(client.send(new InvokeCommand({ FunctionName: 'nobody' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'Function not found: arn:aws:lambda:us-east-1:000000000000:function:nobody',
    });
  });
});

describe('a function', () => {
  test('sees its own environment and nothing of the machine but PATH', async () => {
    process.env.ENGINE_TEST_SECRET = 'of the machine';

    const { payload } = await invoke({ do: 'context' });

    expect(payload).toMatchObject({
      functionName: WORKER,
      memoryLimitInMB: '256',
      invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:fixture-worker',
    });
    expect(payload.remaining).toBeGreaterThan(1_000);
    expect(payload.remaining).toBeLessThanOrEqual(2_000);
    expect(payload.environment).toMatchObject({
      TABLE: 'fixture-Ledger',
      GREETING: 'hello from us-east-1',
      CHOSEN: 'b',
      AWS_REGION: 'us-east-1',
      AWS_LAMBDA_FUNCTION_NAME: WORKER,
      AWS_ENDPOINT_URL: engine.url,
      POWERTOOLS_TRACE_ENABLED: 'false',
    });
    for (const absent of ['ENGINE_TEST_SECRET', 'HOME', 'AWS_EXECUTION_ENV', 'NODE_CHANNEL_FD']) {
      expect(payload.environment).not.toHaveProperty(absent);
    }
  });

  test('cannot import what its bundle does not hold, although the project around it has it', async () => {
    const foreign = await invoke({ do: 'import', module: 'canonicalize' });
    const builtin = await invoke({ do: 'import', module: 'node:path' });

    expect(foreign.payload.errorMessage).toBe(
      "Cannot find package 'canonicalize': it is not in the function's bundle",
    );
    expect(builtin.payload).toContain('join');
  });

  test('in CommonJS runs although the project around it is a module', async () => {
    const { payload } = await engine.invoke('fixture-ask', { question: 'Well?', token: 't' });

    expect(JSON.parse(payload)).toEqual({ asked: 'Well?' });
  });

  test('is listed with its timeout', async () => {
    const { Functions } = await client.send(new ListFunctionsCommand({}));

    expect(Functions?.map(({ FunctionName, Timeout }) => [FunctionName, Timeout])).toContainEqual([
      WORKER,
      2,
    ]);
  });

  test('runs in no more processes than allowed; what comes above waits its turn', async () => {
    const pids = new Set<number>();
    const watch = setInterval(() => {
      for (const pid of engine.pids(WORKER)) pids.add(pid);
    }, 5);

    const answers = await Promise.all(Array.from({ length: 6 }, () => invoke({ do: 'sleep', ms: 150 })));

    clearInterval(watch);
    expect(engine.maxProcessesPerFunction).toBe(2);
    expect(answers.map(({ payload }) => payload.slept)).toEqual([150, 150, 150, 150, 150, 150]);
    expect(new Set(answers.map(({ payload }) => payload.pid)).size).toBe(2);
    expect(pids.size).toBe(2);
  });

  test('that nobody calls gives its process up', async () => {
    const short = await startFixture({ idleMs: 50 });
    try {
      await short.invoke(WORKER, {});
      const [pid] = short.pids(WORKER);

      await until('the process is gone', () => pid !== undefined && !isRunning(pid));

      const { payload } = await short.invoke(WORKER, {});
      expect(JSON.parse(payload).calls).toBe(1);
    } finally {
      await short.stop();
    }
  });
});

test('nothing is left when the engine has stopped, not even a busy loop', async () => {
  const stopping = await startFixture();
  void stopping.invoke(WORKER, { do: 'spin' });
  void stopping.invoke('fixture-ask', {});
  const pids = await until('both run', () => {
    const found = [...stopping.pids(WORKER), ...stopping.pids('fixture-ask')];
    return found.length === 2 && found;
  });

  await stopping.stop();

  expect(pids.filter(isRunning)).toEqual([]);
  await expect(fetch(stopping.url)).rejects.toThrow();
});

test('more requests than an account may have under way are refused, as in AWS, and can be retried', async () => {
  const narrow = await startFixture({ lambdaConcurrency: 2, maxProcessesPerFunction: 1 });
  const lambda = new LambdaClient(clientSettings(narrow.url));
  try {
    const busy = [1, 2].map(() => narrow.invoke(WORKER, { do: 'sleep', ms: 1_200 }));

    await expect(lambda.send(new InvokeCommand({ FunctionName: WORKER }))).rejects.toMatchObject({
      name: 'TooManyRequestsException',
      Reason: 'ConcurrentInvocationLimitExceeded',
      $metadata: { httpStatusCode: 429 },
    });
    await lambda.send(new InvokeCommand({ FunctionName: WORKER, InvocationType: 'Event' }));
    narrow.executions.start(MACHINE_ARN, 'throttled');
    const ended = await until('it ended', () => narrow.executions.find(executionArn('throttled')).end);

    expect(JSON.parse(ended.cause ?? '')).toEqual({
      Error: 'Lambda.TooManyRequestsException',
      Cause: 'Rate Exceeded. (Service: Lambda, Status Code: 429)',
    });
    await Promise.all(busy);
    await until('the throttled event came to its turn', () =>
      narrow.logLines(WORKER).includes('worker call 3 does nothing'),
    );
  } finally {
    lambda.destroy();
    await narrow.stop();
  }
});
