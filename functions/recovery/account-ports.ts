import { contractOf } from '../adapters/contracts.ts';
import { dynamoDB } from '../adapters/dynamodb/client.ts';
import { DynamoDBLedger } from '../adapters/dynamodb/ledger.ts';
import { environment } from '../adapters/environment.ts';
import { eventBridgeEvents } from '../adapters/events.ts';
import { stepFunctionsWorkflow } from '../adapters/step-functions.ts';
import type { RouteSettings, RoutesFile } from '../domain/route.ts';
import type { RecoveryPorts } from './ports.ts';

const stateMachineArn = environment('STATE_MACHINE_ARN');
const ledger = new DynamoDBLedger(dynamoDB, environment('LEDGER_TABLE'));
const workflow = stepFunctionsWorkflow(stateMachineArn);
const events = eventBridgeEvents();

/** What the recovery functions work with in an account, for the handoffs of one route. */
export function accountPorts(route: RouteSettings, { stage, numbers }: RoutesFile): RecoveryPorts {
  return {
    ledger,
    workflow,
    events,
    clock: Date.now,
    route,
    stage,
    numbers,
    links: { stateMachineArn },
    contractOf: (action) => contractOf(action, route, numbers),
  };
}
