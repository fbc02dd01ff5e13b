import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import {
  DefinitionBody,
  type IChainable,
  LogLevel,
  QueryLanguage,
  StateMachine,
  StateMachineType,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { Stage } from '../../functions/domain/stage-numbers.ts';

export interface LoggedStateMachineProps {
  readonly stage: Stage;
  readonly name: string;
  readonly definition: IChainable;
}

/** A Standard state machine in JSONata, traced, and logged without its data; one to a construct. */
export function loggedStateMachine(scope: Construct, props: LoggedStateMachineProps): StateMachine {
  const { stage, name, definition } = props;
  const stateMachine = new StateMachine(scope, 'StateMachine', {
    stateMachineName: name,
    stateMachineType: StateMachineType.STANDARD,
    queryLanguage: QueryLanguage.JSONATA,
    definitionBody: DefinitionBody.fromChainable(definition),
    tracingEnabled: true,
    logs: {
      destination: new LogGroup(scope, 'Logs', {
        // This prefix keeps the account's log delivery policy short: https://docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html.
        logGroupName: `/aws/vendedlogs/states/${name}`,
        retention: stage === 'prod' ? RetentionDays.ONE_YEAR : RetentionDays.ONE_WEEK,
        removalPolicy: stage === 'prod' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      }),
      level: LogLevel.ALL,
      // The data holds no personal data of leads, but it does hold task tokens and what people typed: who can read logs could
      // answer for the recovery owner.
      includeExecutionData: false,
    },
  });
  Validations.of(stateMachine.role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'Log delivery and X-Ray know no resources: https://docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html#cloudwatch-iam-policy. ' +
      'A test holds that nothing else is allowed on every resource.',
  });
  return stateMachine;
}
