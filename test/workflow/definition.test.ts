import validate from 'asl-validator';
import { expect, test } from 'vitest';
import { allStates, drawnWorkflow } from './drawn-workflow.ts';

const definition = drawnWorkflow();

test('the workflow is valid in the states language', () => {
  expect(definition.QueryLanguage).toBe('JSONata');
  expect(validate(definition, { checkPaths: true })).toMatchObject({ isValid: true, errors: [] });
});

test('every state invokes its own function', () => {
  const states = allStates(definition);
  const functions = Object.entries(states).flatMap(([name, state]) =>
    state.Arguments ? [[name, state.Arguments.FunctionName.replace(/.*:function:/, '')]] : [],
  );
  expect(Object.fromEntries(functions)).toEqual({
    'Upsert contact': 'upsert-contact',
    'Reconcile contact': 'reconcile-upsert-contact',
    'Contact: parked': 'park',
    'Contact: ask recovery owner': 'ask',
    'Assign owner': 'assign-owner',
    'Reconcile owner': 'reconcile-assign-owner',
    'Owner: parked': 'park',
    'Owner: ask recovery owner': 'ask',
    'Create task': 'create-task',
    'Reconcile task': 'reconcile-create-task',
    'Task: parked': 'park',
    'Task: ask recovery owner': 'ask',
    'Send introduction': 'send-introduction',
    'Reconcile introduction': 'reconcile-send-introduction',
    'Introduction: parked': 'park',
    'Introduction: ask recovery owner': 'ask',
    'Close record': 'close',
  });
});
