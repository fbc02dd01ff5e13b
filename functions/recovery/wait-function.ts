import { contractOf } from '../adapters/contracts.ts';
import { dynamoDB } from '../adapters/dynamodb/client.ts';
import { DynamoDBLedger } from '../adapters/dynamodb/ledger.ts';
import { environment } from '../adapters/environment.ts';
import { logger, observed } from '../adapters/observability.ts';
import { routeNamed, routesFile } from '../adapters/routes-file.ts';
import type { Waiting } from '../domain/handoff.ts';
import { parseWaitRequest } from '../domain/workflow-data.ts';
import { putOnWaitingList } from './wait.ts';

const ledger = new DynamoDBLedger(dynamoDB, environment('LEDGER_TABLE'));

/** The handler behind the ask and park states. What it returns is not seen: the state waits for its token. */
export function waitHandler(kind: Waiting['kind']) {
  return observed(kind, async (event: unknown) => {
    const request = parseWaitRequest(event);
    const file = routesFile();
    const route = routeNamed(file.routes, request.route);
    const { destination } = contractOf(request.action, route, file.numbers);
    const waiting = await putOnWaitingList(kind, request, {
      ledger,
      clock: Date.now,
      route,
      numbers: file.numbers,
      destination,
    });
    logger.info('waiting', { kind, action: waiting.action, why: waiting.why, dueAt: waiting.dueAt });
  });
}
