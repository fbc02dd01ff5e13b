import { expect, test } from 'vitest';
import { drawnWorkflow, type StateGraph } from './drawn-workflow.ts';

/** The states that are entered when every task succeeds. */
function happyPath(graph: StateGraph): string[] {
  const entered: string[] = [];
  for (let name: string | undefined = graph.StartAt; name !== undefined; name = graph.States[name]?.Next) {
    entered.push(name, ...(graph.States[name]?.Branches ?? []).flatMap(happyPath));
  }
  return entered;
}

test('a handoff without trouble enters six states', () => {
  expect(happyPath(drawnWorkflow())).toEqual([
    'Upsert contact',
    'Assign owner',
    'Create task and send introduction',
    'Create task',
    'Send introduction',
    'Close record',
  ]);
});
