import * as v from 'valibot';
import type { LeadKey } from '../domain/action.ts';
import { InvalidEvent } from '../domain/errors.ts';
import { askWithoutToken } from './ask-again.ts';
import type { RecoveryPorts } from './ports.ts';

/** Why a handoff as a whole waits for a person, by what Step Functions says of its execution. */
export const ENDED = {
  FAILED: 'execution-failed',
  ABORTED: 'execution-aborted',
  TIMED_OUT: 'execution-timed-out',
  SUCCEEDED: 'execution-succeeded-open',
  DOES_NOT_EXIST: 'execution-missing',
} as const;

/** An execution of the handoff workflow that ended without having closed its handoff. */
export interface EndedExecution {
  readonly execution: string;
  readonly status: 'FAILED' | 'ABORTED' | 'TIMED_OUT';
  /** The handoff in its name; null for a name that the start function did not give. */
  readonly key: LeadKey | null;
}

/** https://docs.aws.amazon.com/step-functions/latest/dg/eventbridge-integration.html */
const eventSchema = v.object({
  detail: v.object({ name: v.string(), status: v.picklist(['FAILED', 'ABORTED', 'TIMED_OUT']) }),
});

/** Reads the event "Step Functions Execution Status Change". Throws InvalidEvent. */
export function parseEndedExecution(event: unknown): EndedExecution {
  const parsed = v.safeParse(eventSchema, event);
  if (!parsed.success) throw new InvalidEvent(v.getDotPath(parsed.issues[0]) ?? 'event');
  const { name: execution, status } = parsed.output.detail;
  return { execution, status, key: handoffOf(execution) };
}

/** Names are `<route>.<leadRequestId>.<run>`; neither a route nor an id contains a dot. */
function handoffOf(execution: string): LeadKey | null {
  const [, route, leadRequestId] = /^([^.]+)\.([^.]+)\.\d+$/.exec(execution) ?? [];
  return route === undefined || leadRequestId === undefined ? null : { route, leadRequestId };
}

/**
 * Puts an open handoff whose current execution ended on the waiting list, and tells the recovery owner. Safe to repeat, and does
 * nothing for an execution that another one has taken the place of.
 *
 * @returns what became of it
 * @throws LedgerUnavailable, EventsUnavailable
 */
export async function executionEnded(
  key: LeadKey,
  { execution, status }: EndedExecution,
  ports: RecoveryPorts,
): Promise<'asked' | 'asked-before' | 'unknown' | 'closed' | 'not-current'> {
  const record = await ports.ledger.record(key);
  if (!record) return 'unknown';
  if (record.handoff.closedAt !== null) return 'closed';
  if (record.handoff.execution !== execution) return 'not-current';
  return (await askWithoutToken(record, 'handoff', ENDED[status], ports)) ? 'asked' : 'asked-before';
}
