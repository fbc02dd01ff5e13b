import { referenceOf } from '../../domain/action.ts';
import type { RouteSettings } from '../../domain/route.ts';
import { renderLine, renderText } from '../../domain/template.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ContactReader } from '../../ports/contacts.ts';
import type { TaskWriter } from '../../ports/tasks.ts';
import { type ActionSteps, contactToFreeze } from './steps.ts';

const HOUR = 3_600_000;

export interface CreateTaskPorts {
  readonly reader: ContactReader;
  readonly writer: TaskWriter;
  readonly route: Pick<RouteSettings, 'task'>;
  readonly clock: Clock;
}

/** The task is for whoever owns the contact when it is frozen; its due date is computed then, once. */
export function createTaskSteps({
  reader,
  writer,
  route,
  clock,
}: CreateTaskPorts): ActionSteps<'create-task'> {
  return {
    async freeze(input) {
      const { handoff, contactId, identity } = input;
      const contact = await contactToFreeze(reader, input);
      const values = {
        lead: handoff.lead,
        owner: { name: '', email: '' },
        reference: referenceOf(identity),
      };
      return {
        contactId: contact?.id ?? contactId ?? '',
        ownerId: contact?.ownerId ?? handoff.ownerId,
        stamp: identity,
        subject: renderLine(route.task.subject, values),
        body: renderText(route.task.body, values),
        dueAt: clock() + route.task.dueInHours * HOUR,
      };
    },
    perform: ({ body }, call) => writer.createTask(body, call),
  };
}
