import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListStateMachinesCommand, SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { handoffStatus } from '../../functions/domain/handoff.ts';
import { type Engine, startEngine } from '../../local/engine.ts';
import { runHandoff } from '../unit/cli/run-handoff.ts';
import { ledgerAt, ROUTE, until } from './real/stack.ts';

/** Long enough for a busy machine: how long it takes changes nothing in what is found. */
const PATIENCE_MS = 150_000;

let engine: Engine;
const told: string[] = [];
let stepFunctions: SFNClient;

beforeAll(async () => {
  engine = await startEngine({ port: 0, sandboxPort: 0, onProgress: (sentence) => told.push(sentence) });
  stepFunctions = new SFNClient({
    endpoint: engine.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
}, 120_000);

afterAll(() => engine.stop());

it('says what its start is at', () => {
  expect(told).toEqual([
    'Synthesizing the app and bundling its functions …',
    expect.stringMatching(/^Starting the engine: \d+ functions, 3 state machines, 2 tables …$/),
  ]);
});

function handoff(args: readonly string[], stdin = '') {
  return runHandoff([...args, '--endpoint', engine.url], { stdin });
}

async function sandbox(path: string, body: object): Promise<void> {
  const response = await fetch(`${engine.sandboxUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${engine.sandboxBearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

/** The record of a handoff as soon as it has a status. The ledger is asked until then: a process per look would slow it down. */
async function recordOf(leadRequestId: string, status: string) {
  const reached = async () => {
    const record = await ledgerAt(engine.url).record({ route: ROUTE, leadRequestId });
    return record && handoffStatus(record) === status;
  };
  await until(`${leadRequestId} is ${status}`, reached, PATIENCE_MS);
  return JSON.parse((await handoff(['show', leadRequestId, '--json'])).stdout);
}

function waitingFor(stdout: string, leadRequestId: string): object[] {
  const { waiting } = JSON.parse(stdout) as { waiting: { leadRequestId: string }[] };
  return waiting.filter((item) => item.leadRequestId === leadRequestId);
}

function stateOf(stdout: string): Record<string, string> {
  const { checks } = JSON.parse(stdout) as { checks: { check: string; state: string }[] };
  return Object.fromEntries(checks.map(({ check, state }) => [check, state]));
}

it('submits the examples, again and under a changed field, and shows them closed', async () => {
  const first = await handoff(['submit', 'examples/leads.ndjson']);
  expect(first.stderr).toBe('');
  expect(first.stdout).toContain('accepted  quiet-1  website.quiet-1.1');
  expect(first.exitCode).toBe(0);

  const record = await recordOf('quiet-1', 'closed');
  expect(record.ownerId).toBe('71');
  expect(record.lead.email).toBe('nadia.haddad@harbour.example.com');
  expect(record.actions.map(({ disposition }: { disposition: string }) => disposition)).toEqual(
    Array(4).fill('keep'),
  );

  await recordOf('lost-answer-2', 'closed');
  await recordOf('dropped-3', 'closed');

  const again = await handoff(['submit', '-', '--json'], JSON.stringify(record.lead));
  expect(JSON.parse(again.stdout).submitted[0].status).toBe('closed');

  const all = await handoff(['submit', 'examples/leads.ndjson']);
  expect(all.stdout).toMatch(/3 lead requests: 0 new, 3 known before( \(\d closed\)), 0 refused\.\n$/);

  const changed = await handoff(['submit', '-'], JSON.stringify({ ...record.lead, company: 'Other' }));
  expect(changed.stderr).toMatch(
    /^line 1: leadRequestId: quiet-1 was accepted before with other fields;.*\nWhat was kept of it, and what may be decided: npx handoff show quiet-1 .*\nNothing was submitted\.\n$/,
  );
  expect(changed.exitCode).toBe(1);

  const shown = await handoff(['show', 'quiet-1', '--route', 'website']);
  expect(shown.stdout).toContain('status            closed');
  expect(shown.stdout).toContain('the same id came with other fields');
  expect(shown.stdout).not.toContain('nadia');
  expect(shown.stderr).toBe('');
  expect(shown.exitCode).toBe(0);
}, 240_000);

it('knows no handoff of another id', async () => {
  const { exitCode, stdout, stderr } = await handoff(['show', 'nobody']);

  expect(stderr).toBe('There is no handoff nobody on route website.\n');
  expect(stdout).toBe('');
  expect(exitCode).toBe(1);
});

it('lists the route as open', async () => {
  const { exitCode, stdout } = await handoff(['routes', '--json']);

  const { routes } = JSON.parse(stdout);
  expect(routes).toHaveLength(1);
  expect(routes[0]).toMatchObject({
    name: 'website',
    state: 'open',
    destinations: [
      { name: 'hubspot', breakerOpen: false },
      { name: 'resend', breakerOpen: false },
    ],
  });
  expect(exitCode).toBe(0);
});

it('finds a healthy stage healthy, and prints no secret', async () => {
  const { exitCode, stdout, stderr } = await handoff(['doctor', 'website']);

  expect(stdout).toContain('19 checks, none failed.');
  expect(stdout).toContain('lead-handoff-local-leads: about 0 waiting, 0 being taken.');
  expect(stdout).not.toMatch(/^(failed|skipped)/m);
  expect(stdout + stderr).not.toContain(engine.sandboxBearer);
  expect(stdout).not.toContain('@');
  expect(exitCode).toBe(0);
});

it('has nothing to set up where nothing is missing', async () => {
  const { exitCode, stdout, stderr } = await handoff(['setup', 'website', '--apply']);

  expect(stdout).toBe(
    'there    website: nothing to create: the route names no unique task property (crm.uniqueTaskProperty).\n',
  );
  expect([exitCode, stderr]).toEqual([0, '']);
});

it('submits a spreadsheet with the columns that it has, and skips what is no lead request', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'handoff-local-'));
  const path = join(directory, 'export.csv');
  writeFileSync(
    path,
    '\ufeffSubmission ID,E-Mail,Name,UTM Source\r\nsheet-1,sheet-1@example.com,"Lind, Jo",spring\r\nsheet-2,jo.lind,Jo,\r\n',
  );
  const map = ['Submission ID=leadRequestId', 'E-Mail=email', 'Name=lastName', '*='];
  const args = ['submit', path, ...map.flatMap((one) => ['--map', one])];

  const none = await handoff(args);
  const good = await handoff([...args, '--skip-invalid']);

  expect(none.stderr).toContain('line 3: email: expected an email address.\n');
  expect([none.exitCode, none.stdout]).toEqual([1, '']);
  expect(good.stdout).toBe(
    'accepted  sheet-1  website.sheet-1.1\n2 lead requests: 1 new, 0 known before, 1 refused.\n',
  );
  expect(good.exitCode).toBe(1);
  const record = await recordOf('sheet-1', 'closed');
  expect(record.lead).toEqual({
    leadRequestId: 'sheet-1',
    email: 'sheet-1@example.com',
    lastName: 'Lind, Jo',
  });
  rmSync(directory, { recursive: true });
}, 240_000);

it('investigates a dead letter until an approver hands the corrected request in', async () => {
  const dead = engine.queues.find(({ definition }) => definition.name === 'lead-handoff-local-dead-leads');
  const lead = { leadRequestId: 'dead-letter-1', email: 'jo.lind' };
  dead?.send(JSON.stringify({ route: ROUTE, lead }), {});
  const key = { route: ROUTE, leadRequestId: lead.leadRequestId };
  const kept = async () => (await ledgerAt(engine.url).underId(key)).deadLetters.length === 1;
  await until('the dead letter is kept', kept, PATIENCE_MS);
  const corrected = JSON.stringify({ ...lead, email: 'jo.lind@example.com' });
  const waits = JSON.parse((await handoff(['waiting', '--json'])).stdout).waiting;
  expect(waits).toContainEqual(expect.objectContaining({ ...key, action: 'dead-letter' }));

  const shown = await handoff(['investigate', 'dead-letter-1']);
  expect(shown.stdout).toContain('its lead request is not valid: email is missing or wrong');
  expect(shown.stdout).not.toContain('jo.lind');
  expect((await handoff(['investigate', 'dead-letter-1', '--body'])).stdout).toContain('"email":"jo.lind"');
  expect((await handoff(['show', 'dead-letter-1'])).stderr).toContain('handoff investigate dead-letter-1');

  const ordinary = await handoff(['submit', '-'], corrected);
  expect(ordinary.stderr).toContain('messages under dead-letter-1 are being investigated');
  expect(ordinary.stderr).toContain(
    'What they say: npx handoff investigate dead-letter-1 --route website --endpoint ',
  );
  const approve = (who: string) =>
    handoff(['submit', '-', '--approved-by', who, '--reason', 'misspelt at the fair'], corrected);
  const other = await approve('Robin Okafor');
  expect(other.stderr).toContain('Only an approver may do this: on route website that is Tomas Vega');
  expect((await approve('Tomas Vega')).stdout).toContain('accepted  dead-letter-1  website.dead-letter-1.1');

  const after = await handoff(['investigate', 'dead-letter-1']);
  expect(after.stdout).toMatch(
    /ended {8}a corrected request was accepted, by Tomas Vega at .*: "misspelt at the fair"/,
  );
  await recordOf('dead-letter-1', 'closed');
}, 240_000);

it('dismisses a dead letter in which there is nothing to hand off', async () => {
  const dead = engine.queues.find(({ definition }) => definition.name === 'lead-handoff-local-dead-leads');
  const { messageId = '' } = dead?.send('hello', {}) ?? {};
  const leadRequestId = `dead-${createHash('sha256').update(messageId).digest('hex').slice(0, 16)}`;
  const kept = async () =>
    (await ledgerAt(engine.url).underId({ route: ROUTE, leadRequestId })).deadLetters.length === 1;
  await until('the dead letter is kept', kept, PATIENCE_MS);

  const args = [
    'investigate',
    leadRequestId,
    '--dismiss',
    '--approved-by',
    'Tomas Vega',
    '--reason',
    'a test',
  ];
  const first = await handoff(args);
  const second = await handoff(args);

  expect(first.stdout).toBe(`1 dead letter under ${leadRequestId} dismissed.\n`);
  expect(second.stdout).toContain(
    `Nothing under ${leadRequestId} was being investigated any more: it was dismissed, by Tomas Vega at `,
  );
  expect((await handoff(['waiting'])).stdout).not.toContain(leadRequestId);
}, 240_000);

it('names the person that an action waits for, and says why the route cannot work', async () => {
  await sandbox('/people/archive-owner', { ownerId: '71' });
  await sandbox('/settings', { domains: [{ name: 'sales.example.com', status: 'pending' }] });

  const doctor = await handoff(['doctor', '--json']);
  expect(stateOf(doctor.stdout)).toMatchObject({ owner: 'failed', 'sender-domain': 'skipped', aws: 'ok' });
  expect(doctor.stderr).toBe('1 of 19 checks failed, 1 was skipped.\n');
  expect(doctor.exitCode).toBe(1);

  await handoff(['submit', '-'], '{"leadRequestId":"stuck-1","email":"ann@example.com"}');
  await recordOf('stuck-1', 'waiting');
  const listed = await handoff(['waiting', '--json']);
  const [stuck, ...others] = waitingFor(listed.stdout, 'stuck-1');
  expect(others).toEqual([]);
  expect(stuck).toMatchObject({
    route: 'website',
    leadRequestId: 'stuck-1',
    kind: 'ask',
    who: 'robin.okafor@revops.example.com',
    overdue: false,
  });
  expect(stuck).not.toHaveProperty('token');
  const text = await handoff(['waiting']);
  expect(text.stdout).toContain('website/stuck-1');
  expect(text.exitCode).toBe(0);
}, 240_000);

it('says of waiting work whose execution was aborted that it will not go on', async () => {
  const before = JSON.parse((await handoff(['show', 'stuck-1', '--json'])).stdout);
  expect(before.executionStatus).toBe('RUNNING');
  expect((await handoff(['show', 'stuck-1'])).stdout).not.toContain('attention');

  const { stateMachines } = await stepFunctions.send(new ListStateMachinesCommand({}));
  const [machine] = stateMachines ?? [];
  const executionArn = `${machine?.stateMachineArn?.replace(':stateMachine:', ':execution:')}:${before.execution}`;
  await stepFunctions.send(new StopExecutionCommand({ executionArn }));

  const key = { route: ROUTE, leadRequestId: 'stuck-1' };
  const onTheList = async () =>
    (await ledgerAt(engine.url).underId(key)).waiting.some(({ why }) => why === 'execution-aborted');
  await until('somebody is asked about the handoff as a whole', onTheList, PATIENCE_MS);
  const after = JSON.parse((await handoff(['show', 'stuck-1', '--json'])).stdout);
  expect(after).toMatchObject({ executionStatus: 'ABORTED', canRedrive: true });
  expect(after.actions.map(({ phase }: { phase: string }) => phase)).toEqual(
    before.actions.map(({ phase }: { phase: string }) => phase),
  );
  expect(after.resubmit).toMatchObject({ decision: 'resubmit', leadRequestId: 'stuck-1' });
  const shown = await handoff(['show', 'stuck-1']);
  expect(shown.stdout).toContain('its execution ended (ABORTED); it will not go on by itself');
  const [stuck] = waitingFor((await handoff(['waiting', '--json'])).stdout, 'stuck-1');
  expect(stuck).toMatchObject({ execution: before.execution, executionStatus: 'ABORTED' });
  expect((await handoff(['waiting'])).stdout).toContain('its execution ended (ABORTED)');
}, 240_000);

it('names a sender domain that is not verified', async () => {
  await sandbox('/reset', { domains: [{ name: 'sales.example.com', status: 'pending' }] });

  const { exitCode, stdout } = await handoff(['doctor']);

  expect(stdout).toContain('sales.example.com is pending at Resend.\n');
  expect(stdout).toContain(
    'To mend it: add sales.example.com under Resend, Domains, and set its DNS records',
  );
  expect(exitCode).toBe(1);
});
