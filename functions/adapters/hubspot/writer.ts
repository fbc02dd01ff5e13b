import type { Outcome } from '../../domain/outcome.ts';
import type { ContactWriter, WriteCall } from '../../ports/contacts.ts';
import type { TaskBody, TaskWriter } from '../../ports/tasks.ts';
import type { DestinationOptions } from '../http/destination-options.ts';
import { type WriteRequest, writeOnce } from '../http/write-once.ts';
import { classify } from './classify.ts';
import { OWNER_PROPERTY } from './properties.ts';
import { stampedBody, stampToken } from './task-stamp.ts';

export interface HubspotWriterOptions extends DestinationOptions {
  /** A task property that the portal declares unique; it is given the stamp's token. */
  readonly taskUniqueProperty?: string;
}

/** HubSpot's own association from a task to a contact. */
const TASK_TO_CONTACT = 204;

type Properties = Readonly<Record<string, string>>;

/**
 * Writes contacts, owners and tasks to HubSpot: one request per call, never retried, never thrown. The reasons are those of
 * `writeOnce` and `classify`.
 *
 * @see https://developers.hubspot.com/docs/api-reference/latest/crm/objects/contacts/guide
 * @see https://developers.hubspot.com/docs/api-reference/latest/crm/activities/tasks/guide
 */
export function hubspotWriter(options: HubspotWriterOptions): ContactWriter & TaskWriter {
  const write = async (request: Request, properties: Properties, call: WriteCall): Promise<Outcome> => {
    const { associations, ...rest } = request;
    const body = JSON.stringify({ properties, ...(associations ? { associations } : {}) });
    const written = await writeOnce(options, call, { ...rest, body });
    if ('outcome' in written) return written.outcome;
    return classify(written.answer, { creates: rest.method === 'POST', properties }, options.clock());
  };
  const patch = (contactId: string, properties: Properties, call: WriteCall) =>
    write(
      {
        method: 'PATCH',
        path: `/crm/v3/objects/contacts/${encodeURIComponent(contactId)}`,
        label: '/crm/v3/objects/contacts/{id}',
      },
      properties,
      call,
    );

  return {
    async createContact(properties, call) {
      const outcome = await write(CREATE_CONTACT, properties, call);
      const conflict = outcome.outcome === 'unknown' && outcome.reason === 'already-exists';
      return conflict ? { ...outcome, conflict: true as const } : outcome;
    },
    createTask: (task, call) =>
      write(taskRequest(task), taskProperties(task, options.taskUniqueProperty), call),
    update: patch,
    setOwner: (contactId, ownerId, call) => patch(contactId, { [OWNER_PROPERTY]: ownerId }, call),
  };
}

interface Request extends Omit<WriteRequest, 'body' | 'headers'> {
  readonly associations?: readonly object[];
}

const CREATE_CONTACT: Request = {
  method: 'POST',
  path: '/crm/v3/objects/contacts',
  label: '/crm/v3/objects/contacts',
};

function taskRequest(task: TaskBody): Request {
  return {
    method: 'POST',
    path: '/crm/v3/objects/tasks',
    label: '/crm/v3/objects/tasks',
    associations: [
      {
        to: { id: task.contactId },
        types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: TASK_TO_CONTACT }],
      },
    ],
  };
}

function taskProperties(task: TaskBody, uniqueProperty: string | undefined): Properties {
  return {
    hs_timestamp: new Date(task.dueAt).toISOString(),
    hs_task_subject: task.subject,
    hs_task_body: stampedBody(task.body, task.stamp),
    hs_task_status: 'NOT_STARTED',
    hs_task_type: 'TODO',
    ...(task.ownerId === null ? {} : { [OWNER_PROPERTY]: task.ownerId }),
    ...(uniqueProperty === undefined ? {} : { [uniqueProperty]: stampToken(task.stamp) }),
  };
}
