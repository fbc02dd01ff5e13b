import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBLedger } from '../../functions/adapters/dynamodb/ledger.ts';
import type { Ledger } from '../../functions/ports/ledger.ts';
import type { Settings } from '../settings.ts';
import { onlyAws } from './only-aws.ts';

/** What the commands use of a stage's AWS account. */
export interface AwsAccess {
  readonly settings: Settings;
  /** What the names of everything in the stage begin with. */
  readonly stackName: string;
  readonly ledger: Ledger;
  readonly ledgerTable: string;
  readonly startFunction: string;
  /** The function whose environment says where the destinations are. */
  readonly readingFunction: string;
  /** The queue that producers put lead requests on, and that of the messages which could not be accepted. */
  readonly queues: readonly [leads: string, deadLeads: string];
  readonly dynamoDB: DynamoDBClient;
  readonly lambda: LambdaClient;
  readonly secrets: SecretsManagerClient;
  readonly stepFunctions: SFNClient;
  readonly sqs: SQSClient;
}

/** Clients for a stage. Nothing is called yet. */
export function awsAccess(settings: Settings, environment: NodeJS.ProcessEnv): AwsAccess {
  const configuration = clientConfiguration(settings.endpoint, environment);
  const dynamoDB = onlyAws(new DynamoDBClient(configuration));
  const name = `lead-handoff-${settings.stage}`;
  const ledgerTable = `${name}-ledger`;
  return {
    settings,
    stackName: name,
    ledger: new DynamoDBLedger(dynamoDB, ledgerTable),
    ledgerTable,
    startFunction: `${name}-start`,
    readingFunction: `${name}-reconcile-send-introduction`,
    queues: [`${name}-leads`, `${name}-dead-leads`],
    dynamoDB,
    lambda: onlyAws(new LambdaClient(configuration)),
    secrets: onlyAws(new SecretsManagerClient(configuration)),
    stepFunctions: onlyAws(new SFNClient(configuration)),
    sqs: onlyAws(new SQSClient(configuration)),
  };
}

export interface ClientConfiguration {
  readonly maxAttempts: number;
  readonly requestHandler: object;
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** On this machine nobody checks signatures: there credentials and a region are made up where the environment has none. */
export function clientConfiguration(
  endpoint: string | undefined,
  environment: NodeJS.ProcessEnv,
): ClientConfiguration {
  const local = endpoint !== undefined && isOnThisMachine(endpoint);
  const region =
    environment.AWS_REGION || environment.AWS_DEFAULT_REGION || (local ? 'us-east-1' : undefined);
  return {
    maxAttempts: 3,
    // A start function has 15 seconds at most; beyond this nothing comes any more.
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    ...(local && !environment.AWS_ACCESS_KEY_ID
      ? { credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
      : {}),
  };
}

function isOnThisMachine(endpoint: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(endpoint).hostname);
}
