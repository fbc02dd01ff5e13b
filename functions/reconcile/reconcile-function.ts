import { randomUUID } from 'node:crypto';
import { contractOf } from '../adapters/contracts.ts';
import { dynamoDB } from '../adapters/dynamodb/client.ts';
import { DynamoDBLedger } from '../adapters/dynamodb/ledger.ts';
import { environment } from '../adapters/environment.ts';
import { logger, observed } from '../adapters/observability.ts';
import { routeNamed, routesFile } from '../adapters/routes-file.ts';
import type { ActionName } from '../domain/action.ts';
import type { ReceiverContract } from '../domain/contract.ts';
import type { RouteSettings, RoutesFile } from '../domain/route.ts';
import { parseReconcileRequest } from '../domain/workflow-data.ts';
import { type ReadDestination, reconcile } from './reconcile.ts';

/** Builds an action's read for a route. */
export type ReadOf<A extends ActionName> = (
  route: RouteSettings,
  file: RoutesFile,
  contract: ReceiverContract,
) => ReadDestination<A>;

const ledger = new DynamoDBLedger(dynamoDB, environment('LEDGER_TABLE'));

/** The handler of one action's reconcile: parse, read, conclude, return. Safe to repeat. */
export function reconcileHandler<A extends ActionName>(action: A, readOf: ReadOf<A>) {
  return observed(`reconcile ${action}`, async (event: unknown) => {
    const request = parseReconcileRequest(event);
    const file = routesFile();
    const route = routeNamed(file.routes, request.route);
    const contract = contractOf(action, route, file.numbers);
    const answer = await reconcile(action, request, readOf(route, file, contract), {
      ledger,
      clock: Date.now,
      ids: randomUUID,
      random: Math.random,
      route,
      numbers: file.numbers,
      contract,
    });
    logger.info('reconciled', { action, ...answer });
    return answer;
  });
}
