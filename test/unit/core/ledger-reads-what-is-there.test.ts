import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DynamoDBLedger } from '../../../functions/adapters/dynamodb/ledger.ts';
import { TableConnection } from '../../model/table-connection.ts';

let connection: TableConnection;

beforeAll(async () => {
  connection = await TableConnection.open();
});
afterAll(() => connection.close());

test('the fence, the gates, a claim and a frozen body are read as they are, not as they were', async () => {
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  connection.connect(client);
  const ledger = new DynamoDBLedger(client, 'ledger');
  const key = { route: 'web', leadRequestId: 'inq-1' };

  await ledger.handoff(key);
  await ledger.action(key, 'create-task');
  await ledger.operation(key, 'create-task', 1);
  await ledger.gates('web', 'hubspot');
  await ledger.record(key);

  const reads = connection.seen.map(({ operation, body }) => `${operation} ${body.ConsistentRead}`);
  expect(reads).toEqual([...Array(5).fill('GetItem true'), 'Query true']);
});
