import { randomUUID } from 'node:crypto';
import { contractOf } from '../adapters/contracts.ts';
import { dynamoDB } from '../adapters/dynamodb/client.ts';
import { DynamoDBLedger } from '../adapters/dynamodb/ledger.ts';
import { environment } from '../adapters/environment.ts';
import { logger, observed } from '../adapters/observability.ts';
import { routeNamed, routesFile } from '../adapters/routes-file.ts';
import type { ActionName } from '../domain/action.ts';
import type { ReceiverContract } from '../domain/contract.ts';
import { type RecoverySummary, recoverySummary } from '../domain/recovery-summary.ts';
import type { RouteSettings, RoutesFile } from '../domain/route.ts';
import {
  parseReconcileRequest,
  type ReconcileAnswer,
  type ReconcileRequest,
} from '../domain/workflow-data.ts';
import type { ReadNamed } from './reads/named-record.ts';
import { type ReadDestination, reconcile } from './reconcile.ts';

/** What reconcile asks an action's destination. */
export interface DestinationReads<A extends ActionName> {
  readonly read: ReadDestination<A>;
  readonly readNamed: ReadNamed<A>;
}

/** Builds an action's reads for a route. */
export type ReadsOf<A extends ActionName> = (
  route: RouteSettings,
  file: RoutesFile,
  contract: ReceiverContract,
) => DestinationReads<A>;

const ledger = new DynamoDBLedger(dynamoDB, environment('LEDGER_TABLE'));

/** The handler of one action's reconcile: parse, read, conclude, return. Safe to repeat. */
export function reconcileHandler<A extends ActionName>(action: A, readsOf: ReadsOf<A>) {
  return observed(`reconcile ${action}`, async (event: unknown): Promise<ReconcileAnswer> => {
    const request = parseReconcileRequest(event);
    const file = routesFile();
    const route = routeNamed(file.routes, request.route);
    const contract = contractOf(action, route, file.numbers);
    const { read, readNamed } = readsOf(route, file, contract);
    const answer = await reconcile(action, request, read, {
      ledger,
      clock: Date.now,
      ids: randomUUID,
      random: Math.random,
      route,
      numbers: file.numbers,
      contract,
      readNamed,
    });
    logger.info('reconciled', { action, ...answer });
    return { ...answer, record: answer.disposition === 'ask' ? await askedOf(action, request, file) : null };
  });
}

/** The record of the action for the input of the ask state. A second reconcile, where this one dies here, comes to the same. */
async function askedOf(
  action: ActionName,
  { route: name, leadRequestId }: ReconcileRequest,
  { routes, stage, numbers }: RoutesFile,
): Promise<RecoverySummary | null> {
  const record = await ledger.record({ route: name, leadRequestId });
  const route = routeNamed(routes, name);
  return (
    record &&
    recoverySummary(record, {
      action,
      route,
      stage,
      numbers,
      now: Date.now(),
      links: { stateMachineArn: environment('STATE_MACHINE_ARN') },
      contractOf: (asked) => contractOf(asked, route, numbers),
    })
  );
}
