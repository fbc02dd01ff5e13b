import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { DescribeStateMachineCommand } from '@aws-sdk/client-sfn';
import { GetQueueAttributesCommand, GetQueueUrlCommand } from '@aws-sdk/client-sqs';
import type { AwsAccess } from '../aws/access.ts';
import { functionEnvironment } from '../aws/function-environment.ts';
import { type AwsFailure, awsFailure } from './aws-failure.ts';
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

/** What is called what, in the order of the queues. */
const QUEUES = ['leads-queue', 'dead-letter-queue'] as const;

/** Looks whether AWS answers and the stage is deployed. */
export async function checkDeployment(aws: AwsAccess): Promise<Deployment> {
  const { stage } = aws.settings;
  const deploy =
    stage === 'local' ? 'start it with "npm run local".' : `deploy it: npx cdk deploy -c stage=${stage}.`;
  const start = await attempt(aws, () => functionEnvironment(aws, aws.startFunction));
  if ('problem' in start && !start.answered) {
    const rest = ['start-function', 'state-machine', 'ledger', ...QUEUES, 'destinations'];
    return {
      checks: [
        failed('aws', start.problem, start.fix ?? 'run this again.'),
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
  for (const [i, check] of QUEUES.entries())
    checks.push(await checkQueue(check, aws, aws.queues[i] ?? '', deploy));
  const reading = await attempt(aws, () => functionEnvironment(aws, aws.readingFunction));
  const urls = 'value' in reading ? urlsIn(reading.value) : null;
  checks.push(
    urls === null
      ? failed('destinations', ...whyNoUrls(aws.readingFunction, reading, deploy))
      : ok('destinations', `${urls.hubspot}, ${urls.resend}`),
  );
  return { checks, urls, reachable: true };
}

/** How much waits in a queue is about right, and never exact (SQS counts on many machines). */
async function checkQueue(check: string, aws: AwsAccess, name: string, deploy: string): Promise<Check> {
  const found = await attempt(aws, async () => {
    const { QueueUrl } = await aws.sqs.send(new GetQueueUrlCommand({ QueueName: name }));
    const { Attributes = {} } = await aws.sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [WAITING, TAKEN] }),
    );
    return `${name}: about ${Attributes[WAITING] ?? '?'} waiting, ${Attributes[TAKEN] ?? '?'} being taken.`;
  });
  return 'value' in found ? ok(check, found.value) : verdict(check, name, found, deploy);
}

const WAITING = 'ApproximateNumberOfMessages';
const TAKEN = 'ApproximateNumberOfMessagesNotVisible';

function urlsIn(environment: Record<string, string>): DestinationUrls | null {
  const { HUBSPOT_BASE_URL: hubspot, RESEND_BASE_URL: resend } = environment;
  return hubspot && resend ? { hubspot, resend } : null;
}

type Attempt<T> = { readonly value: T } | AwsFailure;

async function attempt<T>(aws: AwsAccess, ask: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await ask() };
  } catch (error) {
    return awsFailure(error, aws.settings);
  }
}

function whyNoUrls(name: string, reading: Attempt<unknown>, deploy: string): [string, string] {
  return 'value' in reading
    ? [`${name} does not say where they are.`, deploy]
    : [`${name}: ${reading.problem}`, reading.fix ?? deploy];
}

function verdict(check: string, name: string, found: Attempt<unknown>, deploy: string): Check {
  return 'value' in found ? ok(check, name) : failed(check, `${name}: ${found.problem}`, found.fix ?? deploy);
}
