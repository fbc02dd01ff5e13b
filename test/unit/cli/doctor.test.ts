import { afterEach, beforeEach, expect, it } from 'vitest';
import { doctor } from '../../../cli/commands/doctor.ts';
import type { Check } from '../../../cli/doctor/check.ts';
import type { RouteAnswers } from '../../../functions/domain/route.ts';
import { type SandboxServer, startSandboxServer } from '../../../functions/sandbox/server.ts';
import { testRoute } from '../../model/settings.ts';
import { fakeContext } from './fake-context.ts';
import { ABSENT, awsError, fakeStage } from './fake-stage.ts';

let sandbox: SandboxServer;

beforeEach(async () => {
  sandbox = await startSandboxServer({
    port: 0,
    bearer: 'secret',
    settings: { uniqueTaskProperties: ['lead_handoff_id'] },
  });
});

afterEach(() => sandbox.close());

const CRM = { adapter: 'hubspot', portalId: '1000001', uniqueTaskProperty: 'lead_handoff_id' } as const;

async function checksOf(
  stage: Parameters<typeof fakeStage>[1] = {},
  answers: Partial<RouteAnswers> = { crm: CRM },
) {
  const { context, written } = fakeContext([testRoute(answers)], fakeStage(sandbox.url, stage));
  const exitCode = await doctor(undefined, { json: true }, context);
  const { checks } = JSON.parse(written.stdout.join('\n')) as { checks: Check[] };
  return { exitCode, checks };
}

/** The one check of that name. */
async function check(name: string, ...given: Parameters<typeof checksOf>): Promise<Check | undefined> {
  const { checks } = await checksOf(...given);
  return checks.find((one) => one.check === name);
}

it('looks at everything that a stage and a route need', async () => {
  const { exitCode, checks } = await checksOf();

  expect(checks.map(({ check: name, state, detail }) => `${state} ${name}: ${detail}`)).toEqual([
    'ok aws: AWS answers and takes the credentials.',
    'ok start-function: lead-handoff-test-start',
    'ok state-machine: lead-handoff-test',
    'ok ledger: lead-handoff-test-ledger',
    'ok leads-queue: lead-handoff-test-leads: about 3 waiting, 1 being taken.',
    'ok dead-letter-queue: lead-handoff-test-dead-leads: about 3 waiting, 1 being taken.',
    `ok destinations: ${sandbox.url}/hubspot, ${sandbox.url}/resend`,
    'ok deployed: stage test has it.',
    'ok secret: test/web/hubspot/read',
    'ok secret: test/web/hubspot/write',
    'ok secret: test/web/resend/read',
    'ok secret: test/web/resend/write',
    'ok intake-secret: test/web/intake',
    'ok crm-read: portal 1000001, reads only.',
    'ok crm-write: portal 1000001, may write contacts and tasks.',
    'ok crm-account: portal 1000001, as in the route file.',
    'ok owner: owner 71 exists.',
    'ok task-property: tasks have the unique property lead_handoff_id.',
    'ok mail-read: the key has full access, which reading sent mail needs.',
    'ok mail-write: the key is known; nothing was sent.',
    'ok sender-domain: sales.example.com is verified.',
  ]);
  expect(exitCode).toBe(0);
});

it('asks for nothing that the route does not name', async () => {
  const { checks } = await checksOf({}, {});

  const names = checks.map(({ check: name }) => name);
  expect(names).not.toContain('crm-account');
  expect(names).not.toContain('task-property');
});

it('says of every check that failed how it is mended', async () => {
  const gone = awsError('ResourceNotFoundException');
  const { exitCode, checks } = await checksOf(
    {
      changes: {
        DescribeTableCommand: gone,
        GetQueueUrlCommand: awsError('QueueDoesNotExist'),
        DescribeStateMachineCommand: awsError('StateMachineDoesNotExist'),
      },
      secrets: {
        'test/web/hubspot/read': ABSENT,
        'test/web/hubspot/write': 'nobody',
        'test/web/resend/read': 'secret.write',
        'test/web/resend/write': ' ',
        'test/web/intake': 'not base64!',
      },
    },
    { crm: { ...CRM, portalId: '77' } },
  );

  const failed = checks.filter(({ state }) => state === 'failed');
  expect(failed.map(({ check: name }) => name)).toEqual([
    'state-machine',
    'ledger',
    'leads-queue',
    'dead-letter-queue',
    'deployed',
    'secret',
    'secret',
    'intake-secret',
    'crm-write',
    'task-property',
    'mail-read',
  ]);
  for (const { fix, check: name } of failed) expect(fix, name).toMatch(/^.{10,}[.\w)"]$/s);
  expect(exitCode).toBe(1);
});

it('says that a route is not deployed, and what deploys it', async () => {
  const stage = { withoutRecoveryOf: 'web' };

  expect(await check('state-machine', stage)).toMatchObject({ state: 'ok' });
  expect(await check('deployed', stage)).toMatchObject({
    route: 'web',
    state: 'failed',
    detail: 'stage test does not have it.',
    fix: 'deploy it: npx cdk deploy -c stage=test.',
  });
});

it('names the queue that is not there, and what deploys it', async () => {
  const stage = { changes: { GetQueueUrlCommand: awsError('QueueDoesNotExist') } };

  expect(await check('leads-queue', stage)).toMatchObject({
    state: 'failed',
    detail: 'lead-handoff-test-leads: there is none of that name.',
    fix: 'deploy it: npx cdk deploy -c stage=test.',
  });
});

it('says what to allow where the queue may not be asked', async () => {
  const stage = { changes: { GetQueueAttributesCommand: awsError('AccessDeniedException') } };

  const found = await check('dead-letter-queue', stage);

  expect(found).toMatchObject({ state: 'failed', fix: 'use credentials that may read it.' });
  expect(found?.detail).not.toContain('ann@');
});

it('says that nobody can post without a key, and that what is there is none', async () => {
  const absent = await check('intake-secret', { secrets: { 'test/web/intake': ABSENT } });
  const wrong = await check('intake-secret', { secrets: { 'test/web/intake': 'pass word' } });

  expect(absent).toMatchObject({
    state: 'failed',
    detail: 'test/web/intake does not exist, so nobody can hand leads in over HTTP.',
    fix: 'create it, and give it to the sender: aws secretsmanager create-secret --name test/web/intake --secret-string "whsec_$(openssl rand -base64 32)"',
  });
  expect(wrong).toMatchObject({ state: 'failed', detail: 'test/web/intake is no key of Standard Webhooks.' });
  expect(wrong?.fix).toContain('put-secret-value --secret-id test/web/intake');
});

it('names the account that the tokens belong to where the route file says another one', async () => {
  expect(await check('crm-account', {}, { crm: { ...CRM, portalId: '77' } })).toMatchObject({
    state: 'failed',
    detail: 'the route file says portal 77, and the token belongs to portal 1000001.',
  });
});

it('says how a task property that is missing is created', async () => {
  const crm = { ...CRM, uniqueTaskProperty: 'other_id' };

  expect(await check('task-property', {}, { crm })).toMatchObject({
    state: 'failed',
    detail: 'tasks have no property other_id.',
    fix: 'create it: npx handoff setup web --apply --stage test',
  });
});

it('skips a look at properties that no token may take, and says what to add', async () => {
  const fault = { operation: 'read-property', kind: 'status', status: 403, body: '{}', times: 9 };
  await fetch(`${sandbox.url}/faults`, { method: 'POST', body: JSON.stringify(fault) });

  expect(await check('task-property')).toMatchObject({
    state: 'skipped',
    detail: 'lead_handoff_id: no token may read what properties there are.',
    fix: 'add crm.schemas.contacts.read to the token in test/web/hubspot/write, in HubSpot, Settings, Integrations, Private Apps.',
  });
});
