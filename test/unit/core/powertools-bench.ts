import { idempotent } from '@aws-lambda-powertools/idempotency';
import type { Context } from 'aws-lambda';
import type { AttemptInput, DecoratedAttempt } from '../../../functions/actions/action-function.ts';
import type { ActionName } from '../../../functions/domain/action.ts';
import type { Outcome } from '../../../functions/domain/outcome.ts';
import { TableConnection } from '../../model/table-connection.ts';

Object.assign(process.env, {
  LEDGER_TABLE: 'ledger',
  IDEMPOTENCY_TABLE: 'idempotency',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  POWERTOOLS_DEV: 'false',
});

// These read the environment when they are loaded.
const { dynamoDB } = await import('../../../functions/adapters/dynamodb/client.ts');
const { idempotencyOf } = await import('../../../functions/adapters/idempotency.ts');
const { keepingOutcome } = await import('../../../functions/actions/action-function.ts');

/** The tables behind the client that every function shares. */
export async function connectTables(): Promise<TableConnection> {
  const connection = await TableConnection.open();
  connection.connect(dynamoDB);
  return connection;
}

/** An action's decorated method, made as the entry points make it, called as the handler calls it. */
export function decorated(action: ActionName, remainingMs = 15_000) {
  const idempotency = idempotencyOf(action);
  class Action {
    @idempotent(idempotency)
    attempt(_input: AttemptInput, run: () => Promise<Outcome>): Promise<Outcome> {
      return run();
    }
  }
  const instance = new Action();
  idempotency.config.registerLambdaContext({ getRemainingTimeInMillis: () => remainingMs } as Context);
  const attempt: DecoratedAttempt = (input, run) => instance.attempt(input, run);
  return (input: AttemptInput, run: () => Promise<Outcome>) => keepingOutcome(attempt, input, run);
}
