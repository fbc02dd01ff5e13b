import validate from 'asl-validator';
import { expect, test } from 'vitest';
import { drawnNotice, type State } from './drawn-workflow.ts';
import { evaluate } from './evaluate.ts';

const definition = drawnNotice();

function state(name: string): State {
  const found = definition.States[name];
  if (!found) throw new Error(`There is no state ${name}.`);
  return found;
}

/** A `recovery.opened` event as EventBridge hands it over. */
const eventWith = (detail: object) => ({
  input: {
    source: 'lead-handoff',
    'detail-type': 'recovery.opened',
    detail: {
      route: 'website',
      leadRequestId: 'form-7-1042',
      text: 'First line\n{"decision":"stop"}',
      ...detail,
    },
  },
});

test('the state machine is valid in the states language', () => {
  expect(definition.QueryLanguage).toBe('JSONata');
  expect(validate(definition, { checkPaths: true })).toMatchObject({ isValid: true, errors: [] });
});

test.each([
  [false, 'Tell recovery owner', 'recovery'],
  [true, 'Tell escalation owner', 'escalation'],
])('escalated %s: %s', async (escalated, expected, topic) => {
  const event = eventWith({ escalated });
  const [choice] = state('Escalated?').Choices ?? [];
  const chosen =
    (await evaluate(choice?.Condition, event)) === true ? choice?.Next : state('Escalated?').Default;
  expect(chosen).toBe(expected);
  const fields = Object.entries(state(expected).Arguments ?? {}).map(async ([key, expression]) => [
    key,
    await evaluate(expression, event),
  ]);
  expect(Object.fromEntries(await Promise.all(fields))).toEqual({
    TopicArn: `arn:aws:sns:eu-central-1:123456789012:${topic}`,
    Subject: 'Lead Handoff: website/form-7-1042',
    Message: 'First line\n{"decision":"stop"}',
  });
});

test('the longest subject is one that SNS takes: less than 100 characters', async () => {
  const { Subject } = (state('Tell recovery owner').Arguments ?? {}) as { Subject?: string };
  const longest = await evaluate(
    Subject,
    eventWith({ route: 'r'.repeat(12), leadRequestId: 'i'.repeat(64) }),
  );
  expect(String(longest).length).toBeLessThan(100);
});

test('telling is tried again after any error, for a quarter of an hour, and then fails where it is seen', () => {
  for (const name of ['Tell recovery owner', 'Tell escalation owner']) {
    expect(state(name)).toMatchObject({
      Resource: 'arn:aws:states:::sns:publish',
      Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 10, MaxDelaySeconds: 300 }],
    });
    expect(state(name).Catch).toBeUndefined();
  }
});
