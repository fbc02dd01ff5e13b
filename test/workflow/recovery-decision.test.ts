import validate from 'asl-validator';
import { describe, expect, test } from 'vitest';
import { drawnDecision, type State } from './drawn-workflow.ts';
import { evaluate } from './evaluate.ts';

const definition = drawnDecision();

function state(name: string): State {
  const found = definition.States[name];
  if (!found) throw new Error(`There is no state ${name}.`);
  return found;
}

const REFUSED = {
  refused: { error: 'NobodyIsAsked', message: 'Nobody is asked about create-task of website/lr-1.' },
};
const ANSWERED = { answer: { recorded: 'now', waiting: [{ leadRequestId: 'lr-2' }] } };

test('the state machine is valid in the states language', () => {
  expect(definition).toMatchObject({ QueryLanguage: 'JSONata', StartAt: 'Decide' });
  expect(validate(definition, { checkPaths: true })).toMatchObject({ isValid: true, errors: [] });
});

test('the function gets the request as it was typed, and the route from the definition', async () => {
  const typed = { route: 'another', leadRequestId: 'lr-1', decision: 'resume', evidence: [{ id: 'x' }] };
  const context = { Execution: { Name: 'an-execution' } };
  const payload = Object.entries(state('Decide').Arguments?.Payload ?? {}).map(async ([key, expression]) => [
    key,
    await evaluate(expression, { input: typed, context }),
  ]);
  expect(Object.fromEntries(await Promise.all(payload))).toEqual({
    route: 'website',
    request: typed,
    execution: 'an-execution',
  });
  expect(state('Decide').Arguments?.FunctionName).toMatch(/:function:decide$/);
});

test('recording is tried again where a repeat changes nothing, with an end', () => {
  expect(state('Decide')).toMatchObject({ TimeoutSeconds: 25, Next: 'Refused?' });
  expect(state('Decide').Retry).toMatchObject([
    {
      // A timeout and a lost worker included: who sees it fail believes that nothing was recorded.
      ErrorEquals: ['States.ALL'],
      MaxAttempts: 5,
    },
  ]);
});

describe("the function's answer", () => {
  const answered = async (answer: object) =>
    evaluate(state('Decide').Output, { input: {}, result: { Payload: answer, StatusCode: 200 } });
  const next = async (answer: object) => {
    const [choice] = state('Refused?').Choices ?? [];
    const refused = await evaluate(choice?.Condition, { input: await answered(answer) });
    return refused === true ? choice?.Next : state('Refused?').Default;
  };

  test('a refusal fails the execution under its name, with its sentence', async () => {
    expect(await next(REFUSED)).toBe('Refused');
    const refused = state('Refused');
    const input = await answered(REFUSED);
    expect(refused.Type).toBe('Fail');
    expect(await evaluate(refused.Error, { input })).toBe(REFUSED.refused.error);
    expect(await evaluate(refused.Cause, { input })).toBe(REFUSED.refused.message);
  });

  test("anything else is the execution's output", async () => {
    expect(await next(ANSWERED)).toBe('Done');
    const done = state('Done');
    expect(done.Type).toBe('Succeed');
    expect(await evaluate(done.Output, { input: await answered(ANSWERED) })).toEqual(ANSWERED.answer);
  });
});
