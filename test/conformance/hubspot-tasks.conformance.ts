import { AssociationSpecAssociationCategoryEnum } from '@hubspot/api-client/lib/codegen/crm/objects/tasks/models/AssociationSpec.js';
import { FilterOperatorEnum } from '@hubspot/api-client/lib/codegen/crm/objects/tasks/models/Filter.js';
import {
  PropertyCreateFieldTypeEnum,
  PropertyCreateTypeEnum,
} from '@hubspot/api-client/lib/codegen/crm/properties/models/PropertyCreate.js';
import { afterEach, describe, expect, it } from 'vitest';
import { TASK_PROPERTIES } from '../../functions/adapters/hubspot/properties.ts';
import { stampedBody, stampToken } from '../../functions/adapters/hubspot/task-stamp.ts';
import type { TaskBody } from '../../functions/ports/tasks.ts';
import { failureOf, taskSeen } from './support/hubspot-views.ts';
import { halves } from './support/meaning.ts';
import {
  closeAll,
  recordIdOf,
  type SecondOpinion,
  type SecondOpinionOptions,
  secondOpinion,
} from './support/second-opinion.ts';

afterEach(closeAll);

const STAMP = 'web/req-1/create-task';
const UNIQUE = 'handoff_stamp';
/** HubSpot's own association from a task to a contact: `AssociationTypes.taskToContact` of its client. */
const TASK_TO_CONTACT = 204;

async function withContact(options: SecondOpinionOptions = {}) {
  const opinion = await secondOpinion(options);
  const contact = await opinion.ours.crmWriter.createContact({ email: 'jane@example.com' }, opinion.call());
  opinion.recorder.taken();
  const task: TaskBody = {
    contactId: recordIdOf(contact),
    ownerId: '71',
    stamp: STAMP,
    subject: 'Call Jane',
    body: 'Please call.',
    dueAt: Date.UTC(2026, 0, 6, 12),
  };
  return { ...opinion, task };
}

function createByClient({ theirs }: SecondOpinion, task: TaskBody, more: Record<string, string> = {}) {
  return theirs.crmWriter.crm.objects.tasks.basicApi.create({
    properties: {
      hs_timestamp: '2026-01-06T12:00:00.000Z',
      hs_task_subject: 'Call Jane',
      hs_task_body: stampedBody(task.body, task.stamp),
      hs_task_status: 'NOT_STARTED',
      hs_task_type: 'TODO',
      hubspot_owner_id: '71',
      ...more,
    },
    associations: [
      {
        to: { id: task.contactId },
        types: [
          {
            associationCategory: AssociationSpecAssociationCategoryEnum.HubspotDefined,
            associationTypeId: TASK_TO_CONTACT,
          },
        ],
      },
    ],
  });
}

function readByClient({ theirs }: SecondOpinion, value: string, archived: boolean, idProperty?: string) {
  return theirs.crm.crm.objects.tasks.basicApi.getById(
    value,
    [...TASK_PROPERTIES],
    undefined,
    ['contacts'],
    archived,
    idProperty,
  );
}

describe('a task', () => {
  it('that our adapter creates is the one that HubSpot’s client creates', async () => {
    const we = await withContact();
    const they = await withContact();

    const id = recordIdOf(await we.ours.crmWriter.createTask(we.task, we.call()));
    await createByClient(they, they.task);

    const ours = await we.bench.inspect();
    expect(ours.tasks).toMatchObject([{ id, contactIds: [we.task.contactId] }]);
    expect(ours).toEqual(await they.bench.inspect());
    const [our, their] = halves([...we.recorder.taken(), ...they.recorder.taken()]);
    expect(our).toEqual(their);
  });

  it('is found by its stamp as HubSpot’s client finds it', async () => {
    const opinion = await withContact({ settings: { searchLagMs: 30_000 } });
    const { bench, ours, theirs, recorder, task, call } = opinion;
    const id = recordIdOf(await ours.crmWriter.createTask(task, call()));
    const search = () =>
      theirs.crm.crm.objects.tasks.searchApi.doSearch({
        filterGroups: [
          {
            filters: [
              {
                propertyName: 'hs_task_body',
                operator: FilterOperatorEnum.ContainsToken,
                value: stampToken(STAMP),
              },
            ],
          },
        ],
        properties: [...TASK_PROPERTIES],
        limit: 100,
      });
    expect((await search()).results).toEqual([]);
    expect(await ours.crm.findByStamp(STAMP)).toBeNull();
    bench.advance(30_001);
    recorder.taken();

    const found = await ours.crm.findByStamp(STAMP);
    const { results, total } = await search();
    const read = await readByClient(opinion, results[0]?.id ?? '', false);

    expect(found).toEqual({ id, archived: false, completed: false, contactIds: [task.contactId] });
    expect(total).toBe(1);
    expect(taskSeen(read)).toEqual(found);
    const [our, their] = halves(recorder.taken());
    expect(our).toEqual(their);
  });

  it('that a person completed is completed for both', async () => {
    const opinion = await withContact();
    const { bench, ours, task, call } = opinion;
    const id = recordIdOf(await ours.crmWriter.createTask(task, call()));
    bench.advance(1_000);
    await bench.person('complete-task', { taskId: id });

    const found = await ours.crm.findByStamp(STAMP);

    expect(found?.completed).toBe(true);
    expect(taskSeen(await readByClient(opinion, id, false))).toEqual(found);
  });

  it('is read by its id as HubSpot’s client reads it, archived or not', async () => {
    const opinion = await withContact();
    const { bench, ours, recorder, task, call } = opinion;
    const id = recordIdOf(await ours.crmWriter.createTask(task, call()));
    recorder.taken();

    const found = await ours.crm.findTask(id);
    const read = await readByClient(opinion, id, false);

    expect(found).toEqual({ id, archived: false, completed: false, contactIds: [task.contactId] });
    expect(taskSeen(read)).toEqual(found);
    const [our, their] = halves(recorder.taken());
    expect(our).toEqual(their);

    bench.advance(1_000);
    await bench.person('archive-task', { taskId: id });
    const archived = await ours.crm.findTask(id);
    expect(archived).toMatchObject({ id, archived: true });
    expect(await failureOf(readByClient(opinion, id, false))).toBe(404);
    expect(taskSeen(await readByClient(opinion, id, true))).toEqual(archived);
  });

  it('that is not there is found by neither', async () => {
    const opinion = await withContact();

    expect(await opinion.ours.crm.findTask('999999')).toBeNull();
    expect(await failureOf(readByClient(opinion, '999999', false))).toBe(404);
    expect(await failureOf(readByClient(opinion, '999999', true))).toBe(404);
  });

  it('for a contact that is not there is refused to both', async () => {
    const opinion = await withContact();
    const lost = { ...opinion.task, contactId: '999999' };

    expect(await failureOf(createByClient(opinion, lost))).toBe(400);
    expect(await opinion.ours.crmWriter.createTask(lost, opinion.call())).toMatchObject({
      outcome: 'refused',
    });
    expect((await opinion.bench.inspect()).tasks).toEqual([]);
  });
});

describe('a unique task property', () => {
  async function withUnique(settings: SecondOpinionOptions['settings'] = {}) {
    const opinion = await withContact({ settings, taskUniqueProperty: UNIQUE });
    const made = await opinion.theirs.crmWriter.crm.properties.coreApi.create('tasks', {
      name: UNIQUE,
      label: 'Handoff stamp',
      groupName: 'task',
      type: PropertyCreateTypeEnum.String,
      fieldType: PropertyCreateFieldTypeEnum.Text,
      hasUniqueValue: true,
    });
    expect(made).toMatchObject({ name: UNIQUE, hasUniqueValue: true });
    opinion.recorder.taken();
    return opinion;
  }

  it('that HubSpot’s client declared holds our stamp, by which both read the task, archived or not', async () => {
    const opinion = await withUnique({ searchLagMs: 30_000 });
    const { bench, ours, recorder, task, call } = opinion;
    const id = recordIdOf(await ours.crmWriter.createTask(task, call()));
    recorder.taken();

    const found = await ours.crm.findByStamp(STAMP);
    const read = await readByClient(opinion, stampToken(STAMP), false, UNIQUE);

    expect(found).toMatchObject({ id, archived: false });
    expect(taskSeen(read)).toEqual(found);
    const [our, their] = halves(recorder.taken());
    expect(our).toEqual(their);

    bench.advance(1_000);
    await bench.person('archive-task', { taskId: id });
    const archived = await ours.crm.findByStamp(STAMP);
    expect(archived).toMatchObject({ id, archived: true });
    expect(await failureOf(readByClient(opinion, stampToken(STAMP), false, UNIQUE))).toBe(404);
    expect(taskSeen(await readByClient(opinion, stampToken(STAMP), true, UNIQUE))).toEqual(archived);
  });

  it.each([400, 409] as const)('refuses a second task to both with %i', async (status) => {
    const opinion = await withUnique({ uniqueConflictStatus: status });
    const { bench, ours, task, call } = opinion;
    recordIdOf(await ours.crmWriter.createTask(task, call()));

    const second = createByClient(opinion, task, { [UNIQUE]: stampToken(STAMP) });

    expect(await failureOf(second)).toBe(status);
    expect(await ours.crmWriter.createTask(task, call())).toEqual({
      outcome: 'unknown',
      reason: 'already-exists',
    });
    expect((await bench.inspect()).tasks).toHaveLength(1);
  });
});
