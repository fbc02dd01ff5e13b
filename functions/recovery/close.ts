import { dynamoDB } from '../adapters/dynamodb/client.ts';
import { DynamoDBLedger } from '../adapters/dynamodb/ledger.ts';
import { environment } from '../adapters/environment.ts';
import { observed } from '../adapters/observability.ts';
import { routeNamed, routesFile } from '../adapters/routes-file.ts';
import { parseCloseRequest } from '../domain/workflow-data.ts';
import { closeRecord } from './close-record.ts';

const ledger = new DynamoDBLedger(dynamoDB, environment('LEDGER_TABLE'));

export const handler = observed('close record', async (event: unknown) => {
  const request = parseCloseRequest(event);
  const { retentionDays } = routeNamed(routesFile().routes, request.route);
  return closeRecord(request, { ledger, clock: Date.now, retentionDays });
});
