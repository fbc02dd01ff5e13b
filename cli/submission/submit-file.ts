import { isRefusal, type Refusal } from '../leads/rows.ts';
import type { ReadLead } from '../leads/validated.ts';
import type { Started } from '../start-handoff.ts';
import type { AcceptedBefore } from './accepted-before.ts';
import type { Checked } from './check-file.ts';
import { handIn } from './hand-in.ts';
import { inOrder } from './in-order.ts';
import type { Session } from './session.ts';
import { type Answer, EARLIER, isAtFault, MOST_LISTED, NOT_TRIED } from './tally.ts';

/** From so many lead requests on, progress is shown. */
const MANY = 10;

/** How long answers are waited for after an interruption, in milliseconds. */
const GRACE_MS = 2_000;

/**
 * Reads a checked file once more and hands its lead requests in, in their order, a few at a time. Whatever ends it early, handing the
 * file in again is safe. When AWS itself fails, the rest is not tried.
 *
 * @returns whether the file was still the one that was checked
 * @throws UnreadableLeads, after what was begun has been counted
 */
export async function submitFile(session: Session, checked: Checked): Promise<{ readonly same: boolean }> {
  const { leads, how, context, tally, errors, interruption } = session;
  const giveUp = new AbortController();
  let grace: NodeJS.Timeout | undefined;
  const interrupted = () => {
    grace = setTimeout(() => giveUp.abort(), GRACE_MS);
  };
  interruption.addEventListener('abort', interrupted);
  const bar = checked.valid >= MANY ? context.terminal.bar('Submitting', checked.valid) : null;
  let reached = 0;
  try {
    const submitter = new Submitter(session, checked, giveUp.signal);
    await submitter.begin();
    const rows = goodRows(leads.rows(), interruption);
    for await (const answer of inOrder(rows, how.atOnce, (row) => submitter.answerTo(row))) {
      reached += 1;
      tally.add(answer);
      if ('error' in answer && isAtFault(answer)) errors?.write(answer);
      bar?.update(reached);
    }
    submitter.end(reached);
  } finally {
    bar?.end();
    clearTimeout(grace);
    interruption.removeEventListener('abort', interrupted);
    tally.unreached = Math.max(0, checked.valid - reached);
  }
  return { same: interruption.aborted || reached === checked.valid };
}

/** What is wrong with the others was told when the file was checked. */
async function* goodRows(
  rows: AsyncIterable<ReadLead | Refusal>,
  interruption: AbortSignal,
): AsyncGenerator<ReadLead> {
  for await (const row of rows) {
    if (interruption.aborted) return;
    if (!isRefusal(row)) yield row;
  }
}

/** Hands lead requests in until AWS itself fails. */
class Submitter {
  readonly #session: Session;
  readonly #checked: Checked;
  readonly #abortSignal: AbortSignal;
  /** What earlier runs have left, and this one leaves. */
  #progress: AcceptedBefore | null;
  /** The answer to the lead request that was handed in before all others. */
  #first: { readonly intentHash: string; readonly answer: Answer } | null = null;
  /** The line at which AWS itself failed. */
  #failedAt: number | null = null;

  constructor(session: Session, checked: Checked, abortSignal: AbortSignal) {
    this.#session = session;
    this.#checked = checked;
    this.#abortSignal = abortSignal;
    this.#progress = session.before;
  }

  /**
   * Before anything is skipped that an earlier run has left, one of it is handed in again: a ledger that does not know it was emptied
   * since. Where that cannot be said, nothing is skipped.
   */
  async begin(): Promise<void> {
    const { knownBefore, valid } = this.#checked;
    if (knownBefore !== null && this.#progress !== null) {
      const answer = await this.#handIn(knownBefore);
      this.#first = { intentHash: knownBefore.intentHash, answer };
      if ('error' in answer) this.#progress = null;
      else if (answer.status === 'accepted') this.#progress = this.#progress.emptied();
    }
    if (valid > MOST_LISTED) this.#progress?.begin();
    if (this.#first !== null) this.#note(this.#first.intentHash, this.#first.answer);
  }

  async answerTo(row: ReadLead): Promise<Answer> {
    const { line, lead, intentHash } = row;
    if (this.#first?.intentHash === intentHash) return this.#first.answer;
    if (this.#progress?.has(intentHash)) return EARLIER;
    if (this.#failedAt !== null) {
      const message = `not tried after line ${this.#failedAt} had failed.`;
      return { line, leadRequestId: lead.leadRequestId, error: NOT_TRIED, message };
    }
    const answer = await this.#handIn(row);
    this.#note(intentHash, answer);
    return answer;
  }

  /** Where all of them were taken there is nothing to go on with. */
  end(reached: number): void {
    const { valid, invalid } = this.#checked;
    const { refused, notTried } = this.#session.tally.counts();
    if (reached === valid && notTried === 0 && refused === invalid) this.#progress?.remove();
    else this.#progress?.close();
  }

  #note(intentHash: string, answer: Answer): void {
    if (!('error' in answer)) this.#progress?.add(intentHash);
  }

  async #handIn({ line, lead }: ReadLead): Promise<Started | Refusal> {
    const { context, route, how, interruption, tally } = this.#session;
    const answer = await handIn(lead, {
      aws: context.aws,
      route,
      approval: how.approval,
      interruption,
      abortSignal: this.#abortSignal,
    });
    if ('status' in answer) return answer;
    if (answer.stop) this.#failedAt ??= line;
    if (answer.mayHaveStarted) tally.unsure += 1;
    return { line, leadRequestId: lead.leadRequestId, ...answer.refusal };
  }
}
