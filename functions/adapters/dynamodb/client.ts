import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/**
 * One client per process. Its three tries stay well inside the shortest function timeout; a retry that meets its own first
 * write is recognised by the ledger's unique ids.
 */
export const dynamoDB = new DynamoDBClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 500, requestTimeout: 700 },
});
