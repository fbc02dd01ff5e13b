import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type Code,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Stage } from '../../functions/domain/stage-numbers.ts';

export interface HandoffFunctionProps {
  readonly stage: Stage;
  /** The last part of the function's name, `lead-handoff-<stage>-<name>`: a stable interface for the command line. */
  readonly name: string;
  readonly description: string;
  readonly code: Code;
  readonly timeoutSeconds: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly reservedConcurrentExecutions?: number;
  /** How often an event that failed is tried again; Lambda's two times unless given. */
  readonly retryAttempts?: number;
}

/** A function with a role, a log group and permissions of its own, and nothing that it was not given. */
export class HandoffFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: HandoffFunctionProps) {
    const { stage, timeoutSeconds, name, environment, ...given } = props;
    const functionName = `lead-handoff-${stage}-${name}`;
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: stage === 'prod' ? RetentionDays.ONE_YEAR : RetentionDays.ONE_WEEK,
      removalPolicy: stage === 'prod' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `What ${functionName} may do.`,
    });
    logGroup.grantWrite(role);
    super(scope, id, {
      ...given,
      functionName,
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 512,
      timeout: Duration.seconds(timeoutSeconds),
      tracing: Tracing.ACTIVE,
      role,
      logGroup,
      environment: {
        STAGE: stage,
        POWERTOOLS_SERVICE_NAME: 'lead-handoff',
        POWERTOOLS_LOG_LEVEL: 'INFO',
        ...environment,
      },
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'X-Ray takes segments for no particular resource: https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsx-ray.html. ' +
        'A test holds that this is the only statement on every resource.',
    });
  }

  allow(actions: readonly string[], resources: readonly string[]): void {
    this.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [...resources] }));
  }

  /**
   * Allows to read the secret of this name, which exists before the deploy. Its ARN ends with six characters that AWS chooses:
   * https://docs.aws.amazon.com/secretsmanager/latest/userguide/auth-and-access_examples.html#auth-and-access_examples_wildcard.
   */
  allowSecret(secretName: string): void {
    const secret = Secret.fromSecretNameV2(this, `Secret ${secretName.replaceAll('/', '-')}`, secretName);
    this.allow(['secretsmanager:GetSecretValue'], [`${secret.secretArn}-??????`]);
  }
}
