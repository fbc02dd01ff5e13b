import { mergeContacts } from './contact-merge.ts';
import {
  archiveContact,
  createContact,
  findByEmail,
  findById,
  restoreContact,
  writeContact,
} from './contact-store.ts';
import {
  ControlRefusal,
  check,
  type PersonAction,
  type PersonInput,
  personSchemas,
} from './control-schema.ts';
import type { Contact, Task } from './crm-record.ts';
import { HubspotRefusal } from './hubspot-errors.ts';
import { parseWrite } from './hubspot-properties.ts';
import { inspectContact, inspectEmail, inspectTask } from './inspect.ts';
import { person } from './property-history.ts';
import { withSettings } from './settings.ts';
import type { SandboxState } from './state.ts';
import { createTask, writeTask } from './task-store.ts';

/** People who work in the CRM's screens, as the control API plays them. Their changes carry the source `CRM_UI`. */

type Deeds = { [A in PersonAction]: (state: SandboxState, input: PersonInput<A>, at: number) => unknown };

const deeds: Deeds = {
  'set-owner': (state, input, at) => edited(state, input, { hubspot_owner_id: input.ownerId ?? '' }, at),
  edit: (state, input, at) => edited(state, input, input.properties, at),
  'opt-out': (state, input, at) => edited(state, input, { hs_email_optout: 'true' }, at),
  create: (state, { properties, byUserId }, at) => {
    const checked = checkedProperties(state, 'contacts', properties);
    if (checked.email && findByEmail(state, checked.email)) {
      throw new ControlRefusal(400, 'The field "properties.email" is wrong: a contact with it exists.');
    }
    return inspectContact(createContact(state, checked, at, person(byUserId)));
  },
  merge: (state, input, at) => {
    const primary = wantedContact(state, input);
    const other = wantedContact(state, { contactId: input.otherContactId, email: input.otherEmail }, 'other');
    if (primary.id === other.id) {
      throw new ControlRefusal(400, 'The field "otherContactId" is wrong: it is the same contact.');
    }
    return inspectContact(mergeContacts(state, primary, other, at));
  },
  archive: (state, input, at) => {
    const contact = wantedContact(state, input);
    archiveContact(state, contact, at);
    return inspectContact(contact);
  },
  restore: (state, { contactId }) => {
    const contact = findById(state, contactId);
    if (!contact || contact.archivedAt === null) throw new ControlRefusal(404, 'No such archived contact.');
    restoreContact(state, contact);
    return inspectContact(contact);
  },
  'create-task': (state, input, at) => {
    const contact = wantedContact(state, input);
    const properties = checkedProperties(state, 'tasks', input.properties);
    return inspectTask(createTask(state, properties, [contact.id], at, person(input.byUserId)));
  },
  'edit-task': (state, { taskId, properties, byUserId }, at) => {
    const task = wantedTask(state, taskId);
    writeTask(task, checkedProperties(state, 'tasks', properties), at, person(byUserId));
    return inspectTask(task);
  },
  'complete-task': (state, { taskId, byUserId }, at) => {
    const task = wantedTask(state, taskId);
    writeTask(task, { hs_task_status: 'COMPLETED' }, at, person(byUserId));
    return inspectTask(task);
  },
  'archive-task': (state, { taskId }, at) => {
    const task = wantedTask(state, taskId);
    task.archivedAt = at;
    return inspectTask(task);
  },
  'archive-owner': (state, { ownerId }) => {
    const { owners } = state.settings;
    if (!owners.some(({ id }) => id === ownerId)) throw new ControlRefusal(404, 'No such owner.');
    const left = owners.map((owner) => (owner.id === ownerId ? { ...owner, archived: true } : owner));
    state.settings = withSettings(state.settings, { owners: left });
    return { owners: left };
  },
  'email-event': (state, { emailId, lastEvent }) => {
    const email = state.emailById.get(emailId);
    if (!email) throw new ControlRefusal(404, 'No such email.');
    email.lastEvent = lastEvent;
    return inspectEmail(email);
  },
};

/** Does what the person does and returns the record as `/inspect` shows it. Throws `ControlRefusal`. */
export function act(state: SandboxState, action: string, body: unknown, at: number): unknown {
  if (!isAction(action)) {
    throw new ControlRefusal(404, `People can: ${Object.keys(personSchemas).join(', ')}; not "${action}".`);
  }
  return perform(state, action, body, at);
}

function perform<A extends PersonAction>(state: SandboxState, action: A, body: unknown, at: number): unknown {
  const input = check(personSchemas[action], body) as PersonInput<A>;
  return deeds[action](state, input, at);
}

function isAction(action: string): action is PersonAction {
  return Object.hasOwn(personSchemas, action);
}

interface OneContact {
  readonly contactId?: string | undefined;
  readonly email?: string | undefined;
}

function edited(
  state: SandboxState,
  input: OneContact & { readonly byUserId?: number | undefined },
  properties: Readonly<Record<string, string>>,
  at: number,
): unknown {
  const contact = wantedContact(state, input);
  writeContact(state, contact, checkedProperties(state, 'contacts', properties), at, person(input.byUserId));
  return inspectContact(contact);
}

function wantedContact(
  state: SandboxState,
  { contactId, email }: OneContact,
  prefix: 'other' | '' = '',
): Contact {
  const names = prefix === '' ? '"contactId" or "email"' : '"otherContactId" or "otherEmail"';
  if ((contactId === undefined) === (email === undefined)) {
    throw new ControlRefusal(400, `Exactly one of the fields ${names} is needed.`);
  }
  const contact = email === undefined ? findById(state, contactId ?? '') : findByEmail(state, email);
  if (!contact || contact.archivedAt !== null) {
    throw new ControlRefusal(404, `No live contact was found by the field ${names}.`);
  }
  return contact;
}

function wantedTask(state: SandboxState, taskId: string): Task {
  const task = state.tasks.get(taskId);
  if (!task || task.archivedAt !== null)
    throw new ControlRefusal(404, 'No live task was found by the field "taskId".');
  return task;
}

/** A person's screen takes the same values as the API. */
export function checkedProperties(
  state: SandboxState,
  type: 'contacts' | 'tasks',
  properties: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  try {
    return parseWrite({ properties }, type, state.settings).properties;
  } catch (error) {
    if (error instanceof HubspotRefusal) {
      throw new ControlRefusal(400, `The field "properties" is wrong: ${error.message}`);
    }
    throw error;
  }
}
