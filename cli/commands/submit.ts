import type { AwsAccess } from '../aws/access.ts';
import { chooseRoute } from '../choose-route.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { sentenceOf, WrongUsage } from '../errors.ts';
import { interruptedCode, interruptible } from '../interrupts.ts';
import { openLeadFile } from '../leads/lead-file.ts';
import { counted } from '../render/words.ts';
import { type Checked, checkFile } from '../submission/check-file.ts';
import { ErrorFile } from '../submission/error-file.ts';
import { parseSubmitOptions, type SubmitOptions } from '../submission/options.ts';
import type { Session } from '../submission/session.ts';
import { submitFile } from '../submission/submit-file.ts';
import { Tally } from '../submission/tally.ts';
import {
  complainOfRefused,
  NOTHING_SUBMITTED,
  printSubmissionJson,
  printSubmitted,
  type Submission,
} from './submission.ts';

/**
 * Submits every lead request of a file, or none of them where one is invalid, unless invalid ones are to be skipped. The file is read
 * twice: all of it is checked before anything is submitted, and neither time is it held in memory. Repeats are safe, also after an
 * interruption.
 *
 * @throws WrongUsage
 */
export async function submit(
  file: string,
  options: SubmitOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const route = chooseRoute(context.routes, options.route).name;
  const how = parseSubmitOptions(options);
  // Where AWS is must be said before anything is read; a dry run asks nothing of it.
  const aws = how.dryRun ? null : context.aws;
  return interruptible(async (interruption) => {
    const leave = leaving(interruption, context);
    let opened: { readonly session: Session; readonly checked: Checked };
    try {
      opened = await openAndCheck(file, { route, how, context, interruption });
    } catch (error) {
      context.terminal.complain(sentenceOf(error));
      context.terminal.complain(NOTHING_SUBMITTED);
      return error instanceof WrongUsage ? 2 : 1;
    } finally {
      interruption.removeEventListener('abort', leave);
    }
    const { session, checked } = opened;
    try {
      return aws === null ? endOfDryRun(session, checked) : await submitChecked(session, checked, aws);
    } finally {
      session.errors?.close();
    }
  });
}

/** Until something is submitted, whoever interrupts need not wait for anything. */
function leaving(interruption: AbortSignal, { terminal }: CommandContext): () => void {
  const leave = () => {
    terminal.complain('Interrupted.');
    terminal.complain(NOTHING_SUBMITTED);
    process.exit(interruptedCode(interruption) ?? 1);
  };
  interruption.addEventListener('abort', leave);
  return leave;
}

/** @throws WrongUsage, UnreadableLeads */
async function openAndCheck(
  file: string,
  common: Pick<Session, 'route' | 'how' | 'context' | 'interruption'>,
): Promise<{ readonly session: Session; readonly checked: Checked }> {
  const { how, context } = common;
  const leads = await openLeadFile(file, context.terminal.input, how.map);
  const errors = ErrorFile.open(leads.path, how.errors);
  try {
    const session: Session = { ...common, leads, errors, tally: new Tally() };
    const checked = await checkFile(session);
    if (how.approval?.keptUnder !== undefined && checked.valid + checked.invalid !== 1) {
      throw new WrongUsage(
        '--kept-under names one dead letter: the file must hold the one lead request for it.',
      );
    }
    return { session, checked };
  } catch (error) {
    errors?.close();
    throw error;
  }
}

async function submitChecked(session: Session, checked: Checked, aws: AwsAccess): Promise<ExitCode> {
  const { how, tally, context, leads, interruption } = session;
  const { terminal } = context;
  const { valid, invalid } = checked;
  if (invalid > 0 && !how.skipsInvalid) {
    const code = told(session, checked);
    if (valid > 0) terminal.complain(`--skip-invalid submits the others (${valid}).`);
    return code;
  }
  let problem: string | null = null;
  try {
    const { same } = await submitFile(session, checked, aws);
    if (!same) problem = `${leads.path ?? 'The input'} changed while it was submitted: submit it again.`;
  } catch (error) {
    problem = sentenceOf(error);
  }
  const code = told(session, checked);
  if (problem !== null) terminal.complain(problem);
  if (interruption.aborted) {
    const all = counted(valid, 'lead request');
    const next =
      leads.path === null ? 'Submitting the same again is safe.' : 'The same command goes on from here.';
    terminal.complain(`Interrupted: ${tally.taken} of ${all} submitted. ${next}`);
  }
  return interruptedCode(interruption) ?? (problem === null ? code : 1);
}

function endOfDryRun(session: Session, checked: Checked): ExitCode {
  const { how, context } = session;
  const { valid, invalid } = checked;
  const code = told(session, checked);
  if (!how.json) {
    const all = counted(valid + invalid, 'lead request');
    context.terminal.print(
      `${all}: ${valid} valid, ${invalid} refused. This was a dry run: nothing was submitted.`,
    );
  }
  return code;
}

/** Says what became of all of it. */
function told(session: Session, { valid, invalid }: Checked): ExitCode {
  const { route, tally, errors, how, context, interruption } = session;
  const { terminal } = context;
  const submission: Submission = {
    route,
    place: how.dryRun ? null : context.aws.settings,
    tally,
    valid,
    invalid,
    errorFile: errors === null || errors.isEmpty ? null : errors.path,
    dryRun: how.dryRun,
    interrupted: interruption.aborted,
  };
  if (how.json) printSubmissionJson(submission, terminal);
  else printSubmitted(submission, terminal);
  complainOfRefused(submission, terminal);
  const { refused, notTried } = tally.counts();
  return refused + notTried > 0 ? 1 : 0;
}
