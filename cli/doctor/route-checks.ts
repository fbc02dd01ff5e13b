import type { RouteSettings } from '../../functions/domain/route.ts';
import type { AwsAccess } from '../aws/access.ts';
import { type Check, checksOf } from './check.ts';
import { checkCrm } from './crm-checks.ts';
import { checkDeployedRoute } from './deployed-route.ts';
import type { Deployment } from './deployment-checks.ts';
import { checkIntakeSecret } from './intake-secret.ts';
import { checkMail } from './mail-checks.ts';
import { type Credentials, checkSecrets } from './secrets.ts';
import { checkTaskProperty, type TaskPropertyCheck } from './task-property.ts';

export interface RouteChecks {
  readonly checks: readonly Check[];
  readonly credentials: Credentials | null;
  readonly taskProperty: TaskPropertyCheck | null;
}

/** Looks whether a route can work in a stage. Changes nothing and sends nothing. */
export async function checkRoute(
  route: RouteSettings,
  { urls, reachable }: Deployment,
  aws: AwsAccess,
): Promise<RouteChecks> {
  const { skipped } = checksOf(route.name);
  if (!reachable) {
    const checks = [skipped('route', 'AWS could not be asked.')];
    return { checks, credentials: null, taskProperty: null };
  }
  const credentials = await checkSecrets(aws, route);
  const deployed = await checkDeployedRoute(aws, route.name);
  const secrets = [deployed, ...credentials.checks, await checkIntakeSecret(aws, route)];
  if (urls === null) {
    const checks = [...secrets, skipped('route', 'it is not known where the destinations are.')];
    return { checks, credentials, taskProperty: null };
  }
  const crm = await checkCrm(route, urls.hubspot, credentials);
  const taskProperty = await checkTaskProperty(route, urls.hubspot, credentials, aws.settings);
  const mail = await checkMail(route, urls.resend, credentials, crm.owners);
  const property = taskProperty.check === null ? [] : [taskProperty.check];
  return { checks: [...secrets, ...crm.checks, ...property, ...mail], credentials, taskProperty };
}
