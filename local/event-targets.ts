import type { AsyncInvoker } from './async-invoker.ts';
import type { Executions } from './executions.ts';
import { functionNameOf } from './function-names.ts';
import type { LambdaHost } from './lambda-host.ts';
import type { RuleDefinition } from './model.ts';
import type { Queues } from './queues.ts';
import { UnsupportedResource } from './unsupported-resource.ts';

export interface TargetServices {
  readonly lambda: LambdaHost;
  readonly async: AsyncInvoker;
  readonly queues: Queues;
  readonly executions: () => Executions;
}

/** Hands what a rule or a failed invocation sends to the thing behind the ARN. Topics and log groups do nothing here. */
export function deliverTo(services: TargetServices, targetArn: string, payload: unknown): void {
  switch (serviceOf(targetArn)) {
    case 'lambda':
      services.async.invoke(functionNameOf(targetArn), payload);
      break;
    case 'sqs':
      services.queues.byArn(targetArn)?.send(JSON.stringify(payload));
      break;
    case 'states':
      services.executions().start(targetArn, undefined, JSON.stringify(payload));
      break;
    default:
  }
}

/** @throws UnsupportedResource for a target that the engine cannot reach */
export function checkTargets(rules: readonly RuleDefinition[], services: TargetServices): void {
  for (const { logicalId, targets } of rules) {
    for (const { arn } of targets) {
      if (!canReach(services, arn)) {
        throw new UnsupportedResource(
          logicalId,
          'AWS::Events::Rule',
          `its target ${arn} cannot be reached here`,
        );
      }
    }
  }
}

function canReach({ lambda, queues }: TargetServices, targetArn: string): boolean {
  const service = serviceOf(targetArn);
  if (service === 'lambda') return lambda.find(functionNameOf(targetArn)) !== undefined;
  if (service === 'sqs') return queues.byArn(targetArn) !== undefined;
  return service === 'states' || service === 'sns' || service === 'logs';
}

function serviceOf(targetArn: string): string | undefined {
  return targetArn.split(':')[2];
}
