import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  defineRoute,
  InvalidRoute,
  type RouteAnswers,
  routesFile,
  secretName,
} from '../../../functions/domain/route.ts';
import { STAGE_NUMBERS } from '../../../functions/domain/stage-numbers.ts';
import { ROUTE_ANSWERS, testRoute } from '../../model/settings.ts';

const withAnswers = (answers: object) => () => defineRoute({ ...ROUTE_ANSWERS, ...answers } as RouteAnswers);

test('a route with every question answered keeps its leads 400 days unless it says otherwise', () => {
  expect(testRoute().retentionDays).toBe(400);
  expect(testRoute({ retentionDays: 30 }).retentionDays).toBe(30);
});

describe('a question that is left open is the error', () => {
  test.each(Object.keys(ROUTE_ANSWERS).filter((question) => question !== 'name'))('%s', (question) => {
    expect(withAnswers({ [question]: undefined })).toThrow(InvalidRoute);
    expect(withAnswers({ [question]: undefined })).toThrow(`Route "web": ${question} is not answered.`);
  });

  test('name', () => {
    expect(withAnswers({ name: undefined })).toThrow('Route "?": name is not answered.');
  });

  test.each([
    ['who recovers', { recoveryOwner: { name: 'Robin' } }, 'recoveryOwner.email is not answered'],
    [
      'the sender',
      { introduction: { ...ROUTE_ANSWERS.introduction, from: undefined } },
      'introduction.from is not answered',
    ],
    ['the owner of a fixed rule', { owner: { rule: 'fixed' } }, 'owner.ownerId is not answered'],
    ['the owners of a rotation', { owner: { rule: 'round-robin' } }, 'owner.owners is not answered'],
    [
      'the owner of the rest',
      { owner: { rule: 'first-match', rules: [{ when: { country: ['FI'] }, ownerId: '72' }] } },
      'owner.defaultOwnerId is not answered',
    ],
    ['where ids come from', { identity: { survivesRetry: true } }, 'identity.originatesIn is not answered'],
    [
      'whether ids survive',
      { identity: { originatesIn: 'The form.' } },
      'identity.survivesRetry is not answered',
    ],
    ['the window', { samePerson: { policy: 'ask' } }, 'samePerson.windowHours is not answered'],
    ['the attempt limit', { limits: {} }, 'limits.attemptsPerAction is not answered'],
    [
      'the template version',
      { introduction: { ...ROUTE_ANSWERS.introduction, templateVersion: undefined } },
      'introduction.templateVersion is not answered',
    ],
    ['the fallback owner', { owner: { rule: 'from-request' } }, 'owner.fallbackOwnerId is not answered'],
  ])('%s', (_what, answers, message) => {
    expect(withAnswers(answers)).toThrow(message);
  });
});

describe('a wrong answer is the error', () => {
  test.each([
    ['name', 'abcdefghijklm'],
    ['name', 'Web'],
    ['name', '1web'],
    ['name', ''],
    ['source', ''],
    ['existingOwner', 'overwrite'],
    ['changedOwner', 'overwrite'],
    ['contactValues', 'replace'],
    ['approvalPoint', 'send'],
    ['acceptSecondTask', 'yes'],
    ['retentionDays', 0],
    ['askSlaSeconds', 0],
    ['askSlaSeconds', 100_000_000],
    ['owner', { rule: 'random' }],
    ['owner', { rule: 'round-robin', owners: [] }],
    ['owner', { rule: 'round-robin', owners: [{ ownerId: '71', weight: 0 }] }],
    ['owner', { rule: 'round-robin', owners: [{ ownerId: '71', weight: 101 }] }],
    ['owner', { rule: 'round-robin', owners: Array(2).fill({ ownerId: '71', weight: 1 }) }],
    ['owner', { rule: 'first-match', rules: [], defaultOwnerId: '71' }],
    ['owner', { rule: 'first-match', rules: [{ when: {}, ownerId: '72' }], defaultOwnerId: '71' }],
    [
      'owner',
      { rule: 'first-match', rules: [{ when: { country: [] }, ownerId: '72' }], defaultOwnerId: '71' },
    ],
    [
      'owner',
      { rule: 'first-match', rules: [{ when: { phone: ['1'] }, ownerId: '7' }], defaultOwnerId: '7' },
    ],
    ['identity', { originatesIn: '', survivesRetry: true }],
    ['identity', { originatesIn: 'The form.', survivesRetry: 'mostly' }],
    ['delivery', 'exactly-once'],
    ['changedFields', 'overwrite'],
    ['samePerson', { policy: 'merge', windowHours: 1 }],
    ['samePerson', { policy: 'ask', windowHours: 0 }],
    ['drainPerMinute', 0],
    ['approvers', []],
    ['limits', { attempts: 3 }],
    ['limits', { attemptsPerAction: 0 }],
    ['limits', { attemptsPerAction: 21 }],
    ['underSameKey', { tooEarly: 'ask', unreadable: 'ask' }],
    ['underSameKey', { tooEarly: 'wait', unreadable: 'wait' }],
    ['crm', { adapter: 'salesforce' }],
    ['mail', { adapter: 'smtp' }],
    ['recoveryOwner', { name: 'Robin', email: 'robin' }],
    ['recoveryOwner', { name: ' ', email: 'robin@revops.example' }],
    ['task', { subject: 'x', body: 'y', dueInHours: -1 }],
  ])('%s: %j', (question, answer) => {
    expect(withAnswers({ [question]: answer })).toThrow(InvalidRoute);
    expect(withAnswers({ [question]: answer })).toThrow(question);
  });

  test('a question that nobody asked', () => {
    expect(withAnswers({ retries: 3 })).toThrow('retries');
  });

  test('a template that names something that does not exist, by its route and question', () => {
    const introduction = { ...ROUTE_ANSWERS.introduction, html: '<p>{{lead.name}} {{reference}}</p>' };

    expect(withAnswers({ introduction })).toThrow(InvalidRoute);
    expect(withAnswers({ introduction })).toThrow(
      /^Route "web": introduction\.html: \{\{lead\.name\}\} is not a placeholder; use one of lead\.email, /,
    );
    expect(withAnswers({ task: { ...ROUTE_ANSWERS.task, body: '{{lead.note}}' } })).toThrow(
      'Route "web": task.body: {{lead.note}} is not a placeholder',
    );
  });

  test('an introduction that does not show its reference: it could not be told from another', () => {
    const introduction = { ...ROUTE_ANSWERS.introduction, text: 'Hello' };

    expect(withAnswers({ introduction })).toThrow(
      'Route "web": introduction.text must show {{reference}}, by which the message is found again.',
    );
  });

  test('ids that change with every retry, while requests of one person are not looked at', () => {
    const identity = { originatesIn: 'The queue.', survivesRetry: false };

    expect(withAnswers({ identity })).toThrow(
      'Route "web": samePerson.policy needs "ask" or "join", because the source sends a lead request again under another id.',
    );
    expect(withAnswers({ identity, samePerson: { policy: 'join', windowHours: 1 } })).not.toThrow();
  });

  test('a word that is not among the answers, with those that are', () => {
    expect(withAnswers({ existingOwner: 'foo' })).toThrow(
      'Route "web": existingOwner needs ("keep" | "replace"), not "foo".',
    );
  });
});

test('every route file is among the routes of the app', async () => {
  const files = readdirSync(new URL('../../../routes/', import.meta.url)).filter((name) => name !== 'all.ts');
  const { routes } = await import('../../../routes/all.ts');
  const modules = await Promise.all(files.map((name) => import(`../../../routes/${name}`)));
  const defined = modules.flatMap((module) => Object.values(module as Record<string, unknown>));
  expect(files.length).toBeGreaterThan(0);
  expect(new Set(routes)).toEqual(new Set(defined));
});

describe('the routes of a stage', () => {
  test('are laid together with its numbers', () => {
    expect(routesFile('test', STAGE_NUMBERS.test, [testRoute()])).toMatchObject({
      stage: 'test',
      routes: [{ name: 'web' }],
    });
  });

  test('have one name each, and there is at least one', () => {
    expect(() => routesFile('test', STAGE_NUMBERS.test, [testRoute(), testRoute()])).toThrow(
      'Route web is defined twice.',
    );
    expect(() => routesFile('test', STAGE_NUMBERS.test, [])).toThrow(InvalidRoute);
  });

  test('keep their credentials apart by use', () => {
    expect(secretName('prod', 'web', 'resend', 'read')).toBe('prod/web/resend/read');
    expect(secretName('prod', 'web', 'resend', 'write')).toBe('prod/web/resend/write');
  });
});
