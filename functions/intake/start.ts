import * as v from 'valibot';
import { dynamoDB } from '../adapters/dynamodb/client.ts';
import { DynamoDBLedger } from '../adapters/dynamodb/ledger.ts';
import { environment } from '../adapters/environment.ts';
import { logger, observed } from '../adapters/observability.ts';
import { routeNamed, routesFile } from '../adapters/routes-file.ts';
import { stepFunctionsWorkflow } from '../adapters/step-functions.ts';
import { InvalidEvent } from '../domain/errors.ts';
import { acceptLead } from './accept-lead.ts';

const ledger = new DynamoDBLedger(dynamoDB, environment('LEDGER_TABLE'));
const workflow = stepFunctionsWorkflow(environment('STATE_MACHINE_ARN'));

const requestSchema = v.object({ route: v.string(), lead: v.unknown() });

export const handler = observed('start', async (event: unknown) => {
  const request = v.safeParse(requestSchema, event);
  if (!request.success) throw new InvalidEvent(v.getDotPath(request.issues[0]) ?? 'event');
  const { routes, numbers } = routesFile();
  const route = routeNamed(routes, request.output.route);
  const accepted = await acceptLead(request.output.lead, {
    ledger,
    workflow,
    clock: Date.now,
    route,
    numbers,
  });
  logger.info('lead request', { ...accepted });
  return accepted;
});
