import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../local/engine.ts';
import { TableShapeChanged, Tables } from '../../local/tables.ts';
import { clientSettings, newDirectory, startFixture, TABLE } from './fixtures/engine/fixture.ts';

let engine: Engine;
let client: DynamoDBClient;

beforeAll(async () => {
  engine = await startFixture();
  client = new DynamoDBClient(clientSettings(engine.url));
});

afterAll(async () => {
  client.destroy();
  await engine.stop();
});

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'A' } });

async function refusal(sent: Promise<unknown>): Promise<ConditionalCheckFailedException> {
  const error = await sent.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConditionalCheckFailedException);
  return error as ConditionalCheckFailedException;
}

test('a refused put shows the item that stood in its way', async () => {
  await client.send(new PutItemCommand({ TableName: TABLE, Item: { ...key('put'), by: { S: 'first' } } }));

  const error = await refusal(
    client.send(
      new PutItemCommand({
        TableName: TABLE,
        Item: { ...key('put'), by: { S: 'second' } },
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    ),
  );

  expect(error.Item).toEqual({ ...key('put'), by: { S: 'first' } });
  expect(error.message).toBe('The conditional request failed');
});

test('a refused update and a refused delete show the item too', async () => {
  await client.send(new PutItemCommand({ TableName: TABLE, Item: { ...key('both'), n: { N: '1' } } }));
  const condition = {
    TableName: TABLE,
    Key: key('both'),
    ConditionExpression: 'n = :wrong',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;

  const updated = await refusal(
    client.send(
      new UpdateItemCommand({
        ...condition,
        UpdateExpression: 'SET n = :next',
        ExpressionAttributeValues: { ':wrong': { N: '7' }, ':next': { N: '8' } },
      }),
    ),
  );
  const deleted = await refusal(
    client.send(new DeleteItemCommand({ ...condition, ExpressionAttributeValues: { ':wrong': { N: '7' } } })),
  );

  expect(updated.Item).toEqual({ ...key('both'), n: { N: '1' } });
  expect(deleted.Item).toEqual({ ...key('both'), n: { N: '1' } });
});

test('no item is shown where none was, or where none was asked for', async () => {
  await client.send(new PutItemCommand({ TableName: TABLE, Item: key('quiet') }));

  const absent = await refusal(
    client.send(
      new DeleteItemCommand({
        TableName: TABLE,
        Key: key('absent'),
        ConditionExpression: 'attribute_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    ),
  );
  const quiet = await refusal(
    client.send(
      new PutItemCommand({
        TableName: TABLE,
        Item: key('quiet'),
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    ),
  );

  expect(absent.Item).toBeUndefined();
  expect(quiet.Item).toBeUndefined();
});

test('ReturnValues ALL_OLD answers a put, an update and a delete with the item as it was', async () => {
  const old = { ...key('returned'), n: { N: '1' } };
  await client.send(new PutItemCommand({ TableName: TABLE, Item: old }));

  const put = await client.send(
    new PutItemCommand({ TableName: TABLE, Item: { ...old, n: { N: '2' } }, ReturnValues: 'ALL_OLD' }),
  );
  const updated = await client.send(
    new UpdateItemCommand({
      TableName: TABLE,
      Key: key('returned'),
      UpdateExpression: 'SET n = :next',
      ExpressionAttributeValues: { ':next': { N: '3' } },
      ReturnValues: 'ALL_OLD',
    }),
  );
  const deleted = await client.send(
    new DeleteItemCommand({ TableName: TABLE, Key: key('returned'), ReturnValues: 'ALL_OLD' }),
  );

  expect([put, updated, deleted].map(({ Attributes }) => Attributes?.n?.N)).toEqual(['1', '2', '3']);
});

test.each([
  ...[
    'TransactWriteItems',
    'TransactGetItems',
    'ExecuteStatement',
    'ExecuteTransaction',
    'BatchExecuteStatement',
  ],
  ...[
    'CreateTable',
    'UpdateTable',
    'DeleteTable',
    'UpdateTimeToLive',
    'CreateBackup',
    'ExportTableToPointInTime',
  ],
])('%s is refused by its name', async (operation) => {
  const response = await fetch(engine.url, {
    method: 'POST',
    headers: { 'x-amz-target': `DynamoDB_20120810.${operation}` },
    body: '{}',
  });

  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    __type: 'UnknownOperationException',
    message: `The embedded engine does not speak DynamoDB ${operation}.`,
  });
});

test('while another writes, the item shown is the one that the condition was evaluated against', async () => {
  const put = (light: string) =>
    client.send(new PutItemCommand({ TableName: TABLE, Item: { ...key('light'), light: { S: light } } }));
  await put('red');
  let switching = true;
  const switches = (async () => {
    for (let turn = 0; switching; turn += 1) await put(turn % 2 === 0 ? 'green' : 'red');
  })();
  const shown: (string | undefined)[] = [];
  const goOnGreen = async () => {
    try {
      await client.send(
        new UpdateItemCommand({
          TableName: TABLE,
          Key: key('light'),
          UpdateExpression: 'SET car = :car',
          ConditionExpression: 'light = :green',
          ExpressionAttributeValues: { ':car': { S: 'gone' }, ':green': { S: 'green' } },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
    } catch (error) {
      shown.push((error as ConditionalCheckFailedException).Item?.light?.S);
    }
  };

  while (shown.length < 40) await Promise.all([goOnGreen(), goOnGreen(), goOnGreen()]);
  switching = false;
  await switches;

  expect(new Set(shown)).toEqual(new Set(['red']));
});

test('the sparse index holds only the items that have its key', async () => {
  await client.send(
    new PutItemCommand({
      TableName: TABLE,
      Item: { ...key('indexed'), waiting: { S: 'ask#demo' }, since: { S: '2026-01-01' } },
    }),
  );
  await client.send(new PutItemCommand({ TableName: TABLE, Item: key('plain') }));

  const found = await client.send(
    new QueryCommand({
      TableName: TABLE,
      IndexName: 'waiting',
      KeyConditionExpression: 'waiting = :w',
      ExpressionAttributeValues: { ':w': { S: 'ask#demo' } },
    }),
  );

  expect(found.Items?.map((item) => item.pk?.S)).toEqual(['indexed']);
});

test('successful writes are counted per table, refused ones are not', async () => {
  const before = engine.counters.writes[TABLE] ?? 0;
  const put = { TableName: TABLE, Item: key('counted'), ConditionExpression: 'attribute_not_exists(pk)' };

  await client.send(new PutItemCommand(put));
  await refusal(client.send(new PutItemCommand(put)));

  expect(engine.counters.writes[TABLE]).toBe(before + 1);
});

test('a stored table is kept over a restart, and refused when its keys have changed', async () => {
  const directory = newDirectory();
  const definition = (hash: string) => ({
    logicalId: 'Kept',
    name: 'kept',
    create: {
      AttributeDefinitions: [{ AttributeName: hash, AttributeType: 'S' }],
      KeySchema: [{ AttributeName: hash, KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    },
  });
  try {
    const first = await Tables.open([definition('id')], { path: directory.path });
    await first.handle('PutItem', { TableName: 'kept', Item: { id: { S: 'x' } } });
    await first.close();

    const second = await Tables.open([definition('id')], { path: directory.path });
    const read = await second.handle('GetItem', { TableName: 'kept', Key: { id: { S: 'x' } } });
    await second.close();

    expect(read.body.Item).toEqual({ id: { S: 'x' } });
    await expect(Tables.open([definition('other')], { path: directory.path })).rejects.toThrow(
      TableShapeChanged,
    );
  } finally {
    directory.remove();
  }
});
