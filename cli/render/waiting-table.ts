import type { WaitingItem } from '../commands/waiting.ts';
import { painter } from './paint.ts';
import { plainTable } from './plain-table.ts';
import { readableTime } from './words.ts';

/** Waiting work as a table; what is overdue is marked. */
export function waitingTable(
  items: readonly WaitingItem[],
  { colour }: { readonly colour: boolean },
): string {
  const paint = painter(colour);
  return plainTable(
    ['since', 'lead request', 'action', 'kind', 'waits for', 'why', 'until'],
    items.map(({ route, leadRequestId, action, kind, who, why, since, dueAt, overdue }) => [
      readableTime(since),
      `${route}/${leadRequestId}`,
      action,
      kind,
      who,
      why,
      dueAt === null
        ? 'no due time'
        : overdue
          ? paint('red', `${readableTime(dueAt)} overdue`)
          : readableTime(dueAt),
    ]),
    paint,
  );
}
