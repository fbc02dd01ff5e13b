import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExecutionRecord } from '../../local/execution-record.ts';
import { leadOf, ROUTE, type Stack, startStack, submit, until } from './real/stack.ts';

/** The rules and the state machines of recovery, as they are synthesized, run by the engine. */

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
}, 300_000);

afterAll(() => stack.engine.stop());

const machineArn = (name: string) =>
  `arn:aws:states:us-east-1:000000000000:stateMachine:lead-handoff-local${name}`;

function executionsOf(name: string): ExecutionRecord[] {
  return stack.engine.executions.all().filter(({ start }) => start.stateMachineArn === machineArn(name));
}

/** A handoff whose task the CRM refuses, so that a person is asked. */
async function askedAbout(id: string): Promise<ExecutionRecord> {
  const faulty = { operation: 'create-task', kind: 'status', status: 400, body: {} };
  await stack.destination.plan({ ...faulty, match: { email: leadOf(id).email } });
  await submit(stack, leadOf(id));
  return until(`a person is asked about ${id}`, async () => {
    const record = await stack.ledger.record({ route: ROUTE, leadRequestId: id });
    const asked = record?.waiting.some(({ action, token }) => action === 'create-task' && token !== null);
    return asked && executionsOf('').find(({ start }) => start.name === `${ROUTE}.${id}.1`);
  });
}

/** Starts an execution of the route's recovery state machine as a person does in the console. */
async function decided(request: object): Promise<ExecutionRecord> {
  const record = stack.engine.executions.start(
    machineArn(`-recovery-${ROUTE}`),
    undefined,
    JSON.stringify(request),
  );
  await until('the decision is answered', () => record.status !== 'RUNNING');
  return record;
}

const closed = (id: string) =>
  until(
    `${id} is closed`,
    async () => (await stack.ledger.handoff({ route: ROUTE, leadRequestId: id }))?.closedAt,
  );

const waitsFor = (id: string, subject: string) =>
  until(`${id} waits`, async () => {
    const record = await stack.ledger.record({ route: ROUTE, leadRequestId: id });
    return record?.waiting.find(({ action }) => action === subject);
  });

const WHO = { by: 'Robin Okafor', reason: 'The portal is closed.' };

describe('a question to a person', () => {
  let handoff: ExecutionRecord;
  beforeAll(async () => {
    handoff = await askedAbout('asked');
  }, 180_000);

  test('has its recovery record in the input of the state that asks, and in no other', () => {
    const withRecord = handoff.events.flatMap(({ stateEnteredEventDetails: details }) => {
      const entered = details as { name: string; input: string } | undefined;
      const groups = Object.values(JSON.parse(entered?.input ?? '{}')) as { record?: unknown }[];
      return groups.some((group) => group?.record) ? [entered?.name] : [];
    });
    // Between the reconcile that asks and the state that asks there is the choice.
    expect([...new Set(withRecord)]).toEqual(['Task: what now?', 'Task: ask recovery owner']);
  });

  test('comes to the recovery owner as plain text with a subject', async () => {
    const notice = await until('the recovery owner is told', () =>
      executionsOf(`-notice-${ROUTE}`).find(({ status }) => status === 'SUCCEEDED'),
    );
    const scheduled = notice.events.find(({ type }) => type === 'TaskScheduled');
    expect(scheduled?.taskScheduledEventDetails).toMatchObject({ resourceType: 'sns', resource: 'publish' });
    const message = JSON.parse(String(scheduled?.taskScheduledEventDetails?.parameters));
    expect(message).toMatchObject({
      TopicArn: 'arn:aws:sns:us-east-1:000000000000:lead-handoff-local-recovery-website',
      Subject: 'Lead Handoff: website/asked',
    });
    expect(message.Message).toMatch(/\n/);
    expect(message.Message).toContain('"decision":');
    expect(message.Message).not.toContain(leadOf('asked').email);
  });

  test('refuses what is no decision, by its name, and changes nothing', async () => {
    const refused = await decided({
      leadRequestId: 'asked',
      action: 'create-task',
      decision: 'perhaps',
      ...WHO,
    });
    expect(refused.end).toMatchObject({ status: 'FAILED', error: 'InvalidDecision' });
    expect(refused.end?.cause).toMatch(/\.$/);
    expect(handoff.status).toBe('RUNNING');
  });

  test('takes a decision, and the handoff goes on to its end', async () => {
    const answered = await decided({
      leadRequestId: 'asked',
      action: 'create-task',
      decision: 'stop',
      ...WHO,
    });
    expect(answered.end).toMatchObject({ status: 'SUCCEEDED' });
    await closed('asked');
    await until('the execution has ended', () => handoff.status !== 'RUNNING');
    expect(handoff.status).toBe('SUCCEEDED');
    expect(handoff.end?.output).not.toContain('"choices"');
  });
}, 180_000);

describe('an execution that is stopped', () => {
  test('comes to the waiting list by the rule, and goes on by a decision', async () => {
    const handoff = await askedAbout('stopped');
    stack.engine.executions.stop(handoff.start.arn, 'Stopped', 'By a test.');
    expect(await waitsFor('stopped', 'handoff')).toMatchObject({ token: null, why: 'execution-aborted' });

    const answered = await decided({ leadRequestId: 'stopped', decision: 'resubmit', ...WHO });
    expect(answered.end).toMatchObject({ status: 'SUCCEEDED' });
    const next = await until('run 2 exists', () =>
      executionsOf('').find(({ start }) => start.name === `${ROUTE}.stopped.2`),
    );
    expect(next.status).toBe('RUNNING');
    await decided({ leadRequestId: 'stopped', action: 'create-task', decision: 'stop', ...WHO });
    await closed('stopped');
  }, 180_000);
});

test('the sweep says of its route how much waits, with the dimensions that the alarm reads', async () => {
  stack.engine.fireRule('lead-handoff-local-sweep');
  const line = await until('the sweep has come to its end', () =>
    stack.engine.logLines('lead-handoff-local-sweep').find((each) => each.includes('OldestWaitingSeconds')),
  );
  const { _aws, ...values } = JSON.parse(line);
  expect(_aws.CloudWatchMetrics).toMatchObject([
    { Namespace: 'LeadHandoff', Dimensions: [['service', 'route']] },
  ]);
  expect(values).toMatchObject({
    service: 'lead-handoff',
    route: ROUTE,
    OldestWaitingSeconds: expect.any(Number),
  });
}, 60_000);
