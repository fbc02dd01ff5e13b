import { type RouteSettings, secretName } from '../domain/route.ts';
import type { Stage, StageNumbers } from '../domain/stage-numbers.ts';
import { environment } from './environment.ts';
import type { DestinationOptions } from './http/destination-options.ts';
import { bearerToken } from './secrets.ts';

/** Where a route's destination is and under which credential it is called, for reading or for writing. */
export function destinationAccess(
  destination: 'hubspot' | 'resend',
  use: 'read' | 'write',
  stage: Stage,
  route: RouteSettings,
  numbers: StageNumbers,
): DestinationOptions {
  return {
    baseUrl: environment(`${destination.toUpperCase()}_BASE_URL`),
    token: bearerToken(secretName(stage, route.name, destination, use)),
    timeoutMs: numbers.httpTimeoutMs,
    clock: Date.now,
  };
}

/** The unique task property, as an option that is left out where the portal has none. */
export function uniqueTaskProperty({ crm }: RouteSettings): { taskUniqueProperty?: string } {
  return crm.uniqueTaskProperty === undefined ? {} : { taskUniqueProperty: crm.uniqueTaskProperty };
}
