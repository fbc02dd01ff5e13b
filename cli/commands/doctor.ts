import { chooseRoutes } from '../choose-route.ts';
import { type CommandContext, type ExitCode, printJson } from '../context.ts';
import { checkDeployment } from '../doctor/deployment-checks.ts';
import { checkRoute } from '../doctor/route-checks.ts';
import { checksText } from '../render/checks-text.ts';
import { counted } from '../render/words.ts';

/**
 * Looks whether a stage and its routes can work. Changes nothing and sends nothing.
 *
 * @throws WrongUsage
 */
export async function doctor(
  routeName: string | undefined,
  options: { readonly json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const routes = chooseRoutes(context.routes, routeName);
  const deployment = await checkDeployment(context.aws);
  const checks = [...deployment.checks];
  for (const route of routes) checks.push(...(await checkRoute(route, deployment, context.aws)).checks);
  const failed = checks.filter(({ state }) => state === 'failed').length;
  const skipped = skippedText(checks.filter(({ state }) => state === 'skipped').length);
  if (options.json) {
    printJson(terminal, { stage: context.aws.settings.stage, passed: failed === 0, checks });
  } else {
    terminal.print(checksText(checks, terminal));
    if (failed === 0) terminal.print(`${counted(checks.length, 'check')}, none failed${skipped}.`);
  }
  if (failed > 0) terminal.complain(`${failed} of ${counted(checks.length, 'check')} failed${skipped}.`);
  return failed === 0 ? 0 : 1;
}

function skippedText(count: number): string {
  return count === 0 ? '' : `, ${count} ${count === 1 ? 'was' : 'were'} skipped`;
}
