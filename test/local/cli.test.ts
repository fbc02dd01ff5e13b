import { ListStateMachinesCommand, SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { handoffStatus } from '../../functions/domain/handoff.ts';
import { type Engine, startEngine } from '../../local/engine.ts';
import { runHandoff } from '../unit/cli/run-handoff.ts';
import { ledgerAt, ROUTE, until } from './real/stack.ts';

/** Long enough for a busy machine: how long it takes changes nothing in what is found. */
const PATIENCE_MS = 150_000;

let engine: Engine;
let stepFunctions: SFNClient;

beforeAll(async () => {
  engine = await startEngine({ port: 0, sandboxPort: 0 });
  stepFunctions = new SFNClient({
    endpoint: engine.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
}, 120_000);

afterAll(() => engine.stop());

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
    /^line 1: leadRequestId: quiet-1 was accepted before with other fields;.*\nNothing was submitted\.\n$/,
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

  expect(stdout).toContain('15 checks, none failed.');
  expect(stdout).not.toMatch(/^(failed|skipped)/m);
  expect(stdout + stderr).not.toContain(engine.sandboxBearer);
  expect(stdout).not.toContain('@');
  expect(exitCode).toBe(0);
});

it('names the person that an action waits for, and says why the route cannot work', async () => {
  await sandbox('/people/archive-owner', { ownerId: '71' });
  await sandbox('/settings', { domains: [{ name: 'sales.example.com', status: 'pending' }] });

  const doctor = await handoff(['doctor', '--json']);
  expect(stateOf(doctor.stdout)).toMatchObject({ owner: 'failed', 'sender-domain': 'skipped', aws: 'ok' });
  expect(doctor.stderr).toBe('1 of 15 checks failed, 1 was skipped.\n');
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

  const after = JSON.parse((await handoff(['show', 'stuck-1', '--json'])).stdout);
  expect(after).toEqual({ ...before, executionStatus: 'ABORTED' });
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
