import { settledOutcome, type Warning } from '../../functions/domain/action-state.ts';
import type { LedgerRecord, Waiting } from '../../functions/domain/handoff.ts';
import { type RecoveryRecord, recoveryRecord } from '../../functions/domain/recovery-record.ts';
import { maskedEmail } from '../../functions/domain/redaction.ts';
import { readableTime, withWords } from '../../functions/domain/words.ts';
import { DOES_NOT_EXIST, hasEnded } from '../aws/execution-status.ts';
import { overdueSince } from '../overdue.ts';
import { type Paint, painter } from './paint.ts';
import { recoveryTable } from './recovery-table.ts';
import { readableSpan } from './words.ts';

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
  /** How wide the terminal is; absent where nothing limits the width. */
  readonly columns?: number | undefined;
  /** How long the person who is asked may take. */
  readonly answerMs: number;
  /** What Step Functions says of the execution; null where it said nothing. */
  readonly executionStatus: string | null;
}

/** A handoff for people: where it stands, who it waits for, the evidence per action, and how it came to this. */
export function handoffText(ledgerRecord: LedgerRecord, options: TextOptions): string {
  const record = recoveryRecord(ledgerRecord);
  const paint = painter(options.colour);
  const blocks = [
    header(record, ledgerRecord, options, paint),
    recoveryTable(record, options),
    section('Last attempts', lastAttempts(record), paint),
    section('Warnings', warnings(record), paint),
    section('Conflicts', conflicts(record), paint),
    section('Timeline', timeline(ledgerRecord), paint),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

function header(
  record: RecoveryRecord,
  { handoff, waiting }: LedgerRecord,
  options: TextOptions,
  paint: Paint,
): string {
  const lines: [string, string][] = [
    ['status', paint(record.status === 'closed' ? 'green' : 'yellow', record.status)],
    ['lead', maskedEmail(handoff.lead.email)],
    ['source reference', record.sourceReference ?? ''],
    ['owner', record.ownerId ?? 'not read yet'],
    ['execution', `${record.execution} (run ${record.run})`],
    ['attention', endedText(options.executionStatus, paint)],
    ['accepted', readableTime(record.acceptedAt)],
    ['closed', record.closedAt === null ? '' : readableTime(record.closedAt)],
    ...waiting.map((item): [string, string] => ['waits for', waitText(item, options, paint)]),
  ];
  const shown = lines.filter(([, value]) => value !== '');
  return [
    paint('bold', `${record.route}/${record.leadRequestId}`),
    ...shown.map(([name, value]) => `  ${name.padEnd(16)}  ${value}`),
  ].join('\n');
}

function endedText(status: string | null, paint: Paint): string {
  if (!hasEnded(status)) return '';
  const what = status === DOES_NOT_EXIST ? 'its execution does not exist' : `its execution ended (${status})`;
  return paint('red', `${what}; it will not go on by itself`);
}

function waitText(item: Waiting, { now, answerMs }: TextOptions, paint: Paint): string {
  const { who, kind, action, why, since, dueAt } = item;
  const overdue = overdueSince(item, answerMs, now);
  const no = dueAt === null && kind === 'ask' ? ', no further escalation' : '';
  const until =
    overdue === null
      ? dueAt === null
        ? 'without a due time'
        : `until ${timeText(dueAt)}`
      : paint('red', `overdue since ${timeText(overdue)}${no}`);
  const what = kind === 'ask' ? 'to decide' : 'to take work again for';
  const span = readableSpan(now - since);
  return `${who} ${what} ${action}: ${withWords(why)}, since ${timeText(since)} (for ${span}), ${until}`;
}

/** What the attempts that did not succeed said of themselves, where it is not the reason of what happens next. */
function lastAttempts({ actions }: RecoveryRecord): string[] {
  return actions.flatMap(({ action, attempt, phase, reason, outcomeReason }) => {
    const said = settledOutcome(phase) !== null && outcomeReason !== null && outcomeReason !== reason;
    return said ? [`${action}: attempt ${attempt} ended ${phase}, ${withWords(outcomeReason)}`] : [];
  });
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
      [timeText(at), action.padEnd(17), `attempt ${attempt}`, eventText(event, detail)].join('  '),
    );
}

/** What the transition wrote of an event: who, for a claim or a decision; else one reason code, or finding and reason. */
function eventText(event: string, detail: string | null): string {
  if (event === 'claimed') return 'claimed by a worker';
  if (event.startsWith('decided-')) return detail === null ? event : `${event} by ${detail}`;
  if (detail === null) return event;
  return `${event}: ${withWords(...detail.split(' · '))}`;
}

function timeText(at: number): string {
  return readableTime(new Date(at).toISOString());
}

function section(title: string, lines: readonly string[], paint: Paint): string {
  return lines.length === 0 ? '' : [paint('bold', title), ...lines.map((line) => `  ${line}`)].join('\n');
}
