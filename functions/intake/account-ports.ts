import { dynamoDB } from '../adapters/dynamodb/client.ts';
import { DynamoDBLedger } from '../adapters/dynamodb/ledger.ts';
import { environment } from '../adapters/environment.ts';
import { eventBridgeEvents } from '../adapters/events.ts';
import { stepFunctionsWorkflow } from '../adapters/step-functions.ts';
import type { RouteSettings, RoutesFile } from '../domain/route.ts';
import type { IntakePorts } from './ports.ts';

const ledger = new DynamoDBLedger(dynamoDB, environment('LEDGER_TABLE'));
const workflow = stepFunctionsWorkflow(environment('STATE_MACHINE_ARN'));
const events = eventBridgeEvents();

/** What the intake functions work with in an account, for the lead requests of one route. */
export function intakePorts(route: RouteSettings, { stage, numbers }: RoutesFile): IntakePorts {
  return { ledger, workflow, events, clock: Date.now, route, stage, numbers };
}
