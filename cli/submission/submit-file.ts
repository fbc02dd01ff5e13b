import type { AwsAccess } from '../aws/access.ts';
import { ledgerIdentity } from '../aws/ledger-identity.ts';
import { INTERRUPTED } from '../aws/start-function.ts';
import { isRefusal, type Refusal } from '../leads/rows.ts';
import type { ReadLead } from '../leads/validated.ts';
import { AcceptedBefore } from './accepted-before.ts';
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
export async function submitFile(
  session: Session,
  checked: Checked,
  aws: AwsAccess,
): Promise<{ readonly same: boolean }> {
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
    const progress = await progressOf(session, checked, aws);
    const submitter = new Submitter(session, aws, progress, giveUp.signal);
    const rows = goodRows(leads.rows(), interruption);
    for await (const answer of inOrder(rows, how.atOnce, (row) => submitter.answerTo(row))) {
      reached += 1;
      tally.add(answer);
      if ('error' in answer && isAtFault(answer)) errors?.write(answer);
      bar?.update(reached);
    }
    // Where all of them were taken there is nothing to go on with.
    if (reached === checked.valid && tally.taken === reached) progress?.remove();
    else progress?.close();
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

/**
 * What earlier runs have left, and this one leaves; null for a file that is handed in again in no time, and where AWS does not say
 * which ledger it is. What an approver hands in is handed in whatever came before.
 */
async function progressOf(
  { leads: { path }, route, how }: Session,
  { valid }: Checked,
  aws: AwsAccess,
): Promise<AcceptedBefore | null> {
  if (path === null || how.approval !== undefined) return null;
  if (valid <= MOST_LISTED && !AcceptedBefore.isThere(path)) return null;
  const ledger = await ledgerIdentity(aws);
  return ledger === null ? null : AcceptedBefore.open(path, { route, ledger });
}

/** Hands lead requests in until AWS itself fails. */
class Submitter {
  readonly #session: Session;
  readonly #aws: AwsAccess;
  readonly #progress: AcceptedBefore | null;
  readonly #abortSignal: AbortSignal;
  /** The line at which AWS itself failed. */
  #failedAt: number | null = null;

  constructor(session: Session, aws: AwsAccess, progress: AcceptedBefore | null, abortSignal: AbortSignal) {
    this.#session = session;
    this.#aws = aws;
    this.#progress = progress;
    this.#abortSignal = abortSignal;
  }

  async answerTo({ line, lead, intentHash }: ReadLead): Promise<Answer> {
    const { leadRequestId } = lead;
    if (this.#progress?.has(intentHash)) return EARLIER;
    if (this.#failedAt !== null) {
      const message = `not tried after line ${this.#failedAt} had failed.`;
      return { line, leadRequestId, error: NOT_TRIED, message };
    }
    const { route, how, interruption, tally } = this.#session;
    const answer = await handIn(lead, {
      aws: this.#aws,
      route,
      approval: how.approval,
      interruption,
      abortSignal: this.#abortSignal,
    });
    if ('status' in answer) {
      this.#progress?.add(intentHash);
      return answer;
    }
    if (answer.stop) this.#failedAt ??= line;
    if (answer.mayHaveStarted) tally.unsure += 1;
    const concernsAll = answer.stop && answer.refusal.error !== INTERRUPTED;
    return { line, leadRequestId, ...answer.refusal, ...(concernsAll ? { concernsAll } : {}) };
  }
}
