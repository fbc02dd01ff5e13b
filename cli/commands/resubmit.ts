import { chooseRoute } from '../choose-route.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { resubmitAnswer } from '../render/decision-answer.ts';
import { askAndTell } from './ask-recovery.ts';
import { personsRequest } from './persons-request.ts';

export interface ResubmitOptions {
  readonly route?: string;
  readonly by?: string;
  readonly reason?: string;
  readonly json?: boolean;
}

/**
 * Starts a handoff again as its next run, through the route's recovery state machine.
 *
 * @throws WrongUsage, AwsUnavailable
 */
export async function resubmit(
  leadRequestId: string,
  { by, reason, ...options }: ResubmitOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const route = chooseRoute(context.routes, options.route);
  const request = personsRequest({ leadRequestId, decision: 'resubmit', by, reason });
  const json = options.json === true;
  return askAndTell(
    { route: route.name, request, json, tell: resubmitAnswer(route.name, context.aws.settings) },
    context,
  );
}
