import { GetExecutionHistoryCommand, ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personalValues } from '../../../functions/domain/redaction.ts';
import { leadOf, type Stack, settled, startStack, submit } from './stack.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
}, 120_000);

afterAll(() => stack.engine.stop());

const LEADS = [leadOf('quiet'), leadOf('faulty'), leadOf('refused'), leadOf('unreadable')];

/** Everything that the run has written outside the ledger and the destinations. */
async function everythingWritten(): Promise<Map<string, string>> {
  const { engine } = stack;
  const client = new SFNClient({
    endpoint: engine.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const written = new Map<string, string>();
  const { executions = [] } = await client.send(
    new ListExecutionsCommand({ stateMachineArn: engine.stateMachines[0]?.arn }),
  );
  for (const { executionArn, name } of executions) {
    const { events } = await client.send(
      new GetExecutionHistoryCommand({ executionArn, maxResults: 1000, includeExecutionData: true }),
    );
    written.set(`execution ${name}`, JSON.stringify([name, executionArn, events]));
  }
  client.destroy();
  for (const { name } of engine.functions) written.set(`log of ${name}`, engine.logLines(name).join('\n'));
  return written;
}

test('no email, name, company, phone or message of a lead in executions, histories, logs or names', async () => {
  const [, faulty, refused, unreadable] = LEADS as [object, ...ReturnType<typeof leadOf>[]];
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
    {
      operation: 'list-emails',
      kind: 'status',
      status: 500,
      match: { text: unreadable?.email },
    },
  );
  for (const lead of LEADS) expect(await submit(stack, lead)).toMatchObject({ status: 'accepted' });
  // An invalid request and a conflict are answered without repeating what they brought.
  const invalid = await submit(stack, { ...leadOf('invalid'), phone: { number: '+1 555 0199' } });
  expect(invalid).toMatchObject({ errorType: 'InvalidLeadRequest', errorMessage: 'phone: expected a text.' });
  const conflict = await submit(stack, { ...leadOf('quiet'), firstName: 'Zdzisława' });
  expect(conflict).toMatchObject({ errorType: 'LeadConflict' });
  for (const { leadRequestId } of LEADS) await settled(stack.ledger, leadRequestId);

  const written = await everythingWritten();
  expect([...written.keys()].filter((source) => source.startsWith('execution'))).toHaveLength(LEADS.length);
  const logged = [...written].filter(([source, text]) => source.startsWith('log') && text !== '');
  expect(logged.length).toBeGreaterThanOrEqual(6);
  const values = [...LEADS, { ...leadOf('conflict'), firstName: 'Zdzisława' }].flatMap(personalValues);
  for (const [source, text] of written) {
    for (const value of values) expect(text, `${source} holds personal data`).not.toContain(value);
  }
  expect(JSON.stringify([invalid, conflict])).not.toMatch(/Zdzisława|\+1 555/);
});
