import { chooseRoute } from '../choose-route.ts';
import { type CommandContext, type ExitCode, printJson, type Terminal } from '../context.ts';
import { type ReadLead, readLeads } from '../leads/read-leads.ts';
import type { Refusal } from '../leads/rows.ts';
import { counted } from '../render/words.ts';
import { type Started, startHandoff } from '../start-handoff.ts';

const AT_ONCE = 4;
/** From so many lead requests on, progress is shown. */
const MANY = 10;
const NOT_TRIED = 'NotTried';

export interface SubmitOptions {
  readonly route?: string;
  readonly json?: boolean;
}

interface Report {
  readonly submitted: readonly Started[];
  readonly refused: readonly Refusal[];
}

/**
 * Submits every lead request of a file, or none of them where one is invalid. Repeats are safe.
 *
 * @throws WrongUsage, UnreadableLeads
 */
export async function submit(
  file: string,
  options: SubmitOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, routes } = context;
  const route = chooseRoute(routes, options.route);
  const { leads, refused } = await readLeads(file, terminal.input);
  const report =
    refused.length > 0 ? { submitted: [], refused } : await submitAll(leads, route.name, context);
  if (options.json) printJson(terminal, report);
  else printReport(report, context);
  complain(report.refused, terminal);
  if (refused.length > 0) terminal.complain('Nothing was submitted.');
  return report.refused.length > 0 ? 1 : 0;
}

/** What concerns all of them is said once, and not per line. */
function complain(refused: readonly Refusal[], terminal: Terminal): void {
  const sentences = refused
    .filter(({ error }) => error !== NOT_TRIED)
    .map(({ line, message, error }) => (error === 'AwsUnavailable' ? message : `line ${line}: ${message}`));
  for (const sentence of new Set(sentences)) terminal.complain(sentence);
  const notTried = refused.filter(({ error }) => error === NOT_TRIED).length;
  if (notTried > 0) {
    terminal.complain(
      `${counted(notTried, 'lead request')} not tried; submitting the same file again is safe.`,
    );
  }
}

/** In the order of the file, a few at a time. When AWS itself fails, the rest is not tried. */
async function submitAll(
  leads: readonly ReadLead[],
  route: string,
  { aws, terminal }: CommandContext,
): Promise<Report> {
  const answers: (Started | Refusal)[] = [];
  let next = 0;
  let done = 0;
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
  };
}

function printReport({ submitted, refused }: Report, { terminal }: CommandContext): void {
  for (const { status, leadRequestId, execution } of submitted) {
    terminal.print(`${status.padEnd(8)}  ${leadRequestId}  ${execution}`);
  }
  if (submitted.length > 0 && submitted.length + refused.length > 1) {
    terminal.print(`${counted(submitted.length, 'lead request')} submitted, ${refused.length} refused.`);
  }
}
