import type { LeadKey } from '../../functions/domain/action.ts';
import { isUnderInvestigation } from '../../functions/domain/dead-letter.ts';
import { endedBy } from '../../functions/domain/dead-letter-record.ts';
import type { RouteSettings } from '../../functions/domain/route.ts';
import type { UnderId } from '../../functions/ports/ledger.ts';
import { chooseRoute } from '../choose-route.ts';
import { type CommandContext, type ExitCode, printJson } from '../context.ts';
import { WrongUsage } from '../errors.ts';
import { checkLeadRequestId } from '../lead-request-id.ts';
import { answerTimeMs } from '../overdue.ts';
import { deadLettersText, shownDeadLetters } from '../render/dead-letter-text.ts';
import { counted } from '../render/words.ts';
import { dismissDeadLetters } from '../start-handoff.ts';
import { approvalIn } from '../submission/options.ts';

export interface InvestigateOptions {
  readonly route?: string;
  readonly body?: boolean;
  readonly dismiss?: boolean;
  readonly approvedBy?: string;
  readonly reason?: string;
  readonly json?: boolean;
}

/**
 * Shows the messages that are kept under an id because they could not be accepted; what they say only where that is asked for, because
 * it is personal data. Or ends their investigation, where an approver says that there is nothing to hand off.
 *
 * @throws WrongUsage, LedgerUnavailable
 */
export async function investigate(
  leadRequestId: string,
  options: InvestigateOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const route = chooseRoute(context.routes, options.route);
  checkLeadRequestId(leadRequestId);
  const key: LeadKey = { route: route.name, leadRequestId };
  const approval = approvalIn(options);
  if (options.dismiss) {
    if (approval === undefined) {
      throw new WrongUsage('Say who dismisses it and why: --dismiss --approved-by WHO --reason WHY.');
    }
    return dismiss({ leadRequestId, by: approval.by, reason: approval.reason }, key.route, options, context);
  }
  if (approval !== undefined) throw new WrongUsage('--approved-by and --reason belong to --dismiss.');
  return show(key, route, options, context);
}

async function show(
  key: LeadKey,
  route: RouteSettings,
  { body = false, json }: InvestigateOptions,
  { aws, terminal, clock }: CommandContext,
): Promise<ExitCode> {
  const found: UnderId = await aws.ledger.underId(key);
  const { deadLetters } = found;
  if (json) {
    const underInvestigation = isUnderInvestigation(deadLetters);
    printJson(terminal, { ...key, underInvestigation, ...shownDeadLetters(found, body) });
  } else if (deadLetters.length > 0) {
    const { colour } = terminal;
    const answerMs = answerTimeMs(route, aws.settings.stage);
    terminal.print(
      deadLettersText(key, found, { route, body, colour, answerMs, now: clock(), place: aws.settings }),
    );
  }
  if (deadLetters.length > 0) return 0;
  terminal.complain(`There is no dead letter under ${key.leadRequestId} on route ${key.route}.`);
  return 1;
}

async function dismiss(
  dismissal: { readonly leadRequestId: string; readonly by: string; readonly reason: string },
  route: string,
  { json }: InvestigateOptions,
  { aws, terminal }: CommandContext,
): Promise<ExitCode> {
  const answer = await dismissDeadLetters(aws, route, dismissal);
  if ('refusal' in answer) {
    const { refusal } = answer;
    if (json) printJson(terminal, { refused: refusal });
    terminal.complain(refusal.message);
    return 1;
  }
  const { leadRequestId, dismissed, ended } = answer;
  if (json) printJson(terminal, answer);
  else if (dismissed === 0) {
    const how = ended ? `: ${endedBy({ ...ended, at: Date.parse(ended.at) })}` : '';
    terminal.print(`Nothing under ${leadRequestId} was being investigated any more${how}.`);
  } else terminal.print(`${counted(dismissed, 'dead letter')} under ${leadRequestId} dismissed.`);
  return 0;
}
