import { describe, expect, test } from 'vitest';
import { drawnWorkflow, type StateGraph } from './drawn-workflow.ts';

/** Every way from one state into another: `Upsert contact`, `Upsert contact (catch States.ALL)`, `start of …`. */
function waysInto(graph: StateGraph, name = 'the workflow'): Map<string, string[]> {
  const ways = new Map<string, string[]>();
  const add = (to: string | undefined, from: string) => {
    if (to !== undefined) ways.set(to, [...(ways.get(to) ?? []), from].sort());
  };
  add(graph.StartAt, `start of ${name}`);
  for (const [from, state] of Object.entries(graph.States)) {
    add(state.Next, from);
    add(state.Default, `${from} (default)`);
    for (const choice of state.Choices ?? []) add(choice.Next, `${from} ${choice.Condition}`);
    for (const caught of state.Catch ?? []) add(caught.Next, `${from} (catch ${caught.ErrorEquals.join()})`);
    for (const branch of state.Branches ?? []) {
      for (const [to, froms] of waysInto(branch, `a branch of ${from}`)) {
        for (const way of froms) add(to, way);
      }
    }
  }
  return ways;
}

describe('I8: all roads into an action lead through its reconcile', () => {
  const ways = waysInto(drawnWorkflow());

  test.each([
    [
      'Upsert contact',
      [
        "Contact: what now? {% $states.input.`upsert-contact`.disposition = 'resume' %}",
        'start of the workflow',
      ],
    ],
    [
      'Assign owner',
      [
        'Contact: kept',
        'Contact: stopped',
        "Owner: what now? {% $states.input.`assign-owner`.disposition = 'resume' %}",
        'Upsert contact',
      ],
    ],
    [
      'Create task',
      [
        "Task: what now? {% $states.input.`create-task`.disposition = 'resume' %}",
        'start of a branch of Create task and send introduction',
      ],
    ],
    [
      'Send introduction',
      [
        "Introduction: what now? {% $states.input.`send-introduction`.disposition = 'resume' %}",
        'start of a branch of Create task and send introduction',
      ],
    ],
  ])('%s is entered from the start of its group and from its choice only', (action, expected) => {
    expect(ways.get(action)).toEqual(expected);
  });

  test.each([
    ['Contact', 'Reconcile contact'],
    ['Owner', 'Reconcile owner'],
    ['Task', 'Reconcile task'],
    ['Introduction', 'Reconcile introduction'],
  ])('%s: what now? is entered from its reconcile only', (subject, reconcile) => {
    expect(ways.get(`${subject}: what now?`)).toEqual([reconcile, `${reconcile} (catch States.ALL)`]);
  });

  test.each([
    ['Contact', 'Upsert contact', 'Reconcile contact'],
    ['Owner', 'Assign owner', 'Reconcile owner'],
    ['Task', 'Create task', 'Reconcile task'],
    ['Introduction', 'Send introduction', 'Reconcile introduction'],
  ])('errors, waits, parked work and answers of %s return to reconcile', (subject, action, reconcile) => {
    expect(ways.get(reconcile)).toEqual(
      [
        `${action} (catch States.ALL)`,
        `${subject}: ask recovery owner`,
        `${subject}: ask recovery owner (catch States.Timeout)`,
        `${subject}: parked`,
        `${subject}: parked (catch States.Timeout)`,
        `${subject}: wait`,
      ].sort(),
    );
  });

  test('an ask or a park that fails at once waits first', () => {
    expect(ways.get('Task: wait')).toEqual([
      'Task: ask recovery owner (catch States.ALL)',
      'Task: parked (catch States.ALL)',
      "Task: what now? {% $states.input.`create-task`.disposition = 'wait' %}",
    ]);
  });

  test('a disposition that nobody knows asks the recovery owner', () => {
    expect(ways.get('Owner: ask recovery owner')).toEqual([
      'Owner: what now? (default)',
      'Owner: what now? {% $states.input.`assign-owner`.turns > 401 %}',
    ]);
  });
});
