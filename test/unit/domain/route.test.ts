import { describe, expect, test } from 'vitest';
import {
  defineRoute,
  InvalidRoute,
  intakeSecretName,
  type RouteAnswers,
  routesFile,
  secretName,
} from '../../../functions/domain/route.ts';
import { STAGE_NUMBERS } from '../../../functions/domain/stage-numbers.ts';
import { PLACEHOLDERS } from '../../../functions/domain/template.ts';
import { ROUTE_ANSWERS, testRoute } from '../../model/settings.ts';

const withAnswers = (answers: object) => () => defineRoute({ ...ROUTE_ANSWERS, ...answers } as RouteAnswers);

function linesOf(define: () => unknown): string[] {
  try {
    define();
  } catch (error) {
    if (error instanceof InvalidRoute) return error.message.split('\n');
  }
  return [];
}

test('a route with every question answered keeps its leads 400 days unless it says otherwise', () => {
  expect(testRoute().retentionDays).toBe(400);
  expect(testRoute({ retentionDays: 30 }).retentionDays).toBe(30);
});

test.each(['7', '12345678901234567890'])('a HubSpot account may be %s', (portalId) => {
  expect(testRoute({ crm: { adapter: 'hubspot', portalId } }).crm.portalId).toBe(portalId);
});

describe('a question that is left open is the error', () => {
  test.each(Object.keys(ROUTE_ANSWERS).filter((question) => question !== 'name'))('%s', (question) => {
    expect(withAnswers({ [question]: undefined })).toThrow(InvalidRoute);
    expect(withAnswers({ [question]: undefined })).toThrow(
      new RegExp(`^Route "web": ${question}: [A-Z][^?]+\\? Expected .*, found nothing\\.$`),
    );
  });

  test('name', () => {
    expect(withAnswers({ name: undefined })).toThrow(
      'Route "?": name: What is the route called? Expected 1 to 12 lower-case letters, digits and dashes, beginning with a letter, found nothing.',
    );
  });

  test.each([
    ['who recovers', { recoveryOwner: { name: 'Robin' } }, 'recoveryOwner.email'],
    ['the sender', { introduction: { ...ROUTE_ANSWERS.introduction, from: undefined } }, 'introduction.from'],
    ['the owner of a fixed rule', { owner: { rule: 'fixed' } }, 'owner.ownerId'],
    ['the owners of a rotation', { owner: { rule: 'round-robin' } }, 'owner.owners'],
    [
      'the owner of the rest',
      { owner: { rule: 'first-match', rules: [{ when: { country: ['FI'] }, ownerId: '72' }] } },
      'owner.defaultOwnerId',
    ],
    ['where ids come from', { identity: { survivesRetry: true } }, 'identity.originatesIn'],
    ['whether ids survive', { identity: { originatesIn: 'The form.' } }, 'identity.survivesRetry'],
    ['the window', { samePerson: { policy: 'ask' } }, 'samePerson.windowHours'],
    ['the attempt limit', { limits: {} }, 'limits.attemptsPerAction'],
    [
      'the template version',
      { introduction: { ...ROUTE_ANSWERS.introduction, templateVersion: undefined } },
      'introduction.templateVersion',
    ],
    ['the fallback owner', { owner: { rule: 'from-request' } }, 'owner.fallbackOwnerId'],
  ])('%s', (_what, answers, question) => {
    const [line, ...more] = linesOf(withAnswers(answers));
    expect(line).toMatch(new RegExp(`^Route "web": ${question}: .* Expected .*, found nothing\\.$`));
    expect(more).toEqual([]);
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
      { rule: 'first-match', rules: [{ when: { country: undefined }, ownerId: '72' }], defaultOwnerId: '71' },
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
    ['crm', { adapter: 'hubspot', portalId: '' }],
    ['crm', { adapter: 'hubspot', portalId: '12345678x' }],
    ['crm', { adapter: 'hubspot', portalId: 'x12345678' }],
    ['crm', { adapter: 'hubspot', portalId: '123456789012345678901' }],
    ['crm', { adapter: 'hubspot', portalId: 12345678 }],
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
      /^Route "web": introduction\.html: What is its HTML\? \{\{lead\.name\}\} is not a placeholder; use one of lead\.email, /,
    );
    expect(withAnswers({ task: { ...ROUTE_ANSWERS.task, body: '{{lead.note}}' } })).toThrow(
      'Route "web": task.body: What is the text of the task? {{lead.note}} is not a placeholder',
    );
  });

  test('an introduction that does not show its reference: it could not be told from another', () => {
    const introduction = { ...ROUTE_ANSWERS.introduction, text: 'Hello' };

    expect(withAnswers({ introduction })).toThrow(
      'Route "web": introduction.text: What is its text? It must show {{reference}}, by which the message is found again.',
    );
  });

  test('ids that change with every retry, while requests of one person are not looked at', () => {
    const identity = { originatesIn: 'The queue.', survivesRetry: false };

    expect(withAnswers({ identity })).toThrow(
      'Route "web": samePerson.policy: What becomes of the second lead request? It must be "ask" or "join", because the source sends a lead request again under another id.',
    );
    expect(withAnswers({ identity, samePerson: { policy: 'join', windowHours: 1 } })).not.toThrow();
    expect(linesOf(withAnswers({ identity, samePerson: undefined }))).toEqual([
      'Route "web": samePerson: What happens when the same person comes under another id? Expected an object with policy, windowHours, found nothing.',
    ]);
  });

  test('a word that is not among the answers, with those that are', () => {
    expect(withAnswers({ existingOwner: 'foo' })).toThrow(
      'Route "web": existingOwner: What if the contact has an owner already? Expected "keep" or "replace", found "foo".',
    );
  });
});

describe('everything that is wrong is said at once', () => {
  test('in one line per question, with what is asked, what is expected and what was found', () => {
    const wrong = {
      identity: { originatesIn: '', survivesRetry: false },
      owner: { rule: 'round-robin', owners: [{ ownerId: '71', weight: 1.5 }] },
      approvers: [{ name: 'Tomas', email: 'tomas' }],
      limits: { attemptsPerAction: -0.5 },
      acceptSecondTask: undefined,
      task: { subject: '{{lead.nmae}}', dueInHours: '24' },
    };

    const placeholders = PLACEHOLDERS.join(', ');
    expect(linesOf(withAnswers(wrong))).toEqual([
      'Route "web": identity.originatesIn: Where does the id of a lead request come from? Expected a text, found "".',
      'Route "web": owner.owners[0].weight: Rule `round-robin`: which share is theirs? Weight 2 gets twice the leads of weight 1. Expected a whole number from 1 to 100, found 1.5.',
      'Route "web": approvers[0].email: Which is the approver\'s address? Expected an email address, found "tomas".',
      'Route "web": limits.attemptsPerAction: How often is an action tried? Expected a whole number from 1 to 20, or null for the stage\'s number, found -0.5.',
      'Route "web": acceptSecondTask: May a task that was not found be created again? Expected true or false, found nothing.',
      `Route "web": task.subject: What is the subject of the task? {{lead.nmae}} is not a placeholder; use one of ${placeholders}.`,
      'Route "web": task.body: What is the text of the task? Expected a template, found nothing.',
      'Route "web": task.dueInHours: How many hours after it is first about to be created is the task due? Expected a number from 0, found "24".',
      'Route "web": samePerson.policy: What becomes of the second lead request? It must be "ask" or "join", because the source sends a lead request again under another id.',
    ]);
  });

  test('also every name that is no question, with the names that are', () => {
    const lines = linesOf(
      withAnswers({
        limits: { attemptsPerAction: 3, retries: 3, seconds: 9 },
        mail: { adapter: 'resend', key: 're_1', id: 7 },
        owner: { rule: 'fixed', ownerId: '71', owners: [] },
      }),
    );

    expect(lines).toHaveLength(5);
    expect(lines).toContain(
      'Route "web": limits.retries: There is no such question. Expected one of attemptsPerAction.',
    );
    expect(lines).toContain(
      'Route "web": limits.seconds: There is no such question. Expected one of attemptsPerAction.',
    );
    expect(lines).toContain('Route "web": mail.key: There is no such question. Expected one of adapter.');
    expect(lines).toContain('Route "web": mail.id: There is no such question. Expected one of adapter.');
    expect(lines).toContain(
      'Route "web": owner.owners: Rule `round-robin`: who takes turns? It is not asked beside the other answers given here.',
    );
  });

  test('in the items of a list as well, each of them with its place', () => {
    const owners = [
      { ownerId: '71', weight: 1, nick: 'a' },
      { ownerId: '72', weight: 1, alias: 'b', nick: 'c' },
    ];
    const known = 'There is no such question. Expected one of ownerId, weight.';

    expect(linesOf(withAnswers({ owner: { rule: 'round-robin', owners } }))).toEqual([
      `Route "web": owner.owners[0].nick: ${known}`,
      `Route "web": owner.owners[1].alias: ${known}`,
      `Route "web": owner.owners[1].nick: ${known}`,
    ]);
  });

  const firstMatch = (rule: unknown) => ({
    owner: { rule: 'first-match', rules: [rule], defaultOwnerId: '71' },
  });

  test.each<[string, object, string]>([
    [
      'an owner in turn',
      { owner: { rule: 'round-robin', owners: ['71'] } },
      'owner.owners[0]: Rule `round-robin`: who is it, and with which share? Expected an object with ownerId, weight, found "71".',
    ],
    [
      'a rule',
      firstMatch(7),
      'owner.rules[0]: Rule `first-match`: whose are which leads? Expected an object with when, ownerId, found 7.',
    ],
    [
      'a value of a condition',
      firstMatch({ when: { country: ['FI', 7] }, ownerId: '72' }),
      'owner.rules[0].when.country[1]: Which countries? Expected a text, found 7.',
    ],
    [
      'the values of a condition',
      firstMatch({ when: { country: 'FI' }, ownerId: '72' }),
      'owner.rules[0].when.country: Which countries? Expected a list of at least one text, found "FI".',
    ],
    [
      'the eleventh approver',
      { approvers: [...Array(10).fill(ROUTE_ANSWERS.recoveryOwner), 'Tomas'] },
      'approvers[10]: Who may approve? Expected an object with name, email, found "Tomas".',
    ],
    [
      'a word with one answer',
      { mail: { adapter: 'smtp' } },
      'mail.adapter: Which mail sender is it? Expected "resend", found "smtp".',
    ],
    [
      'a word with four',
      { owner: { rule: 'random' } },
      'owner.rule: By which rule is the owner chosen? Expected "fixed", "from-request", "round-robin" or "first-match", found "random".',
    ],
  ])('with what it is, where it is %s', (_what, answers, line) => {
    expect(linesOf(withAnswers(answers))).toEqual([`Route "web": ${line}`]);
  });

  test('and at the beginning, where every question of a route might have been meant', () => {
    expect(linesOf(withAnswers({ retries: 3 }))).toEqual([
      'Route "web": retries: There is no such question. Expected one of name, source, identity, delivery, changedFields, samePerson, owner, existingOwner, changedOwner, contactValues, limits, underSameKey, acceptSecondTask, drainPerMinute, recoveryOwner, askSlaSeconds, escalationOwner, approvers, approvalPoint, crm, mail, task, introduction, retentionDays.',
    ]);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['true', true],
    ['3', 3],
    ['""', ''],
    ['"a text of just thirty-two signs."', 'a text of just thirty-two signs.'],
    ['a text of 33 characters', 'a text of some thirty-three signs'],
    ['an empty list', []],
    ['a list of 2', ['keep', 'replace']],
    ['an empty object', {}],
    ['an object', { answer: 'keep' }],
    ['an object', { length: 99 }],
    ['a function', () => 'keep'],
  ])('with what was found: %s', (found, existingOwner) => {
    expect(linesOf(withAnswers({ existingOwner }))).toEqual([
      `Route "web": existingOwner: What if the contact has an owner already? Expected "keep" or "replace", found ${found}.`,
    ]);
  });

  test('but nothing that may be a key', () => {
    const key = 'pat-na1-5f0f5d0a-1b8e-4c35-9a45-0123456789ab';
    const lines = linesOf(withAnswers({ crm: { adapter: 'hubspot', portalId: key, token: key } }));

    expect(lines).toEqual([
      'Route "web": crm.portalId: Which HubSpot account (Hub ID), for links to contacts? Expected a text of 1 to 20 digits, found a text of 44 characters.',
      'Route "web": crm.token: There is no such question. Expected one of adapter, portalId, uniqueTaskProperty.',
    ]);
  });

  test.each([
    [undefined, 'nothing'],
    ['website', '"website"'],
    [7, '7'],
  ])('what is no route at all: %j', (answers, found) => {
    expect(() => defineRoute(answers as unknown as RouteAnswers)).toThrow(
      `Expected the answers of a route, found ${found}.`,
    );
  });
});

describe('the error', () => {
  test.each([
    ['web', 'web', 'Route "web"'],
    ['Web', 'Web', 'Route "Web"'],
    [7, null, 'Route 7'],
    [undefined, null, 'Route "?"'],
  ])('of a route called %j knows its name where that is a text: %j', (name, route, where) => {
    const wrong = withAnswers({ name, retentionDays: 0 });
    const problem = 'How long is a closed handoff kept? Expected a whole number of days from 1, found 0.';

    expect(wrong).toThrow(
      expect.objectContaining({
        name: 'InvalidRoute',
        route,
        problems: expect.arrayContaining([`retentionDays: ${problem}`]),
        message: expect.stringContaining(`${where}: retentionDays: ${problem}`),
      }),
    );
  });

  test('has the place before every line, or none where the lines have it themselves', () => {
    const lines = ['It is wrong.', 'It is long.'];

    expect(new InvalidRoute('routes/web.ts', lines).message).toBe(
      'routes/web.ts: It is wrong.\nroutes/web.ts: It is long.',
    );
    expect(new InvalidRoute(null, lines)).toMatchObject({
      message: 'It is wrong.\nIt is long.',
      route: null,
      problems: lines,
    });
  });
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
      expect.objectContaining({ message: 'Route "web": It is defined twice.', route: 'web' }),
    );
    expect(() => routesFile('test', STAGE_NUMBERS.test, [])).toThrow(
      expect.objectContaining({ message: 'routes/: There is no route: add a file for one.', route: null }),
    );
  });

  test('are not laid together with times that do not nest', () => {
    const numbers = { ...STAGE_NUMBERS.test, httpTimeoutMs: 60_000 };

    expect(() => routesFile('test', numbers, [testRoute()])).toThrow(
      'Stage test: httpTimeoutMs must be shorter than claimDeadlineMs.',
    );
  });

  test('keep their credentials apart by use', () => {
    expect(secretName('prod', 'web', 'resend', 'read')).toBe('prod/web/resend/read');
    expect(secretName('prod', 'web', 'resend', 'write')).toBe('prod/web/resend/write');
    expect(intakeSecretName('prod', 'web')).toBe('prod/web/intake');
  });
});
