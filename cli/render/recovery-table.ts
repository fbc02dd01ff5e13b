import Table from 'cli-table3';
import type { Disposition } from '../../functions/domain/action-state.ts';
import type { Evidence } from '../../functions/domain/evidence.ts';
import type { ActionRecord, RecoveryRecord } from '../../functions/domain/recovery-record.ts';
import { type Paint, painter, type Style } from './paint.ts';
import { readableTime } from './words.ts';

const HEAD = ['action', 'destination evidence', 'finding', 'disposition', 'attempts'];
const NOTHING = '-';

const HOW: Readonly<Record<Evidence['kind'], string>> = {
  receipt: 'receipt of',
  record: 'read back',
  event: 'told by the destination',
  attested: "a person's word of",
};

const STYLES: Readonly<Record<Disposition, Style>> = {
  keep: 'green',
  resume: 'cyan',
  wait: 'cyan',
  park: 'yellow',
  ask: 'yellow',
  stop: 'red',
};

/** The four actions of a handoff: what the destination says of each, and what happens next. */
export function recoveryTable(record: RecoveryRecord, { colour }: { readonly colour: boolean }): string {
  const paint = painter(colour);
  const table = new Table({
    head: HEAD.map((title) => paint('bold', title)),
    style: { head: [], border: [] },
  });
  for (const action of record.actions) table.push(row(action, paint));
  return table.toString();
}

function row(action: ActionRecord, paint: Paint): string[] {
  return [
    action.action,
    evidenceCell(action.evidence, paint),
    action.finding ?? NOTHING,
    dispositionCell(action, paint),
    String(action.attempt),
  ];
}

function evidenceCell(evidence: ActionRecord['evidence'], paint: Paint): string {
  if (evidence === null) return NOTHING;
  const { destination, recordId, kind, readAt } = evidence;
  const where = recordId === null ? destination : `${destination} ${recordId}`;
  return `${where}\n${paint('dim', `${HOW[kind]} ${readableTime(readAt)}`)}`;
}

function dispositionCell({ disposition, phase, reason }: ActionRecord, paint: Paint): string {
  const what = disposition === null ? phase : paint(STYLES[disposition], disposition);
  return reason === null ? what : `${what}\n${paint('dim', reason)}`;
}
