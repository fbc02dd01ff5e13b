import { setTimeout as sleep } from 'node:timers/promises';
import type { Approval } from '../../functions/domain/approval.ts';
import type { LeadRequest } from '../../functions/domain/lead-request.ts';
import type { AwsAccess } from '../aws/access.ts';
import { type NotStarted, type Started, startHandoff } from '../start-handoff.ts';

/** How long to wait before the same request is made again, in milliseconds. */
const PAUSES = [500, 2_000];

export interface HandIn {
  readonly aws: AwsAccess;
  readonly route: string;
  readonly approval: Approval | undefined;
  /** No further try. */
  readonly interruption: AbortSignal;
  /** No further waiting for an answer. */
  readonly abortSignal: AbortSignal;
}

/** Hands a lead request in; where it is only not possible at the moment, again a moment later. */
export async function handIn(
  lead: LeadRequest,
  { aws, route, approval, interruption, abortSignal }: HandIn,
): Promise<Started | NotStarted> {
  let answer = await startHandoff(aws, route, lead, { approval, abortSignal });
  for (const pause of PAUSES) {
    if ('status' in answer || !answer.temporary || interruption.aborted) break;
    await sleep(pause, undefined, { signal: interruption }).catch(() => {});
    const again = await startHandoff(aws, route, lead, { approval, abortSignal });
    // One of several tries that may have been taken is enough, unless the last word is a clear one.
    const unsure: boolean = answer.mayHaveStarted && 'refusal' in again && again.temporary;
    answer = unsure ? { ...(again as NotStarted), mayHaveStarted: true } : again;
  }
  return answer;
}
