import { readValue, setProperty, type Task } from './crm-record.ts';
import type { Source } from './property-history.ts';
import { nextCrmId, type SandboxState } from './state.ts';

export function createTask(
  state: SandboxState,
  properties: Readonly<Record<string, string>>,
  contactIds: readonly string[],
  at: number,
  source: Source,
): Task {
  const task: Task = {
    id: nextCrmId(state),
    createdAt: at,
    archivedAt: null,
    history: new Map(),
    contactIds: [...new Set(contactIds)],
  };
  state.tasks.set(task.id, task);
  writeTask(task, properties, at, source);
  return task;
}

/** True when anything changed. */
export function writeTask(
  task: Task,
  properties: Readonly<Record<string, string>>,
  at: number,
  source: Source,
): boolean {
  let changed = false;
  for (const [name, value] of Object.entries(properties)) {
    changed = setProperty(task, name, value, at, source) || changed;
  }
  return changed;
}

/** The live task that holds this value of a unique property now. */
export function holderOf(state: SandboxState, property: string, value: string): Task | null {
  for (const task of state.tasks.values()) {
    if (task.archivedAt === null && readValue(task, property) === value) return task;
  }
  return null;
}
