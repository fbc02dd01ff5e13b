import type { LedgerRecord, Waiting } from '../domain/handoff.ts';
import type { RecoveryOpened } from '../domain/recovery-opened.ts';
import { recoveryText } from '../domain/recovery-text.ts';
import { type RecoveryPorts, recordOptions } from './ports.ts';

/** The event that tells a person of a question. Whoever reads it decides from the record in it. */
export function recoveryOpened(record: LedgerRecord, waiting: Waiting, ports: RecoveryPorts): RecoveryOpened {
  const { route, leadRequestId } = record.handoff;
  const { action, why, who, asked, dueAt } = waiting;
  const others = record.waiting.filter((item) => item.action !== action);
  return {
    route,
    leadRequestId,
    action,
    why,
    who,
    asked,
    escalated: asked > 0,
    dueAt: dueAt === null ? null : new Date(dueAt).toISOString(),
    text: recoveryText({ ...record, waiting: [...others, waiting] }, recordOptions(ports)),
  };
}
