import type { Waiting } from '../domain/handoff.ts';
import type { RouteSettings } from '../domain/route.ts';
import type { StageNumbers } from '../domain/stage-numbers.ts';

/** First the recovery owner; from the first escalation on the escalation owner; after the last one without a due time. */
export function askedPerson(
  asked: number,
  now: number,
  { route, numbers }: { route: RouteSettings; numbers: StageNumbers },
): Pick<Waiting, 'who' | 'dueAt'> {
  const sla = route.askSlaSeconds ?? numbers.askSlaSeconds;
  return {
    who: (asked === 0 ? route.recoveryOwner : route.escalationOwner).email,
    dueAt: asked < numbers.escalations ? now + sla * 1000 : null,
  };
}
