import { describe, expect, test } from 'vitest';
import { allStates, drawnWorkflow } from './drawn-workflow.ts';

const states = allStates(drawnWorkflow());
const tasks = Object.entries(states).filter(([, state]) => state.Type === 'Task');
const retriedErrors = (name: string) => (states[name]?.Retry ?? []).flatMap((retry) => retry.ErrorEquals);

const ACTIONS = ['Upsert contact', 'Assign owner', 'Create task', 'Send introduction'];
const READERS = ['Reconcile contact', 'Reconcile owner', 'Reconcile task', 'Reconcile introduction'];

describe('an action is delivered again only where it is the same attempt', () => {
  test.each(ACTIONS)('%s', (action) => {
    expect(retriedErrors(action)).toEqual([
      'Lambda.TooManyRequestsException',
      'IdempotencyAlreadyInProgressError',
      'LedgerUnavailable',
    ]);
  });
});

test.each(READERS)('%s repeats what Lambda could not run, but no timeout', (reader) => {
  expect(retriedErrors(reader)).toEqual([
    'Lambda.TooManyRequestsException',
    'Lambda.ServiceException',
    'Lambda.AWSLambdaException',
    'Lambda.SdkClientException',
    'LedgerUnavailable',
  ]);
});

test('a close runs again after any error: the worker may have closed the handoff before it was lost', () => {
  expect(retriedErrors('Close record')).toEqual(['States.ALL']);
});

test('every retry is bounded', () => {
  const attempts = tasks.flatMap(([, state]) => (state.Retry ?? []).map((retry) => retry.MaxAttempts));
  expect(attempts).toEqual(Array(9).fill(5));
});

test('a state that waits on a task token is never retried: the function would hand out a second token', () => {
  const tokenTasks = tasks.filter(([, state]) => state.Resource?.endsWith('.waitForTaskToken'));
  expect(tokenTasks.map(([name]) => name).sort()).toEqual([
    'Contact: ask recovery owner',
    'Contact: parked',
    'Introduction: ask recovery owner',
    'Introduction: parked',
    'Owner: ask recovery owner',
    'Owner: parked',
    'Task: ask recovery owner',
    'Task: parked',
  ]);
  expect(tokenTasks.filter(([, state]) => state.Retry !== undefined)).toEqual([]);
});

test('only a close that fails may fail the execution', () => {
  const uncaught = tasks.filter(
    ([, state]) => !state.Catch?.some(({ ErrorEquals }) => ErrorEquals[0] === 'States.ALL'),
  );
  expect(uncaught.map(([name]) => name)).toEqual(['Close record']);
});

test('no state starts without a timeout', () => {
  expect(tasks.filter(([, state]) => state.TimeoutSeconds === undefined)).toEqual([]);
});
