import { DECISIONS } from '../../functions/domain/decision.ts';
import { chooseRoute } from '../choose-route.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { WrongUsage } from '../errors.ts';
import { decisionAnswer } from '../render/decision-answer.ts';
import { askAndTell } from './ask-recovery.ts';
import { personsRequest } from './persons-request.ts';

export interface DecideOptions {
  readonly route?: string;
  readonly by?: string;
  readonly reason?: string;
  readonly evidence?: string;
  readonly finding?: string;
  readonly acceptRisk?: boolean;
  readonly notDone?: boolean;
  readonly json?: boolean;
}

/**
 * Records a person's decision about one action through the route's recovery state machine, and says what happens next.
 *
 * @throws WrongUsage, AwsUnavailable
 */
export async function decide(
  [leadRequestId, action, decision]: readonly [string, string, string],
  { by, reason, evidence, finding, acceptRisk, notDone, ...options }: DecideOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const route = chooseRoute(context.routes, options.route);
  if (!DECISIONS.some((kind) => kind === decision)) {
    throw new WrongUsage(`DECISION: expected one of ${DECISIONS.join(', ')}.`);
  }
  const request = personsRequest({
    leadRequestId,
    action,
    decision,
    by,
    reason,
    evidence,
    finding,
    riskAccepted: acceptRisk,
    notDone,
  });
  const json = options.json === true;
  return askAndTell(
    { route: route.name, request, json, tell: decisionAnswer(route.name, context.aws.settings) },
    context,
  );
}
