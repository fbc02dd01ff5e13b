import { afterEach, beforeEach, expect, it } from 'vitest';
import { type SetupOptions, setup } from '../../../cli/commands/setup.ts';
import type { RouteAnswers } from '../../../functions/domain/route.ts';
import { type SandboxServer, startSandboxServer } from '../../../functions/sandbox/server.ts';
import type { SettingsInput } from '../../../functions/sandbox/settings.ts';
import { testRoute } from '../../model/settings.ts';
import { fakeContext } from './fake-context.ts';
import { ABSENT, fakeStage } from './fake-stage.ts';

const PROPERTY = 'lead_handoff_id';
const WITH_PROPERTY = { adapter: 'hubspot', uniqueTaskProperty: PROPERTY } as const;

let sandbox: SandboxServer;

beforeEach(async () => {
  sandbox = await startSandboxServer({ port: 0, bearer: 'secret' });
});

afterEach(() => sandbox.close());

interface Given {
  readonly options?: SetupOptions;
  readonly crm?: RouteAnswers['crm'];
  readonly stage?: Parameters<typeof fakeStage>[1];
}

async function run({ options = {}, crm = WITH_PROPERTY, stage = {} }: Given = {}) {
  const { context, written } = fakeContext([testRoute({ crm })], fakeStage(sandbox.url, stage));
  const exitCode = await setup('web', options, context);
  return { exitCode, stdout: written.stdout.join('\n'), stderr: written.stderr };
}

async function settings(given: SettingsInput): Promise<void> {
  await control('/settings', given);
}

async function control(path: string, body: object): Promise<void> {
  const response = await fetch(`${sandbox.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
  expect(response.status).toBe(200);
}

/** The writes that the sandbox has seen. */
async function created(): Promise<string[]> {
  const { requests } = (await (await fetch(`${sandbox.url}/inspect`)).json()) as {
    requests: { method: string; path: string; applied: boolean }[];
  };
  return requests.filter(({ applied }) => applied).map(({ method, path }) => `${method} ${path}`);
}

it('shows what there is to do and does nothing, until it is asked to', async () => {
  const plan = await run();

  expect(plan.stdout.split('\n')).toEqual([
    'to do    web: create the unique task property lead_handoff_id in HubSpot.',
    'Nothing was changed. To do it: npx handoff setup web --apply --stage test',
  ]);
  expect(plan.stderr).toEqual([]);
  expect(plan.exitCode).toBe(0);
  expect(await created()).toEqual([]);
});

it('creates the unique task property, once', async () => {
  const first = await run({ options: { apply: true } });
  const second = await run({ options: { apply: true } });
  const plan = await run();

  expect(first.stdout).toBe('done     web: created the unique task property lead_handoff_id in HubSpot.');
  expect(second.stdout).toBe('there    web: tasks have the unique property lead_handoff_id.');
  expect(plan.stdout).toBe(second.stdout);
  expect([first.exitCode, second.exitCode, plan.exitCode]).toEqual([0, 0, 0]);
  expect(await created()).toEqual(['POST /hubspot/crm/v3/properties/tasks']);
});

it('has nothing to create for a route that names no property', async () => {
  const { exitCode, stdout } = await run({ crm: { adapter: 'hubspot' }, options: { apply: true } });

  expect(stdout).toBe(
    'there    web: nothing to create: the route names no unique task property (crm.uniqueTaskProperty).',
  );
  expect(exitCode).toBe(0);
});

it('says what only a person can do: a property that is not unique, a domain that is not verified, a secret', async () => {
  await settings({
    taskProperties: [PROPERTY],
    domains: [{ name: 'sales.example.com', status: 'pending' }],
  });
  const stage = { secrets: { 'test/web/intake': ABSENT } } as const;

  const { exitCode, stdout, stderr } = await run({ options: { apply: true }, stage });

  expect(stdout.split('\n')).toEqual([
    'by hand  web: the task property lead_handoff_id is not declared unique, and cannot be made so any more.',
    '         How: name another property in the route file of web (crm.uniqueTaskProperty); "npx handoff setup web --stage test" creates it.',
    'by hand  web: intake-secret: test/web/intake does not exist, so nobody can hand leads in over HTTP.',
    '         How: create it, and give it to the sender: aws secretsmanager create-secret --name test/web/intake --secret-string "whsec_$(openssl rand -base64 32)"',
    'by hand  web: sender-domain: sales.example.com is pending at Resend.',
    '         How: add sales.example.com under Resend, Domains, and set its DNS records; or write another From into the route file.',
  ]);
  expect(stderr).toEqual(['3 things left that a person has to do.']);
  expect(exitCode).toBe(1);
  expect(await created()).toEqual([]);
});

it('creates nothing in another account than that of the route file', async () => {
  const crm = { ...WITH_PROPERTY, portalId: '77' };

  const { exitCode, stdout } = await run({ crm, options: { apply: true } });

  expect(stdout).toContain('by hand  web: tasks have no property lead_handoff_id.\n');
  expect(stdout).toContain(
    'by hand  web: crm-account: the route file says portal 77, and the token belongs to portal 1000001.\n         How: correct crm.portalId in the route file of web, or put tokens of portal 77 into the secrets.',
  );
  expect(exitCode).toBe(1);
  expect(await created()).toEqual([]);
});

it('says which scope a token lacks', async () => {
  const stage = { secrets: { 'test/web/hubspot/write': 'secret.read' } } as const;

  const { exitCode, stdout } = await run({ options: { apply: true }, stage });

  expect(stdout).toContain(
    'failed   web: the token in test/web/hubspot/write may not create lead_handoff_id: it lacks crm.schemas.contacts.write.\n         How: add it in HubSpot, Settings, Integrations, Private Apps; it may be taken away again afterwards.',
  );
  expect(exitCode).toBe(1);
});

it('does not know whether it was created where no answer came, and finds out the next time', async () => {
  await control('/faults', { operation: 'create-property', kind: 'apply-then-drop' });

  const lost = await run({ options: { apply: true } });
  const again = await run({ options: { apply: true } });

  expect(lost.stdout).toContain('Whether it was created is not known; running this again is safe.');
  expect(lost.exitCode).toBe(1);
  expect(again.stdout).toBe('there    web: tasks have the unique property lead_handoff_id.');
});

it('knows that nothing was created where HubSpot was asked too often', async () => {
  await control('/faults', { operation: 'create-property', kind: 'status', status: 429, body: '{}' });

  const { stdout } = await run({ options: { apply: true } });

  expect(stdout).toBe(
    'failed   web: lead_handoff_id: hubspot could not be read (rate-limited).\n         How: run this again in a minute.',
  );
});

it('does not take a 404 of somebody else for a property that is not there', async () => {
  await control('/faults', {
    operation: 'read-property',
    kind: 'status',
    status: 404,
    body: '<html></html>',
    times: 9,
  });

  const { exitCode, stdout } = await run({ options: { apply: true } });

  expect(stdout).toContain('by hand  web: lead_handoff_id: hubspot could not be read (status-404).');
  expect(exitCode).toBe(1);
  expect(await created()).toEqual([]);
});

it('refuses a name that HubSpot would not take', async () => {
  const crm = { ...WITH_PROPERTY, uniqueTaskProperty: 'Lead-Id' };

  const { stdout } = await run({ crm, options: { apply: true } });

  expect(stdout).toContain('HubSpot takes no property Lead-Id: lower-case letters, digits and _ only.');
});

it('is the same as data', async () => {
  const { stdout } = await run({ options: { json: true, apply: true } });

  expect(JSON.parse(stdout)).toEqual({
    stage: 'test',
    applied: true,
    steps: [
      {
        route: 'web',
        state: 'done',
        what: 'created the unique task property lead_handoff_id in HubSpot.',
        how: null,
      },
    ],
  });
});
