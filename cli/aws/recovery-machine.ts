import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeExecutionCommand,
  type DescribeExecutionCommandOutput,
  paginateListStateMachines,
  StartExecutionCommand,
  StateMachineDoesNotExist,
} from '@aws-sdk/client-sfn';
import type { RefusalName } from '../../functions/domain/decision-refusals.ts';
import type { PersonsRequest } from '../../functions/domain/decision-request.ts';
import { recoveryMachineArn } from '../../functions/domain/links.ts';
import { AwsUnavailable } from '../errors.ts';
import type { AwsAccess } from './access.ts';
import { explainAws } from './explain.ts';
import { handoffMachine } from './state-machine.ts';

/** What became of an execution of a route's recovery state machine. */
export type Recovered =
  | { readonly outcome: 'answered'; readonly execution: string; readonly answer: unknown }
  /** Nothing was changed. The error is a refusal's name, and its message the sentence for the person. */
  | {
      readonly outcome: 'refused';
      readonly execution: string;
      readonly error: string;
      readonly message: string;
    }
  /** It ended in another way, or not in time: what it did is not known. Asking the same again is safe. */
  | { readonly outcome: 'unknown'; readonly execution: string; readonly status: string };

/** Names that the recovery state machine fails with where it refuses; any other failure is none of a person's. */
const REFUSALS: Readonly<Record<RefusalName, true>> = {
  InvalidDecision: true,
  UnknownHandoff: true,
  HandoffClosed: true,
  NobodyIsAsked: true,
  StaleDecision: true,
  AlreadyDecided: true,
  DecisionNotPossible: true,
  NotAnApprover: true,
  NothingToAmend: true,
  SamePerson: true,
};

const PATIENCE_MS = 30_000;
const FIRST_LOOK_MS = 200;
const SLOWEST_LOOK_MS = 1_500;

/**
 * Starts an execution of the route's recovery state machine and waits for its end, half a minute at most.
 *
 * @param onWait told the seconds that have passed, again and again
 * @throws AwsUnavailable, where the remedy names the policy that is missing
 */
export async function askRecovery(
  aws: AwsAccess,
  route: string,
  request: PersonsRequest,
  onWait: (seconds: number) => void,
): Promise<Recovered> {
  try {
    const executionArn = await started(aws, await machineArn(aws, route), request);
    return await ended(aws, executionArn, onWait);
  } catch (error) {
    throw explained(error, aws, route);
  }
}

/** A name of our own makes the start safe to repeat, which the SDK does by itself. */
async function started(
  { stepFunctions }: AwsAccess,
  stateMachineArn: string,
  request: PersonsRequest,
): Promise<string> {
  const { executionArn } = await stepFunctions.send(
    new StartExecutionCommand({ stateMachineArn, name: randomUUID(), input: JSON.stringify(request) }),
  );
  if (executionArn === undefined) throw new TypeError('An execution without an ARN.');
  return executionArn;
}

async function ended(
  { stepFunctions }: AwsAccess,
  executionArn: string,
  onWait: (seconds: number) => void,
): Promise<Recovered> {
  const since = Date.now();
  const execution = executionArn.slice(executionArn.lastIndexOf(':') + 1);
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 1.5, SLOWEST_LOOK_MS)) {
    const described = await stepFunctions.send(new DescribeExecutionCommand({ executionArn }));
    const status = described.status ?? 'RUNNING';
    if (status !== 'RUNNING') return outcomeOf(execution, status, described);
    if (Date.now() - since + pause > PATIENCE_MS) return { outcome: 'unknown', execution, status };
    onWait(Math.round((Date.now() - since) / 1000));
    await sleep(pause);
  }
}

function outcomeOf(
  execution: string,
  status: string,
  { output, error, cause }: DescribeExecutionCommandOutput,
): Recovered {
  if (status === 'SUCCEEDED') return { outcome: 'answered', execution, answer: JSON.parse(output ?? 'null') };
  return status === 'FAILED' && error !== undefined && Object.hasOwn(REFUSALS, error)
    ? { outcome: 'refused', execution, error, message: cause ?? error }
    : { outcome: 'unknown', execution, status };
}

/** From the start function's environment; who may not read that may still see the list of state machines, as the console does. */
async function machineArn(aws: AwsAccess, route: string): Promise<string> {
  try {
    const stateMachineArn = await handoffMachine(aws);
    if (stateMachineArn !== null) return recoveryMachineArn({ stateMachineArn }, route);
  } catch (error) {
    if (!isDenied(error)) throw error;
  }
  const name = `${aws.stackName}-recovery-${route}`;
  for await (const page of paginateListStateMachines({ client: aws.stepFunctions }, {})) {
    const found = page.stateMachines?.find((machine) => machine.name === name)?.stateMachineArn;
    if (found !== undefined) return found;
  }
  throw new StateMachineDoesNotExist({ message: name, $metadata: {} });
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && error.name.startsWith('AccessDenied');
}

function explained(error: unknown, aws: AwsAccess, route: string): unknown {
  const { stage } = aws.settings;
  if (error instanceof StateMachineDoesNotExist) {
    return new AwsUnavailable({
      problem: `Stage ${stage} has no recovery state machine for route ${route}`,
      remedy: stage === 'local' ? 'restart "npm run local"' : `deploy it: npx cdk deploy -c stage=${stage}`,
      mayHaveHappened: false,
    });
  }
  const known = explainAws(error, aws.settings);
  if (!isDenied(error) || known === undefined) return known ?? error;
  return new AwsUnavailable({
    problem: known.problem,
    remedy: `attach the policy ${aws.stackName}-recover-${route} to your role`,
    mayHaveHappened: false,
  });
}
