import type { Terminal } from '../context.ts';
import { FIELD_LIST, NO_FIELD } from '../leads/fields.ts';
import type { Refusal } from '../leads/rows.ts';
import { counted } from '../render/words.ts';
import type { Started } from '../start-handoff.ts';

export const NOTHING_SUBMITTED = 'Nothing was submitted.';

/** The error of a lead request that was not sent after another one had failed for a reason that concerns all. */
export const NOT_TRIED = 'NotTried';

/** What became of the lead requests of a file. */
export interface Submission {
  readonly submitted: readonly Started[];
  readonly refused: readonly Refusal[];
  /** How many of the refused ones may have been taken all the same. */
  readonly unsure: number;
}

export interface SubmissionCounts {
  readonly new: number;
  /** Accepted before; `closed` of them are over. */
  readonly known: number;
  readonly closed: number;
  readonly refused: number;
  readonly notTried: number;
}

export function countsOf({ submitted, refused }: Submission): SubmissionCounts {
  const having = (status: Started['status']) => submitted.filter((one) => one.status === status).length;
  const notTried = refused.filter(({ error }) => error === NOT_TRIED).length;
  return {
    new: having('accepted'),
    known: having('repeated') + having('closed'),
    closed: having('closed'),
    refused: refused.length - notTried,
    notTried,
  };
}

/** What was taken, one per line, and the counts; nothing where nothing was taken. */
export function printSubmitted(submission: Submission, terminal: Terminal): void {
  const { submitted, refused } = submission;
  if (submitted.length === 0) return;
  for (const { status, leadRequestId, execution } of submitted) {
    terminal.print(`${status.padEnd(8)}  ${leadRequestId}  ${execution}`);
  }
  const counts = countsOf(submission);
  const parts = [
    `${counts.new} new`,
    `${counts.known} known before${counts.closed > 0 ? ` (${counts.closed} closed)` : ''}`,
    `${counts.refused} refused`,
    ...(counts.notTried > 0 ? [`${counts.notTried} not tried`] : []),
  ];
  const all = submitted.length + refused.length;
  terminal.print(`${counted(all, 'lead request')}: ${parts.join(', ')}.`);
}

/** What was not taken, and why. What concerns all of them is said once, and not per line. */
export function complainOfRefused({ submitted, refused, unsure }: Submission, terminal: Terminal): void {
  const sentences = refused
    .filter(({ error }) => error !== NOT_TRIED)
    .map(({ line, message, error }) => (error === 'AwsUnavailable' ? message : `line ${line}: ${message}`));
  for (const sentence of new Set(sentences)) terminal.complain(sentence);
  if (sentences.some((sentence) => sentence.includes(NO_FIELD))) {
    terminal.complain(`The fields of a lead request are ${FIELD_LIST}.`);
  }
  const notTried = refused.filter(({ error }) => error === NOT_TRIED).length;
  if (notTried > 0) {
    terminal.complain(
      `${counted(notTried, 'lead request')} not tried; submitting the same file again is safe.`,
    );
  }
  if (unsure > 0) {
    const them = unsure === 1 ? 'it was' : `${unsure} of them were`;
    terminal.complain(`Whether ${them} taken all the same is not known; submitting again is safe.`);
  } else if (submitted.length === 0) {
    terminal.complain(NOTHING_SUBMITTED);
  }
}
