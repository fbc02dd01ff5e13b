import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DynamoDBLedger } from '../../../functions/adapters/dynamodb/ledger.ts';
import { openAction } from '../../../functions/domain/action-state.ts';
import { TableConnection } from '../../model/table-connection.ts';
import { claimEvent, decisionOf, OUTCOMES, settleEvent } from '../domain/states.ts';

let connection: TableConnection;

beforeAll(async () => {
  connection = await TableConnection.open();
});
afterAll(() => connection.close());

test('a worker settles while a person decides on what they saw before: neither word is lost', async () => {
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  connection.connect(client);
  const ledger = new DynamoDBLedger(client, 'ledger');
  const key = { route: 'web', leadRequestId: 'inq-1' };
  await ledger.apply(key, claimEvent(1), openAction('create-task'));
  const seen = await ledger.action(key, 'create-task');

  await ledger.apply(key, settleEvent(1, OUTCOMES.unknown), seen);
  await ledger.apply(key, { type: 'decide', decision: decisionOf('resume') }, seen);

  expect(await ledger.action(key, 'create-task')).toMatchObject({
    phase: 'unknown',
    reason: 'timeout',
    decision: { kind: 'resume' },
    version: 3,
  });
});
