import { INTERRUPTED } from '../aws/start-function.ts';
import type { Refusal } from '../leads/rows.ts';
import type { Started } from '../start-handoff.ts';

/** Of more lead requests than this each is counted, and not listed: a list of a hundred thousand helps nobody. */
export const MOST_LISTED = 1_000;

/** The error of a lead request that was not sent after another one had failed for a reason that concerns all. */
export const NOT_TRIED = 'NotTried';

/** Whether the lead request was at fault, and not what came in its way. */
export function isAtFault({ error, concernsAll }: Refusal): boolean {
  return concernsAll !== true && error !== NOT_TRIED && error !== INTERRUPTED;
}

/** A lead request that an earlier, interrupted run had handed in. */
export const EARLIER = { status: 'earlier' } as const;

/** What became of one lead request. */
export type Answer = Started | typeof EARLIER | Refusal;

export interface SubmissionCounts {
  readonly new: number;
  /** Accepted before; `closed` of them are over. */
  readonly known: number;
  readonly closed: number;
  /** Closed because another one of the same person stands for them. */
  readonly joined: number;
  /** Somebody decides whether they go on. */
  readonly asked: number;
  /** Accepted by an earlier run that was interrupted, and not handed in again. */
  readonly earlier: number;
  readonly refused: number;
  readonly notTried: number;
}

/** Counts what becomes of the lead requests of a file, and remembers the first ones. */
export class Tally {
  readonly submitted: Started[] = [];
  readonly refused: Refusal[] = [];
  /** How many of the refused ones may have been taken all the same. */
  unsure = 0;
  /** Lead requests of the file that were reached by nobody. */
  unreached = 0;
  /** How many were tried in vain for a reason that is none of theirs. */
  inVain = 0;
  readonly #counts = {
    accepted: 0,
    repeated: 0,
    closed: 0,
    joined: 0,
    asked: 0,
    earlier: 0,
    refused: 0,
    notTried: 0,
  };

  add(answer: Answer): void {
    if ('error' in answer) {
      this.#counts[isAtFault(answer) ? 'refused' : 'notTried'] += 1;
      if (answer.concernsAll === true) this.inVain += 1;
      if (this.refused.length < MOST_LISTED || answer.concernsAll === true) this.refused.push(answer);
      return;
    }
    this.#counts[answer.status] += 1;
    if (answer.status !== 'earlier' && this.submitted.length < MOST_LISTED) this.submitted.push(answer);
  }

  counts(): SubmissionCounts {
    const { accepted, repeated, closed, joined, asked, earlier, refused, notTried } = this.#counts;
    return {
      new: accepted,
      known: repeated + closed,
      closed,
      joined,
      asked,
      earlier,
      refused,
      notTried: notTried + this.unreached,
    };
  }

  /** How many of the file's lead requests are handed in. */
  get taken(): number {
    const { accepted, repeated, closed, joined, asked, earlier } = this.#counts;
    return accepted + repeated + closed + joined + asked + earlier;
  }

  /** How many lead requests, and rows that are none, the file has. */
  get all(): number {
    const { refused, notTried } = this.#counts;
    return this.taken + refused + notTried + this.unreached;
  }
}
