import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** One client per process. Its retry may meet its own first write, which the ledger's unique ids recognise. */
export const dynamoDB = new DynamoDBClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 1_000, throwOnRequestTimeout: true },
});
