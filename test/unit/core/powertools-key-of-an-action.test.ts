import type { IdempotencyConfig } from '@aws-lambda-powertools/idempotency';
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { AttemptInput } from '../../../functions/actions/action-function.ts';
import type { Handoff } from '../../../functions/domain/handoff.ts';
import { NUMBERS, testRoute } from '../../model/settings.ts';
import type { TableConnection } from '../../model/table-connection.ts';
import { OUTCOMES } from '../domain/states.ts';
import { connectTables } from './powertools-bench.ts';

vi.hoisted(() => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
});
vi.mock('../../../functions/adapters/routes-file.ts', async (original) => ({
  ...(await original<typeof import('../../../functions/adapters/routes-file.ts')>()),
  routesFile: () => ({ stage: 'local', numbers: NUMBERS, routes: [testRoute()] }),
}));

let connection: TableConnection;

beforeAll(async () => {
  connection = await connectTables();
});
afterAll(() => connection.close());

const HANDOFF: Handoff = {
  route: 'web',
  leadRequestId: 'inq-1',
  lead: { leadRequestId: 'inq-1', email: 'jo@customer.example.com' } as Handoff['lead'],
  ownerId: '71',
  intentHash: 'hash-of-the-lead',
  acceptedAt: 1,
  closedAt: null,
  execution: 'web.inq-1.1',
  run: 1,
  amendments: [],
};

test('an attempt is remembered under its lead request and its number, with what the lead asked for', async () => {
  const { actionHandler } = await import('../../../functions/actions/action-function.ts');
  const { dynamoDB } = await import('../../../functions/adapters/dynamodb/client.ts');
  const { DynamoDBLedger } = await import('../../../functions/adapters/dynamodb/ledger.ts');
  await new DynamoDBLedger(dynamoDB, 'ledger').accept(HANDOFF);
  const inputs: AttemptInput[] = [];
  const handler = actionHandler(
    'upsert-contact',
    () => ({
      freeze: async () => ({ email: 'jo@customer.example.com', properties: {}, values: 'fill-blanks' }),
      perform: async () => OUTCOMES.unknown,
    }),
    { registerLambdaContext() {} } as unknown as IdempotencyConfig,
    (input, run) => {
      inputs.push(input);
      return run();
    },
  );
  const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 15_000 } as Context;
  const request = { route: 'web', leadRequestId: 'inq-1', run: 1, execution: 'web.inq-1.1' };

  await expect(handler({ ...request, attempt: 1 }, context)).rejects.toMatchObject({
    name: 'OutcomeUnknown',
  });
  await expect(handler({ ...request, attempt: 2 }, context)).rejects.toMatchObject({ name: 'NoGrant' });

  expect(inputs).toEqual([
    { idempotencyKey: 'web/inq-1#1', intentHash: 'hash-of-the-lead' },
    { idempotencyKey: 'web/inq-1#2', intentHash: 'hash-of-the-lead' },
  ]);
});
