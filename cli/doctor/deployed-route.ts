import { DescribeStateMachineCommand } from '@aws-sdk/client-sfn';
import { recoveryMachineArn } from '../../functions/domain/links.ts';
import type { Stage } from '../../functions/domain/stage-numbers.ts';
import type { AwsAccess } from '../aws/access.ts';
import { handoffMachine } from '../aws/state-machine.ts';
import { awsFailure } from './aws-failure.ts';
import { type Check, checksOf } from './check.ts';

/** How a stage gets a route that stands in a route file alone, after a colon. */
export function howToDeploy(stage: Stage): string {
  return stage === 'local'
    ? 'start "npm run local" again, which reads the route files.'
    : `deploy it: npx cdk deploy -c stage=${stage}.`;
}

/** Looks whether the stage as it is deployed has the route. */
export async function checkDeployedRoute(aws: AwsAccess, route: string): Promise<Check> {
  const { ok, failed, skipped } = checksOf(route);
  const { stage } = aws.settings;
  try {
    switch (await isDeployed(aws, route)) {
      case true:
        return ok('deployed', `stage ${stage} has it.`);
      case false:
        return failed('deployed', `stage ${stage} does not have it.`, howToDeploy(stage));
      case null:
        return skipped('deployed', 'the start function does not say which state machine it starts.');
    }
  } catch (error) {
    const { problem, fix } = awsFailure(error, aws.settings);
    return failed('deployed', problem, fix ?? howToDeploy(stage));
  }
}

/**
 * By the recovery state machine that every route has of its own; null where the start function does not say how these are called.
 *
 * @throws whatever AWS answers
 */
export async function isDeployed(aws: AwsAccess, route: string): Promise<boolean | null> {
  const machine = await handoffMachine(aws);
  if (machine === null) return null;
  const stateMachineArn = recoveryMachineArn({ stateMachineArn: machine }, route);
  try {
    await aws.stepFunctions.send(new DescribeStateMachineCommand({ stateMachineArn }));
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'StateMachineDoesNotExist') return false;
    throw error;
  }
}
