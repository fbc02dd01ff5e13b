import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { DescribeStateMachineCommand } from '@aws-sdk/client-sfn';
import type { AwsAccess } from '../aws/access.ts';
import { explainAws } from '../aws/explain.ts';
import { sentenceOf } from '../errors.ts';
import { type Check, checksOf } from './check.ts';

/** Where the destinations of a stage are. */
export interface DestinationUrls {
  readonly hubspot: string;
  readonly resend: string;
}

export interface Deployment {
  readonly checks: readonly Check[];
  /** Null where the stage does not say it. */
  readonly urls: DestinationUrls | null;
  readonly reachable: boolean;
}

const { ok, failed, skipped } = checksOf(null);

/** Looks whether AWS answers and the stage is deployed. */
export async function checkDeployment(aws: AwsAccess): Promise<Deployment> {
  const { stage } = aws.settings;
  const deploy =
    stage === 'local' ? 'start it with "npm run local".' : `deploy it: npx cdk deploy -c stage=${stage}.`;
  const start = await attempt(aws, () => functionEnvironment(aws, aws.startFunction));
  if ('problem' in start && !start.answered) {
    const rest = ['start-function', 'state-machine', 'ledger', 'destinations'];
    return {
      checks: [
        failed('aws', start.problem, 'do what the line above says, then run this again.'),
        ...rest.map((check) => skipped(check, 'AWS could not be asked.')),
      ],
      urls: null,
      reachable: false,
    };
  }
  const checks = [ok('aws', `${aws.settings.endpoint ?? 'AWS'} answers and takes the credentials.`)];
  checks.push(verdict('start-function', aws.startFunction, start, deploy));
  const machine = 'value' in start ? start.value.STATE_MACHINE_ARN : undefined;
  checks.push(
    machine === undefined
      ? skipped('state-machine', 'the start function could not be asked which one it starts.')
      : verdict(
          'state-machine',
          machine.slice(machine.lastIndexOf(':') + 1),
          await attempt(aws, () =>
            aws.stepFunctions.send(new DescribeStateMachineCommand({ stateMachineArn: machine })),
          ),
          deploy,
        ),
  );
  const table = await attempt(aws, () =>
    aws.dynamoDB.send(new DescribeTableCommand({ TableName: aws.ledgerTable })),
  );
  checks.push(verdict('ledger', aws.ledgerTable, table, deploy));
  const reading = await attempt(aws, () => functionEnvironment(aws, aws.readingFunction));
  const urls = 'value' in reading ? urlsIn(reading.value) : null;
  checks.push(
    urls === null
      ? failed('destinations', `${aws.readingFunction} does not say where they are.`, deploy)
      : ok('destinations', `${urls.hubspot}, ${urls.resend}`),
  );
  return { checks, urls, reachable: true };
}

/** The environment of a function. A function whose environment cannot be decrypted has an empty one. */
async function functionEnvironment(aws: AwsAccess, name: string): Promise<Record<string, string>> {
  const answer = await aws.lambda.send(new GetFunctionConfigurationCommand({ FunctionName: name }));
  return answer.Environment?.Variables ?? {};
}

function urlsIn(environment: Record<string, string>): DestinationUrls | null {
  const { HUBSPOT_BASE_URL: hubspot, RESEND_BASE_URL: resend } = environment;
  return hubspot && resend ? { hubspot, resend } : null;
}

/** `answered`: AWS took the credentials and said that there is no such thing, or that it may not be asked. */
type Attempt<T> = { readonly value: T } | { readonly problem: string; readonly answered: boolean };

async function attempt<T>(aws: AwsAccess, ask: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await ask() };
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    const missing = ['ResourceNotFoundException', 'StateMachineDoesNotExist'].includes(name);
    if (missing) return { problem: 'there is none of that name.', answered: true };
    const problem = explainAws(error, aws.settings)?.message ?? sentenceOf(error);
    return { problem, answered: name.startsWith('AccessDenied') };
  }
}

function verdict(check: string, name: string, found: Attempt<unknown>, deploy: string): Check {
  return 'value' in found ? ok(check, name) : failed(check, `${name}: ${found.problem}`, deploy);
}
