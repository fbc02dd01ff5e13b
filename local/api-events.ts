import { type JsonService, unknownOperation } from './endpoint.ts';
import type { EventBus } from './event-bus.ts';
import { busName } from './rule-definition.ts';

interface Entry {
  Source?: string;
  DetailType?: string;
  Detail?: string;
  EventBusName?: string;
  Resources?: string[];
}

/**
 * EventBridge PutEvents: an entry that is incomplete is refused by itself, the others are accepted.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
export function eventsApi(bus: EventBus): JsonService {
  return async (operation, body) => {
    if (operation !== 'PutEvents') throw unknownOperation(`EventBridge ${operation}`);
    const entries = ((body.Entries ?? []) as Entry[]).map((entry) => put(bus, entry));
    return {
      body: { Entries: entries, FailedEntryCount: entries.filter(({ ErrorCode }) => ErrorCode).length },
    };
  };
}

function put(bus: EventBus, entry: Entry): { EventId?: string; ErrorCode?: string; ErrorMessage?: string } {
  const refused = (ErrorMessage: string) => ({ ErrorCode: 'InvalidArgument', ErrorMessage });
  if (!entry.Source) return refused('Parameter Source is not valid. Reason: Source is a required argument.');
  if (!entry.DetailType)
    return refused('Parameter DetailType is not valid. Reason: DetailType is a required argument.');
  if (!entry.Detail) return refused('Parameter Detail is not valid. Reason: Detail is a required argument.');
  let detail: unknown;
  try {
    detail = JSON.parse(entry.Detail);
  } catch {
    return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  }
  const name = busName(entry.EventBusName);
  return { EventId: bus.put(name, entry.Source, entry.DetailType, detail, entry.Resources) };
}
