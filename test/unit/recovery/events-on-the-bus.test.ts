import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { afterEach, expect, test } from 'vitest';
import { eventBridgeEvents } from '../../../functions/adapters/events.ts';
import type { RecoveryOpened } from '../../../functions/domain/recovery-opened.ts';

const OPENED: RecoveryOpened = {
  route: 'web',
  leadRequestId: 'inq-1',
  action: 'create-task',
  why: 'permissions',
  who: 'robin@revops.example.com',
  asked: 0,
  escalated: false,
  dueAt: null,
  text: 'Please decide.',
};

let bus: Server | undefined;
afterEach(() => bus?.close());

/** A bus that answers every request so; null: it drops the connection. */
async function busAnswering(status: number, answer: object | null) {
  const requests: { target: unknown; body: unknown }[] = [];
  bus = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      requests.push({ target: request.headers['x-amz-target'], body: JSON.parse(body) });
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
      if (answer === null) request.socket.destroy();
      else response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((listening) => bus?.listen(0, '127.0.0.1', listening));
  const client = new EventBridgeClient({
    region: 'eu-central-1',
    endpoint: `http://127.0.0.1:${(bus.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  return { requests, events: eventBridgeEvents(client) };
}

test('an event goes to the default bus under this product’s name', async () => {
  const { requests, events } = await busAnswering(200, { FailedEntryCount: 0, Entries: [{ EventId: '1' }] });
  await events.publish(OPENED);

  expect(requests).toEqual([
    {
      target: 'AWSEvents.PutEvents',
      body: {
        Entries: [{ Source: 'lead-handoff', DetailType: 'recovery.opened', Detail: JSON.stringify(OPENED) }],
      },
    },
  ]);
});

test.each<[string, number, object | null]>([
  ['an entry that was not taken', 200, { FailedEntryCount: 1, Entries: [{ ErrorCode: 'InternalFailure' }] }],
  ['an answer without a count', 200, {}],
  ['a refusal', 400, { __type: 'AccessDeniedException', message: 'no' }],
  ['a failure', 500, { __type: 'InternalException' }],
  ['no answer', 200, null],
])('%s is no success', async (_what, status, answer) => {
  const { events } = await busAnswering(status, answer);

  await expect(events.publish(OPENED)).rejects.toMatchObject({ name: 'EventsUnavailable' });
});
