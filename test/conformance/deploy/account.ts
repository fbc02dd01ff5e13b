import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  DescribeExecutionCommand,
  ExecutionDoesNotExist,
  paginateGetExecutionHistory,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { GetQueueUrlCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { ACCOUNT, REGION } from './second-endpoint.ts';

export const CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'test' } as const;

/** How one execution ended, and the states it entered in their order. */
export interface Run {
  /** As Step Functions says it; `DOES_NOT_EXIST` where it has not begun in time. */
  readonly status: string;
  readonly states: readonly string[];
  /** As it is told: this endpoint does not write a text as JSON. */
  readonly output: string | undefined;
  /** The error and its cause, where it failed. */
  readonly failure: string | undefined;
}

/** What an operator does in the account that the stack was deployed to, through the AWS SDK. */
export interface Account {
  createSecret(name: string, value: string): Promise<void>;
  /** Invokes a function and resolves with its answer. */
  invoke(functionName: string, event: unknown): Promise<unknown>;
  /** Puts a message on a queue. */
  send(queueName: string, message: unknown): Promise<void>;
  /** Starts an execution under a name of its own and waits for its end. */
  execute(stateMachine: string, input: unknown, withinMs: number): Promise<Run>;
  /** Waits for an execution's end, also where it has not begun yet. */
  untilEnded(stateMachine: string, execution: string, withinMs: number): Promise<Run>;
  tables(): Promise<string[]>;
  /** Logical ids of what CloudFormation made of a stack. */
  resourcesOf(stackName: string): Promise<string[]>;
}

const LOOK_EVERY_MS = 100;

export function account(endpoint: string): Account {
  const options = { endpoint, region: REGION, credentials: CREDENTIALS };
  const sfn = new SFNClient(options);
  const lambda = new LambdaClient(options);
  const secrets = new SecretsManagerClient(options);
  const dynamoDB = new DynamoDBClient(options);
  // The address that the endpoint gives a queue need not be its own.
  const sqs = new SQSClient({ ...options, useQueueUrlAsEndpoint: false });

  const arnOf = (resource: string) => `arn:aws:states:${REGION}:${ACCOUNT}:${resource}`;
  const statesOf = async (executionArn: string): Promise<string[]> => {
    const states: string[] = [];
    for await (const page of paginateGetExecutionHistory({ client: sfn }, { executionArn })) {
      for (const { stateEnteredEventDetails: entered } of page.events ?? []) {
        if (entered?.name !== undefined) states.push(entered.name);
      }
    }
    return states;
  };
  const described = async (executionArn: string): Promise<Run> => {
    try {
      const found = await sfn.send(new DescribeExecutionCommand({ executionArn }));
      const { status = 'RUNNING', output, error, cause } = found;
      const failure = error === undefined ? undefined : `${error}: ${cause}`;
      return { status, states: [], output, failure };
    } catch (error) {
      if (!(error instanceof ExecutionDoesNotExist)) throw error;
      return { status: 'DOES_NOT_EXIST', states: [], output: undefined, failure: undefined };
    }
  };
  const untilEnded: Account['untilEnded'] = async (stateMachine, execution, withinMs) => {
    const executionArn = arnOf(`execution:${stateMachine}:${execution}`);
    const giveUpAt = Date.now() + withinMs;
    for (;;) {
      const run = await described(executionArn);
      const exists = run.status !== 'DOES_NOT_EXIST';
      if ((exists && run.status !== 'RUNNING') || Date.now() > giveUpAt) {
        return { ...run, states: exists ? await statesOf(executionArn) : [] };
      }
      await sleep(LOOK_EVERY_MS);
    }
  };

  return {
    async createSecret(name, value) {
      await secrets.send(new CreateSecretCommand({ Name: name, SecretString: value }));
    },
    async invoke(functionName, event) {
      const answer = await lambda.send(
        new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(event) }),
      );
      const text = answer.Payload?.transformToString() ?? '';
      if (answer.FunctionError !== undefined) throw new Error(`${functionName} failed: ${text}`);
      return JSON.parse(text);
    },
    async send(queueName, message) {
      const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: queueName }));
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(message) }));
    },
    async execute(stateMachine, input, withinMs) {
      const name = randomUUID();
      const stateMachineArn = arnOf(`stateMachine:${stateMachine}`);
      await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
      return untilEnded(stateMachine, name, withinMs);
    },
    untilEnded,
    async tables() {
      const names: string[] = [];
      for await (const page of paginateListTables({ client: dynamoDB }, {})) {
        names.push(...(page.TableNames ?? []));
      }
      return names;
    },
    resourcesOf: (stackName) => resourcesOf(endpoint, stackName),
  };
}

/** The one call to CloudFormation, whose client the app does not need: its query protocol answers with XML. */
async function resourcesOf(endpoint: string, stackName: string): Promise<string[]> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=test/20260101/${REGION}/cloudformation/aws4_request, SignedHeaders=host, Signature=test`,
    },
    body: new URLSearchParams({
      Action: 'DescribeStackResources',
      Version: '2010-05-15',
      StackName: stackName,
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`CloudFormation does not describe ${stackName}: ${text}`);
  return [...text.matchAll(/<LogicalResourceId>([^<]+)</g)].map(([, logicalId = '']) => logicalId);
}
