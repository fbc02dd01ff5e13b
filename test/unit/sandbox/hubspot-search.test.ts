import { describe, expect, test } from 'vitest';
import { type Bench, bench, CONTACTS, createContact, TASKS, taskBody } from './support.ts';

interface Filter {
  propertyName: string;
  operator: string;
  value?: string;
  highValue?: string;
  values?: string[];
}

/** Three tasks: due on March 2, 3 and 4; the third has no body. Returns the ids that the filters of one group find. */
async function tasksFoundBy(...filters: Filter[]): Promise<string[]> {
  const b = await threeTasks();
  const found = await b.hubspot('POST', `${TASKS}/search`, {
    filterGroups: [{ filters }],
    sorts: ['hs_timestamp'],
  });
  expect(found.status).toBe(200);
  return found.json.results.map((one: { id: string }) => one.id);
}

async function threeTasks(): Promise<Bench> {
  const b = bench();
  const contact = await createContact(b, { email: 'lead@example.org' });
  const other = await createContact(b, { email: 'other@example.org' });
  const first = {
    hs_timestamp: '2026-03-02T09:00:00Z',
    hs_task_body: 'Stamp: web/lead-1/create-task',
    hs_task_priority: 'LOW',
  };
  const second = { hs_timestamp: '2026-03-03T09:00:00Z', hs_task_body: 'Stamp: web/lead-12/create-task' };
  await b.hubspot('POST', TASKS, taskBody(contact, first));
  await b.hubspot('POST', TASKS, taskBody(contact, second));
  await b.hubspot('POST', TASKS, taskBody(other, { hs_timestamp: '2026-03-04T09:00:00Z' }));
  return b;
}

describe('the search endpoints', () => {
  const march3 = String(Date.UTC(2026, 2, 3, 9));
  const due = 'hs_timestamp';
  const body = 'hs_task_body';

  test.each<[string, Filter, string[]]>([
    ['EQ, whatever the case', { propertyName: 'hs_task_priority', operator: 'EQ', value: 'low' }, ['1003']],
    [
      'NEQ, only where there is a value',
      { propertyName: 'hs_task_priority', operator: 'NEQ', value: 'HIGH' },
      ['1003'],
    ],
    ['EQ on a time in milliseconds', { propertyName: due, operator: 'EQ', value: march3 }, ['1004']],
    ['GTE', { propertyName: due, operator: 'GTE', value: march3 }, ['1004', '1005']],
    ['GT', { propertyName: due, operator: 'GT', value: march3 }, ['1005']],
    ['LTE', { propertyName: due, operator: 'LTE', value: march3 }, ['1003', '1004']],
    ['LT with an ISO time', { propertyName: due, operator: 'LT', value: '2026-03-03T09:00:00Z' }, ['1003']],
    [
      'BETWEEN',
      { propertyName: due, operator: 'BETWEEN', value: '2026-03-02T10:00:00Z', highValue: march3 },
      ['1004'],
    ],
    ['HAS_PROPERTY', { propertyName: body, operator: 'HAS_PROPERTY' }, ['1003', '1004']],
    ['NOT_HAS_PROPERTY', { propertyName: body, operator: 'NOT_HAS_PROPERTY' }, ['1005']],
    ['IN', { propertyName: 'hs_object_id', operator: 'IN', values: ['1003', '1005'] }, ['1003', '1005']],
    ['NOT_IN', { propertyName: 'hs_object_id', operator: 'NOT_IN', values: ['1003'] }, ['1004', '1005']],
    [
      'CONTAINS_TOKEN',
      { propertyName: body, operator: 'CONTAINS_TOKEN', value: 'web/lead-1/create-task' },
      ['1003'],
    ],
    [
      'CONTAINS_TOKEN, looser than the text: every word, in any order',
      { propertyName: body, operator: 'CONTAINS_TOKEN', value: 'create-task lead' },
      ['1003', '1004'],
    ],
    [
      'CONTAINS_TOKEN, no parts of words',
      { propertyName: body, operator: 'CONTAINS_TOKEN', value: 'Stam' },
      [],
    ],
    [
      'CONTAINS_TOKEN with *',
      { propertyName: body, operator: 'CONTAINS_TOKEN', value: 'web/lead-1*' },
      ['1003', '1004'],
    ],
    ['NOT_CONTAINS_TOKEN', { propertyName: body, operator: 'NOT_CONTAINS_TOKEN', value: '12' }, ['1003']],
    [
      'the associated contact',
      { propertyName: 'associations.contact', operator: 'EQ', value: '1002' },
      ['1005'],
    ],
  ])('%s', async (_, filter, ids) => {
    expect(await tasksFoundBy(filter)).toEqual(ids);
  });

  test('filters of one group all have to fit; any group will do', async () => {
    const both = await tasksFoundBy(
      { propertyName: body, operator: 'CONTAINS_TOKEN', value: 'lead' },
      { propertyName: due, operator: 'GTE', value: march3 },
    );
    const b = await threeTasks();
    const either = await b.hubspot('POST', `${TASKS}/search`, {
      filterGroups: [
        { filters: [{ propertyName: body, operator: 'NOT_HAS_PROPERTY' }] },
        { filters: [{ propertyName: due, operator: 'EQ', value: march3 }] },
      ],
    });
    expect(both).toEqual(['1004']);
    expect(either.json.total).toBe(2);
  });

  test('pages, sorts both ways, and shows the wanted properties', async () => {
    const b = await threeTasks();
    const sorts = [{ propertyName: due, direction: 'DESCENDING' }];
    const first = await b.hubspot('POST', `${TASKS}/search`, { sorts, limit: 2, properties: [due] });
    const second = await b.hubspot('POST', `${TASKS}/search`, {
      sorts: ['-hs_timestamp'],
      limit: 2,
      after: '2',
    });
    expect(first.json.total).toBe(3);
    expect(first.json.results.map((one: { id: string }) => one.id)).toEqual(['1005', '1004']);
    expect(first.json.paging).toEqual({ next: { after: '2' } });
    expect(Object.keys(first.json.results[0].properties).sort()).toEqual([
      'hs_createdate',
      'hs_lastmodifieddate',
      'hs_object_id',
      'hs_timestamp',
    ]);
    expect(second.json.results.map((one: { id: string }) => one.id)).toEqual(['1003']);
    expect(second.json.paging).toBeUndefined();
  });

  test('contacts are found by what their email holds', async () => {
    const b = await threeTasks();
    const found = await b.hubspot('POST', `${CONTACTS}/search`, {
      filterGroups: [{ filters: [{ propertyName: 'email', operator: 'EQ', value: 'LEAD@example.org' }] }],
    });
    expect(found.json.results).toHaveLength(1);
    expect(found.json.results[0].properties.email).toBe('lead@example.org');
  });

  const filter = { propertyName: 'hs_task_body', operator: 'HAS_PROPERTY' };
  test.each([
    ['an unknown property', { filterGroups: [{ filters: [{ ...filter, propertyName: 'nonsense' }] }] }],
    ['an unknown operator', { filterGroups: [{ filters: [{ ...filter, operator: 'LIKE' }] }] }],
    ['an operator without its value', { filterGroups: [{ filters: [{ ...filter, operator: 'EQ' }] }] }],
    ['an IN without its values', { filterGroups: [{ filters: [{ ...filter, operator: 'IN' }] }] }],
    ['too many groups', { filterGroups: Array.from({ length: 6 }, () => ({ filters: [filter] })) }],
    [
      'too many filters in a group',
      { filterGroups: [{ filters: Array.from({ length: 11 }, () => filter) }] },
    ],
    ['two sorts', { sorts: ['hs_timestamp', 'hs_createdate'] }],
    ['a sort by nothing known', { sorts: ['nonsense'] }],
    ['too large a page', { limit: 201 }],
    ['a page beyond 10,000 results', { limit: 200, after: '9900' }],
    ['a page that is no number', { after: 'x' }],
    ['a free-text query', { query: 'lead' }],
  ])('%s is a validation error', async (_, request) => {
    const b = await threeTasks();
    const refused = await b.hubspot('POST', `${TASKS}/search`, request);
    expect(refused.status).toBe(400);
    expect(refused.json.category).toBe('VALIDATION_ERROR');
  });
});
