import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DescribeExecutionCommand, paginateGetExecutionHistory, SFNClient } from '@aws-sdk/client-sfn';
import { ACCOUNT, REGION } from './second-endpoint.ts';

export const CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'test' } as const;

/** How one execution ended, and the states it entered in their order. */
export interface Run {
  readonly status: string;
  readonly states: readonly string[];
}

/** What an operator does in the account that the stack was deployed to, through the AWS SDK. */
export interface Account {
  createSecret(name: string, value: string): Promise<void>;
  /** Invokes a function and resolves with its answer. */
  invoke(functionName: string, event: unknown): Promise<unknown>;
  untilEnded(stateMachine: string, execution: string, withinMs: number): Promise<Run>;
  tables(): Promise<string[]>;
  /** Logical ids of what CloudFormation made of a stack. */
  resourcesOf(stackName: string): Promise<string[]>;
}

export function account(endpoint: string): Account {
  const options = { endpoint, region: REGION, credentials: CREDENTIALS };
  const sfn = new SFNClient(options);
  const lambda = new LambdaClient(options);
  const secrets = new SecretsManagerClient(options);
  const dynamoDB = new DynamoDBClient(options);

  const statesOf = async (executionArn: string): Promise<string[]> => {
    const states: string[] = [];
    for await (const page of paginateGetExecutionHistory({ client: sfn }, { executionArn })) {
      for (const { stateEnteredEventDetails: entered } of page.events ?? []) {
        if (entered?.name !== undefined) states.push(entered.name);
      }
    }
    return states;
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
    async untilEnded(stateMachine, execution, withinMs) {
      const executionArn = `arn:aws:states:${REGION}:${ACCOUNT}:execution:${stateMachine}:${execution}`;
      const giveUpAt = Date.now() + withinMs;
      for (;;) {
        const { status = 'RUNNING' } = await sfn.send(new DescribeExecutionCommand({ executionArn }));
        if (status !== 'RUNNING' || Date.now() > giveUpAt)
          return { status, states: await statesOf(executionArn) };
        await sleep(100);
      }
    },
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
