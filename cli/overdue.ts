import type { Waiting } from '../functions/domain/handoff.ts';
import type { RouteSettings } from '../functions/domain/route.ts';
import { STAGE_NUMBERS, type Stage } from '../functions/domain/stage-numbers.ts';

/** How long a person may take to answer before somebody else is asked, in milliseconds. */
export function answerTimeMs(route: RouteSettings, stage: Stage): number {
  return (route.askSlaSeconds ?? STAGE_NUMBERS[stage].askSlaSeconds) * 1000;
}

/**
 * Since when a wait is overdue (epoch milliseconds), or null. After the last escalation a question has no due time any more: it
 * has been overdue since the first person it went to did not answer in time.
 */
export function overdueSince(
  { kind, since, dueAt }: Pick<Waiting, 'kind' | 'since' | 'dueAt'>,
  answerMs: number,
  now: number,
): number | null {
  if (dueAt !== null) return dueAt < now ? dueAt : null;
  return kind === 'ask' ? Math.min(since + answerMs, now) : null;
}
