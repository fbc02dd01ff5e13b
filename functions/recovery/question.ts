import type { LedgerRecord, Waiting } from '../domain/handoff.ts';
import type { RecoveryOpened } from '../domain/recovery-opened.ts';
import { recoveryText } from '../domain/recovery-text.ts';
import { type RecoveryPorts, recordOptions } from './ports.ts';

/**
 * Characters of the record that a message carries. An event, a notice and an email may each hold 256 KB, and a source that keeps
 * sending other fields under one id makes the record longer and longer.
 */
const LONGEST_TEXT = 50_000;

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
    text: shortened(recoveryText({ ...record, waiting: [...others, waiting] }, recordOptions(ports))),
  };
}

/** The text, or its beginning with a word that it is no more than that. */
export function shortened(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  return `${text.slice(0, LONGEST_TEXT)}\n\n(The record is longer than a message may be; this is its beginning.)`;
}
