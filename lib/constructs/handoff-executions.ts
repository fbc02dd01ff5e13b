import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Stage } from '../../functions/domain/stage-numbers.ts';
import type { HandoffFunction } from './handoff-function.ts';

/**
 * What functions do with executions, and the resource that each action is allowed on:
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsstepfunctions.html.
 *
 * A task token is answered with the right on the state machine that waits for it, as CDK's own `grantTaskResponse` and AWS SAM's
 * `StepFunctionsCallbackPolicy` give it.
 */
const RESOURCES = {
  StartExecution: 'stateMachine',
  SendTaskSuccess: 'stateMachine',
  DescribeExecution: 'execution',
  StopExecution: 'execution',
} as const;

/**
 * The executions of the handoff workflow, for functions that work with them. The workflow is named here, not referred to, because
 * it refers to some of these functions itself.
 */
export class HandoffExecutions {
  readonly stateMachineArn: string;
  readonly #name: string;
  readonly #arnOf: (resource: 'stateMachine' | 'execution', resourceName: string) => string;

  constructor(scope: Construct, stage: Stage) {
    this.#name = `lead-handoff-${stage}`;
    this.#arnOf = (resource, resourceName) =>
      Stack.of(scope).formatArn({
        service: 'states',
        resource,
        resourceName,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      });
    this.stateMachineArn = this.#arnOf('stateMachine', this.#name);
  }

  allow(handler: HandoffFunction, ...actions: (keyof typeof RESOURCES)[]): void {
    const on = (resource: 'stateMachine' | 'execution') =>
      actions.filter((action) => RESOURCES[action] === resource).map((action) => `states:${action}`);
    if (on('stateMachine').length > 0) handler.allow(on('stateMachine'), [this.stateMachineArn]);
    if (on('execution').length === 0) return;
    handler.allow(on('execution'), [this.#arnOf('execution', `${this.#name}:*`)]);
    Validations.of(handler.role ?? handler).acknowledge({
      // cdk-nag writes pseudo parameters like this.
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${this.#name}:*]`,
      reason: 'The executions of this state machine are named after lead requests that do not exist yet.',
    });
  }
}
