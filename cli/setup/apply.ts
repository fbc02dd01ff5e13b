import type { RouteSettings } from '../../functions/domain/route.ts';
import { DestinationUnreadable } from '../../functions/ports/destination-unreadable.ts';
import type { Deployment } from '../doctor/deployment-checks.ts';
import { destinationOptions, problemOf, SCOPES_AT } from '../doctor/destination.ts';
import type { RouteChecks } from '../doctor/route-checks.ts';
import {
  createTaskProperty,
  findTaskProperty,
  MissingScopes,
  PropertyRefused,
} from '../hubspot/task-property.ts';
import type { Step } from './plan.ts';

/** Does the one thing that can be done from here. Doing it again changes nothing. */
export async function apply(
  step: Step,
  route: RouteSettings,
  { urls }: Deployment,
  { credentials }: RouteChecks,
): Promise<Step> {
  const name = route.crm.uniqueTaskProperty;
  const credential = credentials?.found.get('hubspot write');
  if (name === undefined || credential === undefined || urls === null) return step;
  const options = destinationOptions(urls.hubspot, credential.token);
  const failed = (what: string, how: string): Step => ({ route: route.name, state: 'failed', what, how });
  try {
    await createTaskProperty(name, options);
    if ((await findTaskProperty(name, options)) === 'unique') {
      return { ...step, state: 'done', what: `created the unique task property ${name} in HubSpot.` };
    }
    return failed(
      `HubSpot has the task property ${name} now, and it is not declared unique.`,
      `name another one in the route file of ${route.name} (crm.uniqueTaskProperty).`,
    );
  } catch (error) {
    if (error instanceof MissingScopes) {
      const scopes = error.scopes.join(' and ');
      return failed(
        `the token in ${credential.secretName} may not create ${name}: it lacks ${scopes}.`,
        `add it in ${SCOPES_AT}; it may be taken away again afterwards.`,
      );
    }
    if (error instanceof PropertyRefused) {
      return failed(
        `HubSpot does not create ${name} (${error.category}).`,
        'look under HubSpot, Settings, Properties, Task properties: an account has at most ten unique ones per object.',
      );
    }
    const [detail, how] = problemOf(error, credential.secretName);
    const unsure = provesNothing(error)
      ? ' Whether it was created is not known; running this again is safe.'
      : '';
    return failed(`${name}: ${detail}${unsure}`, how);
  }
}

/** Codes of failures before anything can have been created. */
const NOTHING_CREATED = /^(credentials|rate-limited|request-invalid|resolve-failed|connect-.*|tls-failed)$/;

function provesNothing(error: unknown): boolean {
  return !(error instanceof DestinationUnreadable && NOTHING_CREATED.test(error.code));
}
