import { chooseRoute } from '../choose-route.ts';
import { type CommandContext, type ExitCode, printJson } from '../context.ts';
import { sentenceOf, WrongUsage } from '../errors.ts';
import { type ReadLead, type ReadLeads, readLeads } from '../leads/read-leads.ts';
import type { Refusal } from '../leads/rows.ts';
import { type Started, startHandoff } from '../start-handoff.ts';
import {
  complainOfRefused,
  countsOf,
  NOT_TRIED,
  NOTHING_SUBMITTED,
  printSubmitted,
  type Submission,
} from './submission.ts';

const AT_ONCE = 4;
/** From so many lead requests on, progress is shown. */
const MANY = 10;

export interface SubmitOptions {
  readonly route?: string;
  readonly json?: boolean;
}

/**
 * Submits every lead request of a file, or none of them where one is invalid. Repeats are safe.
 *
 * @throws WrongUsage for a route that does not exist
 */
export async function submit(
  file: string,
  options: SubmitOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, routes } = context;
  const route = chooseRoute(routes, options.route);
  let read: ReadLeads;
  try {
    read = await readLeads(file, terminal.input);
  } catch (error) {
    terminal.complain(sentenceOf(error));
    terminal.complain(NOTHING_SUBMITTED);
    return error instanceof WrongUsage ? 2 : 1;
  }
  const submission =
    read.refused.length > 0
      ? { submitted: [], refused: read.refused, unsure: 0 }
      : await submitAll(read.leads, route.name, context);
  if (options.json) {
    const { submitted, refused } = submission;
    printJson(terminal, { counts: countsOf(submission), submitted, refused });
  } else {
    printSubmitted(submission, terminal);
  }
  complainOfRefused(submission, terminal);
  return submission.refused.length > 0 ? 1 : 0;
}

/** In the order of the file, a few at a time. When AWS itself fails, the rest is not tried. */
async function submitAll(
  leads: readonly ReadLead[],
  route: string,
  { aws, terminal }: CommandContext,
): Promise<Submission> {
  const answers: (Started | Refusal)[] = [];
  let next = 0;
  let done = 0;
  let unsure = 0;
  let failedAt: number | null = null;
  const worker = async () => {
    for (let i = next++; i < leads.length; i = next++) {
      const { line, lead } = leads[i] as ReadLead;
      const { leadRequestId } = lead;
      if (failedAt !== null) {
        const message = `not tried after line ${failedAt} had failed.`;
        answers[i] = { line, leadRequestId, error: NOT_TRIED, message };
        continue;
      }
      const answer = await startHandoff(aws, route, lead);
      if ('refusal' in answer) {
        answers[i] = { line, leadRequestId, ...answer.refusal };
        if (answer.stop) failedAt ??= line;
        if (answer.mayHaveStarted) unsure += 1;
      } else {
        answers[i] = answer;
      }
      done += 1;
      if (leads.length >= MANY) terminal.progress(`${done} of ${leads.length} submitted`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  terminal.progress('');
  return {
    submitted: answers.filter((answer) => 'status' in answer),
    refused: answers.filter((answer) => 'error' in answer),
    unsure,
  };
}
