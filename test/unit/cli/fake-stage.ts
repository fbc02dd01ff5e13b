import type { AwsAccess } from '../../../cli/aws/access.ts';

/** A secret that does not exist. */
export const ABSENT = Symbol('absent');

interface Command {
  readonly constructor: { readonly name: string };
  readonly input: Readonly<Record<string, unknown>>;
}

const KEY = `whsec_${Buffer.from('a key of twenty-four bytes').toString('base64')}`;

/**
 * A stage that is deployed as it should be, with its destinations at a sandbox of the bearer `secret`.
 *
 * @param changes what AWS answers to a command instead, by the command's name; an error is thrown
 * @param withoutRecoveryOf the route that is not deployed
 * @param secrets values of secrets instead of those that fit
 */
export function fakeStage(
  sandboxUrl: string,
  {
    changes = {},
    withoutRecoveryOf,
    secrets = {},
  }: {
    readonly changes?: Readonly<Record<string, object>>;
    readonly withoutRecoveryOf?: string;
    readonly secrets?: Readonly<Record<string, string | typeof ABSENT>>;
  } = {},
): Partial<AwsAccess> {
  const answers: Record<string, object> = {
    GetFunctionConfigurationCommand: {
      Environment: {
        Variables: {
          STATE_MACHINE_ARN: 'arn:aws:states:us-east-1:000000000000:stateMachine:lead-handoff-test',
          HUBSPOT_BASE_URL: `${sandboxUrl}/hubspot`,
          RESEND_BASE_URL: `${sandboxUrl}/resend`,
        },
      },
    },
    DescribeStateMachineCommand: {},
    DescribeTableCommand: {},
    GetQueueUrlCommand: { QueueUrl: 'https://sqs.example.com/queue' },
    GetQueueAttributesCommand: {
      Attributes: { ApproximateNumberOfMessages: '3', ApproximateNumberOfMessagesNotVisible: '1' },
    },
    ...changes,
  };
  const client = {
    send: async (command: Command) => {
      const { name } = command.constructor;
      if (name === 'GetSecretValueCommand') {
        return { SecretString: secretOf(String(command.input.SecretId), secrets) };
      }
      const stateMachine = String(command.input.stateMachineArn ?? '');
      if (stateMachine.endsWith(`-recovery-${withoutRecoveryOf}`)) throw awsError('StateMachineDoesNotExist');
      const answer = answers[name];
      if (answer === undefined) throw new TypeError(`Nobody expected ${name}.`);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return {
    settings: { stage: 'test' },
    stackName: 'lead-handoff-test',
    startFunction: 'lead-handoff-test-start',
    readingFunction: 'lead-handoff-test-reconcile-send-introduction',
    ledgerTable: 'lead-handoff-test-ledger',
    queues: ['lead-handoff-test-leads', 'lead-handoff-test-dead-leads'],
    ...Object.fromEntries(
      ['lambda', 'dynamoDB', 'secrets', 'stepFunctions', 'sqs'].map((name) => [name, client]),
    ),
  };
}

function secretOf(name: string, secrets: Readonly<Record<string, string | typeof ABSENT>>): string {
  const given = secrets[name];
  if (given === ABSENT) throw awsError('ResourceNotFoundException');
  if (given !== undefined) return given;
  if (name.endsWith('/intake')) return KEY;
  return name.endsWith('/read') ? 'secret.read' : 'secret.write';
}

export function awsError(name: string): Error {
  return Object.assign(new Error('arn:aws:iam::1:user/ann@example.com'), { name, $fault: 'client' });
}
