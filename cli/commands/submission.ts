import { type CommandPlace, investigateLine, showLine } from '../../functions/domain/command-line.ts';
import { printJson, type Terminal } from '../context.ts';
import { howToDeploy } from '../doctor/deployed-route.ts';
import { FIELD_LIST, NO_FIELD } from '../leads/fields.ts';
import type { Refusal } from '../leads/rows.ts';
import { counted } from '../render/words.ts';
import { isAtFault, MOST_LISTED, type SubmissionCounts, type Tally } from '../submission/tally.ts';

export const NOTHING_SUBMITTED = 'Nothing was submitted.';

/** Of more refused rows than this the first ones are said, where a file has them all. */
const MOST_SAID = 20;

/** A submission as it ended. */
export interface Submission {
  readonly route: string;
  /** Where it was submitted to; null for a dry run. */
  readonly place: CommandPlace | null;
  readonly tally: Tally;
  /** How many lead requests the file has, and how many rows that are none. */
  readonly valid: number;
  readonly invalid: number;
  /** The file with every refused row; null where there is none. */
  readonly errorFile: string | null;
  readonly dryRun: boolean;
  readonly interrupted: boolean;
}

/** Counts, and the first of what was taken and what was not. */
export function printSubmissionJson(submission: Submission, terminal: Terminal): void {
  const { tally, valid, invalid, errorFile, dryRun, interrupted } = submission;
  const counts = tally.counts();
  const { submitted } = tally;
  const refused = byLine(tally.refused).map(({ mistakes: _, concernsAll: __, ...refusal }) => refusal);
  const all = {
    submitted: tally.taken - counts.earlier,
    refused: counts.refused + counts.notTried - tally.unreached,
  };
  printJson(terminal, {
    valid,
    invalid,
    counts,
    submitted,
    refused,
    notListed: { submitted: all.submitted - submitted.length, refused: all.refused - refused.length },
    errorFile,
    dryRun,
    interrupted,
  });
}

/** What was taken, one per line where these are not too many, and the counts; nothing where nothing was taken. */
export function printSubmitted({ tally }: Submission, terminal: Terminal): void {
  if (tally.taken === 0) return;
  if (tally.all <= MOST_LISTED) {
    for (const { status, leadRequestId, execution } of tally.submitted) {
      terminal.print(`${status.padEnd(8)}  ${leadRequestId}  ${execution}`);
    }
  }
  terminal.print(`${counted(tally.all, 'lead request')}: ${countsText(tally.counts())}.`);
}

function countsText(counts: SubmissionCounts): string {
  const { joined, asked, earlier, notTried } = counts;
  return [
    `${counts.new} new`,
    `${counts.known} known before${counts.closed > 0 ? ` (${counts.closed} closed)` : ''}`,
    ...(joined > 0 ? [`${joined} joined to another of the same person`] : []),
    ...(asked > 0 ? [`${asked} waiting for a person`] : []),
    ...(earlier > 0 ? [`${earlier} accepted by the run before`] : []),
    `${counts.refused} refused`,
    ...(notTried > 0 ? [`${notTried} not tried`] : []),
  ].join(', ');
}

/** What was not taken, and why. What concerns all of them is said once, and not per line. */
export function complainOfRefused(
  { route, place, tally, errorFile, dryRun, interrupted }: Submission,
  terminal: Terminal,
): void {
  const { refused: count, notTried } = tally.counts();
  const common = tally.refused.filter(({ concernsAll }) => concernsAll);
  for (const sentence of new Set(common.map((one) => commonSentence(one, route, place)))) {
    terminal.complain(sentence);
  }
  const refused = byLine(tally.refused).filter(isAtFault);
  const sentences = [...new Set(refused.map(sentenceOf))];
  const said = errorFile === null ? sentences : sentences.slice(0, MOST_SAID);
  for (const sentence of said) terminal.complain(sentence);
  if (said.some((sentence) => sentence.includes(NO_FIELD))) {
    terminal.complain(`The fields of a lead request are ${FIELD_LIST}.`);
  }
  const unsaid = said.length < sentences.length || refused.length < count ? count - said.length : 0;
  if (unsaid > 0) terminal.complain(`And ${unsaid} more.`);
  if (errorFile !== null && count > 0) terminal.complain(`Every refused row is in ${errorFile}.`);
  const investigated = refused.find(({ error }) => error === 'UnderInvestigation')?.leadRequestId;
  if (investigated !== undefined && place !== null) {
    terminal.complain(`What they say: ${investigateLine(investigated, route, place)}`);
  }
  const conflicting = refused.find(({ error }) => error === 'LeadConflict')?.leadRequestId;
  if (conflicting !== undefined && place !== null) {
    const show = showLine(conflicting, route, place);
    terminal.complain(`What was kept of it, and what may be decided: ${show}`);
  }
  if (dryRun) return;
  const untried = notTried - tally.inVain;
  if (untried > 0 && !interrupted) {
    terminal.complain(
      `${counted(untried, 'lead request')} not tried; submitting the same file again is safe.`,
    );
  }
  if (tally.unsure > 0) {
    const them = tally.unsure === 1 ? 'it was' : `${tally.unsure} of them were`;
    terminal.complain(`Whether ${them} taken all the same is not known; submitting again is safe.`);
  } else if (tally.taken === 0) {
    terminal.complain(NOTHING_SUBMITTED);
  }
}

function sentenceOf({ line, message }: Refusal): string {
  return `line ${line}: ${message}`;
}

/** The start function knows the routes that are deployed, and this side knows those of the route files. */
function commonSentence({ error, message }: Refusal, route: string, place: CommandPlace | null): string {
  return error === 'UnknownRoute' && place !== null
    ? `Stage ${place.stage} does not have the route ${route}: ${howToDeploy(place.stage)}`
    : message;
}

function byLine(refused: readonly Refusal[]): Refusal[] {
  return [...refused].sort((a, b) => a.line - b.line);
}
