import type { RouteSettings } from '../../functions/domain/route.ts';
import { chooseRoutes } from '../choose-route.ts';
import { type CommandContext, type ExitCode, printJson } from '../context.ts';
import { type Check, checksOf } from '../doctor/check.ts';
import { checkCrm } from '../doctor/crm-checks.ts';
import { checkDeployment, type Deployment } from '../doctor/deployment-checks.ts';
import { checkMail } from '../doctor/mail-checks.ts';
import { checkSecrets } from '../doctor/secrets.ts';
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
  for (const route of routes) checks.push(...(await checkRoute(route, deployment, context)));
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

async function checkRoute(
  route: RouteSettings,
  { urls, reachable }: Deployment,
  { aws }: CommandContext,
): Promise<readonly Check[]> {
  const { skipped } = checksOf(route.name);
  if (!reachable) return [skipped('route', 'AWS could not be asked.')];
  const credentials = await checkSecrets(aws, route);
  if (urls === null) {
    return [...credentials.checks, skipped('route', 'it is not known where the destinations are.')];
  }
  const crm = await checkCrm(route, urls.hubspot, credentials);
  const mail = await checkMail(route, urls.resend, credentials, crm.owners);
  return [...credentials.checks, ...crm.checks, ...mail];
}
