import { GetExecutionHistoryCommand, paginateListExecutions, SFNClient } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LeadRequest } from '../../../functions/domain/lead-request.ts';
import { closed, decided, ended, handoffExecution, REFUSED, ROBIN, taken, waitsFor } from './recovery.ts';
import { leadOf, ONE_OF_EACH, ROUTE, type Stack, settled, startStack, submit, until } from './stack.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
}, 120_000);

afterAll(() => stack.engine.stop());

const LEADS = [leadOf('quiet'), leadOf('faulty'), leadOf('refused'), leadOf('stopped')];
/** What came again under the id of the first one, and of the refused one. */
const OTHER = { ...leadOf('quiet'), firstName: 'Zdzisława' };
const CORRECTED = { ...leadOf('refused'), email: 'corrected@example.com', lastName: 'Kołodziejczyk' };

const PERSONAL = ['email', 'firstName', 'lastName', 'company', 'phone', 'message'] as const;

/** What a lead says of a person; ids and what an owner is chosen by do not. */
function personalValues(lead: LeadRequest): string[] {
  return PERSONAL.flatMap((field) => lead[field] ?? []);
}

/** What people typed, which stays in the ledger and in the execution that they started. */
const TOMAS = { by: 'Tomas Vega', reason: 'Corrected by the form service, see ticket 4711.' };

/** Everything that the run has written outside the ledger and the destinations. */
async function everythingWritten(): Promise<Map<string, string>> {
  const { engine } = stack;
  const client = new SFNClient({
    endpoint: engine.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const written = new Map<string, string>();
  for (const { arn: stateMachineArn } of engine.stateMachines) {
    for await (const { executions = [] } of paginateListExecutions({ client }, { stateMachineArn })) {
      for (const { executionArn, name } of executions) {
        const { events } = await client.send(
          new GetExecutionHistoryCommand({ executionArn, maxResults: 1000, includeExecutionData: true }),
        );
        written.set(`execution ${executionArn}`, JSON.stringify([name, executionArn, events]));
      }
    }
  }
  client.destroy();
  for (const { name } of engine.functions) written.set(`log of ${name}`, engine.logLines(name).join('\n'));
  for (const { event } of engine.events) written.set(`event ${event.id}`, JSON.stringify(event));
  return written;
}

/** People are asked, told, refused, and heard; one execution is stopped, and started again. */
async function recovered(): Promise<void> {
  await submit(stack, CORRECTED);
  await waitsFor(stack, 'refused', 'upsert-contact');
  await taken(stack, { decision: 'waiting' });
  const shown = await taken(stack, { decision: 'show', leadRequestId: 'refused' });
  const [{ intentHash }] = (shown.record as { conflicts: [{ intentHash: string }] }).conflicts;
  const amend = {
    leadRequestId: 'refused',
    action: 'upsert-contact',
    decision: 'amend',
    evidence: intentHash,
  };
  expect((await decided(stack, { ...amend, ...ROBIN })).end).toMatchObject({ error: 'NotAnApprover' });
  expect(await taken(stack, { ...amend, ...TOMAS })).toMatchObject({ recorded: 'now' });
  expect(await taken(stack, { ...amend, ...TOMAS })).toMatchObject({ recorded: 'before' });

  await waitsFor(stack, 'stopped', 'send-introduction');
  const { start } = await handoffExecution(stack, 'stopped');
  stack.engine.executions.stop(start.arn, 'Stopped', 'By a test.');
  await until('it waits as a whole', async () => {
    const record = await stack.ledger.record({ route: ROUTE, leadRequestId: 'stopped' });
    return record?.waiting.find(({ action, asked, dueAt, since }) => {
      return action === 'handoff' && asked === 0 && dueAt !== since;
    });
  });
  await taken(stack, { leadRequestId: 'stopped', decision: 'resubmit', ...TOMAS });
  const resume = { leadRequestId: 'stopped', action: 'send-introduction', decision: 'resume', ...TOMAS };
  await taken(stack, resume);
  await stack.engine.invoke('lead-handoff-local-sweep', {});
  const [amended] = await Promise.all([closed(stack, 'refused'), closed(stack, 'stopped', 2)]);
  // An approver's correction came to the destinations, in the place of what came first, and nowhere else.
  expect(amended.handoff.lead).toMatchObject({ email: CORRECTED.email, lastName: CORRECTED.lastName });
  expect(amended.handoff.amendments).toMatchObject([{ intentHash, by: TOMAS.by }]);
  expect(await stack.destination.effects(CORRECTED.email)).toEqual(ONE_OF_EACH);
  expect((await stack.destination.effects(leadOf('refused').email)).contacts).toBe(0);
  for (const { leadRequestId } of LEADS) {
    const last = await taken(stack, { decision: 'show', leadRequestId });
    expect(last.record).toMatchObject({ status: 'closed' });
  }
}

test('no email, name, company, phone or message of a lead in executions, histories, events, logs or names', async () => {
  const [, faulty, refused, stopped] = LEADS as [object, ...ReturnType<typeof leadOf>[]];
  await stack.destination.plan(
    { operation: 'send-email', kind: 'apply-then-drop', match: { email: faulty?.email } },
    { operation: 'create-contact', kind: 'garbage', match: { email: faulty?.email } },
    {
      operation: 'create-contact',
      kind: 'status',
      status: 400,
      match: { email: refused?.email },
      body: { status: 'error', category: 'VALIDATION_ERROR', message: `Bad value ${refused?.email}` },
    },
    { operation: 'send-email', match: { email: stopped?.email }, ...REFUSED },
  );
  for (const lead of LEADS) expect(await submit(stack, lead)).toMatchObject({ status: 'accepted' });
  // An invalid request and a conflict are answered without repeating what they brought.
  const invalid = await submit(stack, { ...leadOf('invalid'), phone: { number: '+1 555 0199' } });
  expect(invalid).toMatchObject({ errorType: 'InvalidLeadRequest', errorMessage: 'phone: expected a text.' });
  const conflict = await submit(stack, OTHER);
  expect(conflict).toMatchObject({ errorType: 'LeadConflict' });
  for (const { leadRequestId } of LEADS) await settled(stack.ledger, leadRequestId);
  await recovered();
  const notices = () =>
    stack.engine.executions.all().filter(({ start }) => start.stateMachineArn.includes('-notice-'));
  await until('everybody was told', () => notices().length >= 3);
  await Promise.all(notices().map(ended));

  const written = await everythingWritten();
  const sources = [...written].filter(([, text]) => text !== '').map(([source]) => source);
  const count = (of: RegExp) => sources.filter((source) => of.test(source)).length;
  expect(count(/^execution .*:lead-handoff-local:/)).toBe(LEADS.length + 1);
  expect(count(/^execution .*-recovery-website:/)).toBe(11);
  expect(count(/^log /)).toBeGreaterThanOrEqual(12);
  expect(count(/^log of lead-handoff-local-(decide|ask|close|execution-ended|sweep)$/)).toBe(5);
  expect(count(/^event /)).toBeGreaterThanOrEqual(8);
  const values = [...LEADS, OTHER, CORRECTED].flatMap(personalValues);
  for (const [source, text] of written) {
    for (const value of values) expect(text, `${source} holds personal data`).not.toContain(value);
    if (source.includes('-recovery-website:')) continue;
    expect(text, `${source} holds what a person typed`).not.toContain(TOMAS.reason);
    if (source.startsWith('log')) expect(text, `${source} names who decided`).not.toContain(TOMAS.by);
  }
  expect(JSON.stringify([invalid, conflict])).not.toMatch(/Zdzisława|\+1 555/);
}, 120_000);

test('what a person typed by mistake is refused without being repeated', async () => {
  const typed = { decision: 'resume', leadRequestId: 'refused', action: leadOf('refused').email, ...ROBIN };
  const { end } = await decided(stack, typed);
  expect(end).toMatchObject({ status: 'FAILED', error: 'InvalidDecision' });
  const extra = await decided(stack, { decision: 'waiting', [leadOf('refused').email]: 'x' });
  expect(extra.end).toMatchObject({ status: 'FAILED', error: 'InvalidDecision' });
  const log = stack.engine.logLines('lead-handoff-local-decide').join('\n');
  for (const text of [end?.cause, extra.end?.cause, log]) {
    expect(text).not.toContain(leadOf('refused').email);
  }
});
