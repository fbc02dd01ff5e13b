import { IdempotencyConfig } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import type { ActionName } from '../domain/action.ts';
import { dynamoDB } from './dynamodb/client.ts';
import { environment } from './environment.ts';

const DAY = 86_400;

/** Beyond the longest execution (365 days) and the time in which it may be redriven (14 days). */
const EXPIRES_AFTER_SECONDS = (365 + 14 + 1) * DAY;

/**
 * What the attempts of one action share with Powertools: one store and one frozen prefix per action, because a store completes
 * every operation under the prefix it was configured with last, and because the default prefix is the function's name, which a
 * rename would forget.
 *
 * The key is ONE string, the lead request with the granted attempt; a record whose lead has changed is refused.
 */
export function idempotencyOf(action: ActionName) {
  const config = new IdempotencyConfig({
    eventKeyJmesPath: 'idempotencyKey',
    payloadValidationJmesPath: 'intentHash',
    throwOnNoIdempotencyKey: true,
    expiresAfterSeconds: EXPIRES_AFTER_SECONDS,
    hashFunction: 'sha256',
    useLocalCache: false,
  });
  const persistenceStore = new DynamoDBPersistenceLayer({
    tableName: environment('IDEMPOTENCY_TABLE'),
    awsSdkV3Client: dynamoDB,
  });
  return { config, persistenceStore, keyPrefix: action };
}
