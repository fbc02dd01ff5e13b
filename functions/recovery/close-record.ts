import { ACTIONS, type LeadKey } from '../domain/action.ts';
import { FINAL_PHASES, openAction } from '../domain/action-state.ts';
import { NotFinal, UnknownHandoff } from '../domain/errors.ts';
import type { CloseRequest } from '../domain/workflow-data.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ledger } from '../ports/ledger.ts';

const DAY = 86_400_000;

/**
 * Closes the handoff when every action is final, the performed ones with evidence. Does nothing for an execution that is not the
 * current one.
 *
 * @throws NotFinal, so that the execution fails visibly; UnknownHandoff, LedgerUnavailable
 */
export async function closeRecord(
  request: CloseRequest,
  { ledger, clock, retentionDays }: { ledger: Ledger; clock: Clock; retentionDays: number },
): Promise<{ closed: boolean }> {
  const key: LeadKey = { route: request.route, leadRequestId: request.leadRequestId };
  const record = await ledger.record(key);
  if (!record) throw new UnknownHandoff(key.route, key.leadRequestId);
  if (record.handoff.execution !== request.execution) return { closed: false };
  const notFinal = ACTIONS.filter((name) => {
    const { phase, evidence } = record.actions.find(({ action }) => action === name) ?? openAction(name);
    return !FINAL_PHASES.includes(phase) || (phase === 'performed' && evidence === null);
  });
  if (notFinal.length > 0) throw new NotFinal(notFinal);
  const now = clock();
  const closed = await ledger.close(key, request.execution, now, now + retentionDays * DAY);
  // What a function that failed half-way left on the waiting list waits for nobody any more, the handoff as a whole included.
  if (closed) await Promise.all(record.waiting.map(({ action }) => ledger.removeWaiting(key, action)));
  return { closed };
}
