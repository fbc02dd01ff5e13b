import { STAGE_NUMBERS, STAGES, type Stage } from '../../functions/domain/stage-numbers.ts';
import type { BriefContext } from '../brief/answers.ts';
import { briefOf, briefPage } from '../brief/markdown.ts';
import { chooseRoutes } from '../choose-route.ts';
import { type CommandContext, type ExitCode, printJson } from '../context.ts';
import { WrongUsage } from '../errors.ts';

export interface BriefOptions {
  readonly stage?: string;
  readonly json?: boolean;
}

/**
 * Prints what routes answer to the questions of an integration owner, as pages in Markdown. Asks nothing of AWS; without a stage, with
 * the numbers of production.
 *
 * @throws WrongUsage
 */
export async function brief(
  routeName: string | undefined,
  options: BriefOptions,
  { routes, terminal }: Pick<CommandContext, 'routes' | 'terminal'>,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ExitCode> {
  const stage = stageOf(options.stage ?? environment.HANDOFF_STAGE);
  const context: BriefContext = { stage, numbers: STAGE_NUMBERS[stage] };
  const briefs = chooseRoutes(routes, routeName).map((route) => briefOf(route, context));
  if (options.json) printJson(terminal, { stage, briefs });
  else terminal.print(briefs.map((one) => briefPage(one, context)).join('\n\n---\n\n'));
  return 0;
}

function stageOf(name: string | undefined): Stage {
  const stage = STAGES.find((known) => known === (name || 'prod'));
  if (stage !== undefined) return stage;
  throw new WrongUsage(`There is no such stage: expected one of ${STAGES.join(', ')}.`);
}
