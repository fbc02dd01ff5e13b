import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { Stage } from '../../functions/domain/stage-numbers.ts';

export interface RecoveryPolicyProps {
  readonly stage: Stage;
  readonly route: string;
  readonly decision: IStateMachine;
  readonly handoffs: IStateMachine;
}

/**
 * What a person needs to recover the leads of one route from the Step Functions console: `lead-handoff-<stage>-recover-<route>`, to
 * be attached to their role. It starts decisions of that route and nothing else, and shows executions of that route.
 *
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsstepfunctions.html
 */
export class RecoveryPolicy extends ManagedPolicy {
  constructor(scope: Construct, id: string, props: RecoveryPolicyProps) {
    const { stage, route, decision, handoffs } = props;
    const machine = `lead-handoff-${stage}`;
    const executions = [`${machine}-recovery-${route}:*`, `${machine}:${route}.*`];
    const executionArn = (name: string) =>
      Stack.of(scope).formatArn({
        service: 'states',
        resource: 'execution',
        resourceName: name,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      });
    super(scope, id, {
      managedPolicyName: `${machine}-recover-${route}`,
      description: `Decide about stuck leads of route ${route} in lead-handoff-${stage}.`,
      statements: [
        new PolicyStatement({ actions: ['states:StartExecution'], resources: [decision.stateMachineArn] }),
        new PolicyStatement({
          actions: ['states:DescribeStateMachine', 'states:ListExecutions'],
          resources: [decision.stateMachineArn, handoffs.stateMachineArn],
        }),
        new PolicyStatement({
          actions: [
            'states:DescribeExecution',
            'states:DescribeStateMachineForExecution',
            'states:GetExecutionHistory',
          ],
          resources: executions.map(executionArn),
        }),
        // The console's first page; it knows no resources.
        new PolicyStatement({ actions: ['states:ListStateMachines'], resources: ['*'] }),
      ],
    });
    for (const name of executions) {
      Validations.of(this).acknowledge({
        // cdk-nag writes pseudo parameters like this.
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${name}]`,
        reason: 'The executions are named after lead requests and decisions that do not exist yet.',
      });
    }
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'states:ListStateMachines knows no resources. A test holds that it is the only such action.',
    });
  }
}
