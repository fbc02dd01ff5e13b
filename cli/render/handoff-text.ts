import type { Warning } from '../../functions/domain/action-state.ts';
import type { LedgerRecord } from '../../functions/domain/handoff.ts';
import { type RecoveryRecord, recoveryRecord } from '../../functions/domain/recovery-record.ts';
import { maskedEmail } from '../../functions/domain/redaction.ts';
import { type Paint, painter } from './paint.ts';
import { recoveryTable } from './recovery-table.ts';
import { readableTime } from './words.ts';

const WARNINGS: Readonly<Record<Warning, string>> = {
  'possible-duplicate':
    'two attempts may both have had an effect; look for a second record at the destination (possible-duplicate).',
  'possible-overwrite':
    "somebody else's owner may have been written over; look at the owner's history in the CRM (possible-overwrite).",
};

export interface TextOptions {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly colour: boolean;
}

/** A handoff for people: where it stands, who it waits for, the evidence per action, and how it came to this. */
export function handoffText(ledgerRecord: LedgerRecord, { now, colour }: TextOptions): string {
  const record = recoveryRecord(ledgerRecord);
  const paint = painter(colour);
  const blocks = [
    header(record, maskedEmail(ledgerRecord.handoff.lead.email), now, paint),
    recoveryTable(record, { colour }),
    section('Warnings', warnings(record), paint),
    section('Conflicts', conflicts(record), paint),
    section('Timeline', timeline(ledgerRecord), paint),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

function header(record: RecoveryRecord, email: string, now: number, paint: Paint): string {
  const lines: [string, string][] = [
    ['status', paint(record.status === 'closed' ? 'green' : 'yellow', record.status)],
    ['lead', email],
    ['source reference', record.sourceReference ?? ''],
    ['owner', record.ownerId ?? 'not read yet'],
    ['execution', `${record.execution} (run ${record.run})`],
    ['accepted', readableTime(record.acceptedAt)],
    ['closed', record.closedAt === null ? '' : readableTime(record.closedAt)],
    ...record.waiting.map((item): [string, string] => ['waits for', waitText(item, now, paint)]),
  ];
  const shown = lines.filter(([, value]) => value !== '');
  return [
    paint('bold', `${record.route}/${record.leadRequestId}`),
    ...shown.map(([name, value]) => `  ${name.padEnd(16)}  ${value}`),
  ].join('\n');
}

function waitText(item: RecoveryRecord['waiting'][number], now: number, paint: Paint): string {
  const { who, kind, action, why, since, dueAt } = item;
  const overdue = dueAt !== null && Date.parse(dueAt) < now;
  const until =
    dueAt === null
      ? 'without a due time'
      : overdue
        ? paint('red', `overdue since ${readableTime(dueAt)}`)
        : `until ${readableTime(dueAt)}`;
  const what = kind === 'ask' ? 'to decide' : 'to take work again for';
  return `${who} ${what} ${action} (${why}), since ${readableTime(since)}, ${until}`;
}

function warnings({ actions }: RecoveryRecord): string[] {
  return actions.flatMap(({ action, warnings }) =>
    warnings.map((warning) => `${action}: ${WARNINGS[warning]}`),
  );
}

function conflicts({ conflicts }: RecoveryRecord): string[] {
  return conflicts.map(
    ({ intentHash, firstSeenAt }) =>
      `${readableTime(firstSeenAt)}  the same id came with other fields (${intentHash.slice(0, 12)}); the first request stands.`,
  );
}

function timeline({ actions }: LedgerRecord): string[] {
  return actions
    .flatMap(({ action, history }) => history.map((entry) => ({ action, ...entry })))
    .sort((a, b) => a.at - b.at)
    .map(({ at, action, attempt, event, detail }) =>
      [
        readableTime(new Date(at).toISOString()),
        action.padEnd(17),
        `attempt ${attempt}`,
        detail === null ? event : `${event}: ${detail}`,
      ].join('  '),
    );
}

function section(title: string, lines: readonly string[], paint: Paint): string {
  return lines.length === 0 ? '' : [paint('bold', title), ...lines.map((line) => `  ${line}`)].join('\n');
}
