import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { EVENT_SOURCE, RECOVERY_OPENED } from '../domain/recovery-opened.ts';
import { type Events, EventsUnavailable } from '../ports/events.ts';

/** One client per process. */
function eventBridge(): EventBridgeClient {
  return new EventBridgeClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 1_000, throwOnRequestTimeout: true },
  });
}

/**
 * Events on the account's default bus. PutEvents answers with success also where it took no entry:
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html.
 */
export function eventBridgeEvents(client: Pick<EventBridgeClient, 'send'> = eventBridge()): Events {
  return {
    async publish(event) {
      const entry = { Source: EVENT_SOURCE, DetailType: RECOVERY_OPENED, Detail: JSON.stringify(event) };
      const { FailedEntryCount, Entries } = await client
        .send(new PutEventsCommand({ Entries: [entry] }))
        .catch((error: unknown) => {
          throw new EventsUnavailable(error);
        });
      if (FailedEntryCount !== 0) throw new EventsUnavailable(Entries?.[0]?.ErrorCode ?? 'no answer');
    },
  };
}
