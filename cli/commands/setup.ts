import { commandLine } from '../../functions/domain/command-line.ts';
import { chooseRoutes } from '../choose-route.ts';
import { type CommandContext, type ExitCode, printJson } from '../context.ts';
import { checkDeployment } from '../doctor/deployment-checks.ts';
import { checkRoute } from '../doctor/route-checks.ts';
import { stepsText } from '../render/steps-text.ts';
import { counted } from '../render/words.ts';
import { apply } from '../setup/apply.ts';
import { byHand, planOf, type Step } from '../setup/plan.ts';

export interface SetupOptions {
  readonly apply?: boolean;
  readonly json?: boolean;
}

/**
 * Shows what routes need at their destinations, and creates what can be created from here where that is asked for. Doing it again
 * changes nothing.
 *
 * @throws WrongUsage
 */
export async function setup(
  routeName: string | undefined,
  options: SetupOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { aws, terminal } = context;
  const routes = chooseRoutes(context.routes, routeName);
  const deployment = await checkDeployment(aws);
  const steps: Step[] = deployment.checks.filter(({ state }) => state === 'failed').map(byHand);
  for (const route of routes) {
    const checks = await checkRoute(route, deployment, aws);
    for (const step of planOf(route, checks)) {
      const does = options.apply === true && step.state === 'to-do';
      steps.push(does ? await apply(step, route, deployment, checks) : step);
    }
  }
  const having = (...states: Step['state'][]) => steps.filter(({ state }) => states.includes(state)).length;
  const left = having('by-hand', 'failed');
  const toDo = having('to-do');
  const { stage } = aws.settings;
  if (options.json) printJson(terminal, { stage, applied: options.apply === true, steps });
  else {
    terminal.print(stepsText(steps, terminal));
    if (toDo > 0) {
      const about = routeName === undefined ? [] : [routeName];
      const line = commandLine('setup', { about, flags: ['--apply'] }, aws.settings);
      terminal.print(`Nothing was changed. To do it: ${line}`);
    }
  }
  if (left > 0) terminal.complain(`${counted(left, 'thing')} left that a person has to do.`);
  return left > 0 ? 1 : 0;
}
