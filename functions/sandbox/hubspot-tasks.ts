import * as v from 'valibot';
import { type Call, jsonBody, param, writerOf } from './call.ts';
import { findById } from './contact-store.ts';
import { existsAt, isArchived, modifiedAt, readValue, type Task } from './crm-record.ts';
import { HubspotRefusal, invalidInput, invalidValues, notFound } from './hubspot-errors.ts';
import { objectOnTheWire, type View, viewFromQuery } from './hubspot-object.ts';
import { page } from './hubspot-paging.ts';
import { knowsProperty, parseWrite } from './hubspot-properties.ts';
import { search } from './hubspot-search.ts';
import { EVERYTHING, horizon } from './property-history.ts';
import type { SandboxState } from './state.ts';
import { createTask, holderOf, writeTask } from './task-store.ts';
import { type Answer, ok } from './wire.ts';

/**
 * Tasks as `/crm/v3/objects/tasks` serves them.
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/activities/tasks/guide
 */

const ALWAYS = ['hs_createdate', 'hs_lastmodifieddate', 'hs_object_id'];

/** HubSpot's own association of a task to a contact. */
const TASK_TO_CONTACT = 204;

/** `GET …/{id}`, also with `idProperty=` a unique property. */
export function readTask(call: Call): Answer {
  const until = horizon(call.now, call.state.settings.keyReadLagMs);
  const wantArchived = call.query.get('archived') === 'true';
  const task = wantedTask(call, until, wantArchived);
  if (!task || isArchived(task, until) !== wantArchived) throw notFound(param(call, 0));
  return ok(taskOnTheWire(call.state, task, viewFromQuery(call.query, until)));
}

export function createTaskRoute(call: Call): Answer {
  const { properties, associations } = parseWrite(jsonBody(call), 'tasks', call.state.settings);
  if (!properties.hs_timestamp) {
    throw invalidInput('Error creating TASK. Some required properties were not set.', {
      context: { properties: ['hs_timestamp'] },
    });
  }
  const contactIds = associatedContactIds(call.state, associations);
  refuseDuplicates(call.state, properties, null);
  const task = createTask(call.state, properties, contactIds, call.now, writerOf(call));
  return { status: 201, body: taskOnTheWire(call.state, task, written(properties)), applied: true };
}

export function updateTask(call: Call): Answer {
  const task = wantedTask(call, EVERYTHING, false);
  if (!task || task.archivedAt !== null) throw notFound(param(call, 0));
  const { properties } = parseWrite(jsonBody(call), 'tasks', call.state.settings);
  refuseDuplicates(call.state, properties, task.id);
  writeTask(task, properties, call.now, writerOf(call));
  return { ...ok(taskOnTheWire(call.state, task, written(properties))), applied: true };
}

export function archiveTask(call: Call): Answer {
  const task = call.state.tasks.get(param(call, 0));
  if (!task) throw notFound(param(call, 0));
  const applied = task.archivedAt === null;
  if (applied) task.archivedAt = call.now;
  return { status: 204, applied };
}

export function listTasks(call: Call): Answer {
  const until = horizon(call.now, call.state.settings.keyReadLagMs);
  const view = viewFromQuery(call.query, until);
  const wantArchived = call.query.get('archived') === 'true';
  const shown = [...call.state.tasks.values()].filter(
    (task) => existsAt(task, until) && isArchived(task, until) === wantArchived,
  );
  return ok(page(shown, call.query, (task) => taskOnTheWire(call.state, task, view)));
}

/** Searches by any property, and by `associations.contact`. */
export function searchTasks(call: Call): Answer {
  const until = horizon(call.now, call.state.settings.searchLagMs);
  const candidates = [...call.state.tasks.values()].filter(
    (task) => existsAt(task, until) && !isArchived(task, until),
  );
  const found = search(jsonBody(call), candidates, {
    isKnown: (name) => name === 'associations.contact' || knowsProperty('tasks', name, call.state.settings),
    valuesOf: (task, name) => {
      if (name === 'associations.contact') return task.contactIds;
      const value = taskValue(task, name, until);
      return value === null ? [] : [value];
    },
    render: (task, properties) =>
      taskOnTheWire(call.state, task, { until, properties, withHistory: [], associations: [] }),
  });
  return ok(found);
}

function wantedTask(call: Call, until: number, archived: boolean): Task | null {
  const wanted = param(call, 0);
  const idProperty = call.query.get('idProperty');
  if (!idProperty || idProperty === 'hs_object_id') {
    const task = call.state.tasks.get(wanted);
    return task && existsAt(task, until) ? task : null;
  }
  if (!call.state.settings.uniqueTaskProperties.includes(idProperty)) {
    throw invalidInput(`The property ${idProperty} is not a unique property of tasks.`);
  }
  for (const task of call.state.tasks.values()) {
    if (
      readValue(task, idProperty, until) === wanted &&
      existsAt(task, until) &&
      isArchived(task, until) === archived
    ) {
      return task;
    }
  }
  return null;
}

function refuseDuplicates(
  state: SandboxState,
  properties: Readonly<Record<string, string>>,
  ownId: string | null,
): void {
  for (const name of state.settings.uniqueTaskProperties) {
    const value = properties[name];
    const holder = value ? holderOf(state, name, value) : null;
    if (!holder || holder.id === ownId) continue;
    if (state.settings.uniqueConflictStatus === 409) {
      throw new HubspotRefusal(409, 'CONFLICT', `Task already exists. Existing ID: ${holder.id}`);
    }
    const message = `Cannot set ${name}: ${holder.id} already has that value.`;
    throw invalidValues([{ name, error: 'CONFLICTING_UNIQUE_VALUE', message }], state.settings.portalId);
  }
}

const associationsSchema = v.optional(
  v.nullable(
    v.array(
      v.object({
        to: v.object({ id: v.pipe(v.union([v.string(), v.number()]), v.transform(String)) }),
        types: v.array(v.object({ associationCategory: v.string(), associationTypeId: v.number() })),
      }),
    ),
  ),
);

/** https://developers.hubspot.com/docs/api-reference/legacy/crm/associations/association-details/guide */
function associatedContactIds(state: SandboxState, associations: unknown): string[] {
  const parsed = v.safeParse(associationsSchema, associations);
  if (!parsed.success) throw invalidInput(`Invalid associations: ${v.summarize(parsed.issues)}`);
  return (parsed.output ?? []).map(({ to, types }) => {
    const isTaskToContact = types.some(
      (type) => type.associationCategory === 'HUBSPOT_DEFINED' && type.associationTypeId === TASK_TO_CONTACT,
    );
    if (!isTaskToContact)
      throw invalidInput(`No association type of a task to ${to.id} was given that exists.`);
    const contact = findById(state, to.id);
    if (!contact || contact.archivedAt !== null) {
      throw invalidInput(`CONTACT=${to.id} is not valid`, {
        subCategory: 'crm.associations.INVALID_OBJECT_IDS',
      });
    }
    return contact.id;
  });
}

function written(properties: Readonly<Record<string, string>>): View {
  return { until: EVERYTHING, properties: Object.keys(properties), withHistory: [], associations: [] };
}

function taskOnTheWire(state: SandboxState, task: Task, view: View): Record<string, unknown> {
  return objectOnTheWire(task, view, {
    defaults: ALWAYS,
    always: ALWAYS,
    isKnown: (name) => knowsProperty('tasks', name, state.settings),
    valueOf: (name) => taskValue(task, name, view.until),
    associated: (type) => (type === 'contacts' ? { label: 'task_to_contact', ids: task.contactIds } : null),
  });
}

function taskValue(task: Task, name: string, until: number): string | null {
  switch (name) {
    case 'hs_object_id':
      return task.id;
    case 'hs_createdate':
      return new Date(task.createdAt).toISOString();
    case 'hs_lastmodifieddate':
      return new Date(modifiedAt(task, until)).toISOString();
    default:
      return readValue(task, name, until);
  }
}
