import { settledOutcome } from '../../functions/domain/action-state.ts';
import { showLine } from '../../functions/domain/command-line.ts';
import type { FilledRecord, RecordOptions } from '../../functions/domain/filled-record.ts';
import type { WaitingRecord } from '../../functions/domain/recovery-record.ts';
import { type Section, sectionsBesidesKnown } from '../../functions/domain/recovery-text.ts';
import { SAME_PERSON } from '../../functions/domain/same-person.ts';
import { ownerSentence, warningSentences } from '../../functions/domain/what-is-known.ts';
import { readableTime, withWords } from '../../functions/domain/words.ts';
import { DOES_NOT_EXIST, hasEnded } from '../aws/execution-status.ts';
import { overdueSince } from '../overdue.ts';
import type { TimelineEntry } from '../timeline.ts';
import { type Paint, painter } from './paint.ts';
import { recoveryTable } from './recovery-table.ts';
import { readableSpan } from './words.ts';

export interface TextOptions {
  /** What the record was filled with. */
  readonly record: RecordOptions;
  /** The lead's address, so far that a person recognises it. */
  readonly lead: string;
  readonly colour: boolean;
  /** How wide the terminal is; absent where nothing limits the width. */
  readonly columns?: number | undefined;
  /** How long the person who is asked may take. */
  readonly answerMs: number;
  /** What Step Functions says of the execution; null where it said nothing. */
  readonly executionStatus: string | null;
}

/** A handoff on a terminal: the recovery record, with a table of its actions, and how it came to this. */
export function handoffText(
  filled: FilledRecord,
  timeline: readonly TimelineEntry[],
  options: TextOptions,
): string {
  const paint = painter(options.colour);
  const blocks = [
    header(filled, options, paint),
    filled.actions.length === 0 ? '' : recoveryTable(filled, options),
    listed('Last attempts', lastAttempts(filled), paint),
    listed('Warnings', warningSentences(filled), paint),
    // The table says what is known.
    ...sectionsBesidesKnown(filled, options.record).map((section) => painted(section, paint)),
    listed('Timeline', timeline.map(timelineLine), paint),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

function header(record: FilledRecord, options: TextOptions, paint: Paint): string {
  const lines: [string, string][] = [
    ['status', paint(record.status === 'closed' ? 'green' : 'yellow', record.status)],
    ['lead', options.lead],
    ['source reference', record.sourceReference ?? ''],
    ['joined to', joinedText(record, options)],
    ['owner', record.joinedTo === null ? ownerSentence(record.owner) : ''],
    ['execution', executionText(record, options)],
    ['attention', neverStarted(record, options) ? '' : endedText(options.executionStatus, paint)],
    ['accepted', readableTime(record.acceptedAt)],
    ['closed', record.closedAt === null ? '' : readableTime(record.closedAt)],
    ...record.waiting.map((item): [string, string] => ['waits for', waitText(item, options, paint)]),
  ];
  const shown = lines.filter(([, value]) => value !== '');
  return [
    paint('bold', `${record.route}/${record.leadRequestId}`),
    ...shown.map(([name, value]) => `  ${name.padEnd(16)}  ${value}`),
  ].join('\n');
}

/** Where the same person's other lead request stands for this one. */
function joinedText({ joinedTo, route }: FilledRecord, { record }: TextOptions): string {
  if (joinedTo === null) return '';
  const show = showLine(joinedTo, route, record);
  return `${joinedTo}, of the same person: nothing was done for this one, and nothing will be (${show})`;
}

function executionText(record: FilledRecord, options: TextOptions): string {
  const { execution, run } = record;
  return neverStarted(record, options)
    ? `none yet: it is started once somebody lets it go on (${execution})`
    : `${execution} (run ${run})`;
}

/** What waits because of its person has no execution before a person lets it go on. */
function neverStarted({ waiting }: FilledRecord, { executionStatus }: TextOptions): boolean {
  const held = waiting.some(({ action, why }) => action === 'handoff' && why === SAME_PERSON);
  return held && executionStatus === DOES_NOT_EXIST;
}

function endedText(status: string | null, paint: Paint): string {
  if (!hasEnded(status)) return '';
  const what = status === DOES_NOT_EXIST ? 'its execution does not exist' : `its execution ended (${status})`;
  return paint('red', `${what}; it will not go on by itself`);
}

function waitText(item: WaitingRecord, { record: { now }, answerMs }: TextOptions, paint: Paint): string {
  const { who, kind, action, why } = item;
  const since = Date.parse(item.since);
  const dueAt = item.dueAt === null ? null : Date.parse(item.dueAt);
  const overdue = overdueSince({ kind, since, dueAt }, answerMs, now);
  const no = dueAt === null && kind === 'ask' ? ', no further escalation' : '';
  const until =
    overdue === null
      ? dueAt === null
        ? 'without a due time'
        : `until ${readableTime(dueAt)}`
      : paint('red', `overdue since ${readableTime(overdue)}${no}`);
  const what = kind === 'ask' ? 'to decide' : 'to take work again for';
  const subject = action === 'handoff' ? 'about the handoff as a whole' : action;
  const span = readableSpan(now - since);
  return `${who} ${what} ${subject}: ${withWords(why)}, since ${readableTime(since)} (for ${span}), ${until}`;
}

/** What the attempts that did not succeed said of themselves, where it is not the reason of what happens next. */
function lastAttempts({ actions }: FilledRecord): string[] {
  return actions.flatMap(({ action, attempt, phase, reason, outcomeReason }) => {
    const said = settledOutcome(phase) !== null && outcomeReason !== null && outcomeReason !== reason;
    return said ? [`${action}: attempt ${attempt} ended ${phase}, ${withWords(outcomeReason)}`] : [];
  });
}

function timelineLine({ at, action, attempt, event, detail, why }: TimelineEntry): string {
  const reason = why === null ? '' : `: "${why}"`;
  return [
    readableTime(at),
    (action ?? 'handoff').padEnd(17),
    attempt === null ? ' '.repeat('attempt 1'.length) : `attempt ${attempt}`,
    `${action === null ? wholeText(event, detail) : eventText(event, detail)}${reason}`,
  ].join('  ');
}

/** What the transition wrote of an event: who, for a claim or a decision; else one reason code, or finding and reason. */
function eventText(event: string, detail: string | null): string {
  if (event === 'claimed') return 'claimed by a worker';
  if (event.startsWith('decided-')) return detail === null ? event : `${event} by ${detail}`;
  if (detail === null) return event;
  return `${event}: ${withWords(...detail.split(' · '))}`;
}

/** What happened to the handoff as a whole. */
function wholeText(event: string, detail: string | null): string {
  return detail === null ? event : `${event.replace('-', ' ')}: ${detail}`;
}

function painted({ title, text }: Section, paint: Paint): string {
  const lines = text.split('\n').map((line) => (line === '' ? '' : `  ${line.replace(/^- /, '')}`));
  return [paint('bold', title), ...lines].join('\n');
}

function listed(title: string, lines: readonly string[], paint: Paint): string {
  return lines.length === 0 ? '' : [paint('bold', title), ...lines.map((line) => `  ${line}`)].join('\n');
}
