import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { IntegrationPattern, QueryLanguage, TaskInput, Timeout } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';

export interface LambdaTaskProps {
  readonly lambdaFunction: IFunction;
  readonly payload: Readonly<Record<string, string>>;
  /** Seconds, or a JSONata expression for them. */
  readonly timeout: number | string;
  /** A JSONata expression for the state's output. */
  readonly output: string;
  readonly waitForTaskToken?: boolean;
}

/**
 * A Task state that invokes a function: JSONata, no retries of CDK's own, and the permission for that function alone.
 *
 * CDK adds four retries unless told otherwise, on task tokens too; a retry of an action is the ledger's business.
 * https://docs.aws.amazon.com/step-functions/latest/dg/connect-lambda.html
 */
export class LambdaTask extends LambdaInvoke {
  /** CDK would allow every version and alias; the workflow invokes the function itself. */
  protected override readonly taskPolicies: PolicyStatement[];
  readonly #timeoutExpression: string | undefined;

  constructor(scope: Construct, stateName: string, props: LambdaTaskProps) {
    const { lambdaFunction, timeout } = props;
    super(scope, stateName, {
      queryLanguage: QueryLanguage.JSONATA,
      lambdaFunction,
      payload: TaskInput.fromObject(props.payload),
      outputs: props.output,
      retryOnServiceExceptions: false,
      ...(typeof timeout === 'number' ? { taskTimeout: Timeout.duration(Duration.seconds(timeout)) } : {}),
      ...(props.waitForTaskToken ? { integrationPattern: IntegrationPattern.WAIT_FOR_TASK_TOKEN } : {}),
    });
    this.taskPolicies = [
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [lambdaFunction.functionArn] }),
    ];
    this.#timeoutExpression = typeof timeout === 'string' ? timeout : undefined;
  }

  /**
   * CDK's `taskTimeout` takes a fixed duration or a JSONPath; the states language also takes an expression:
   * https://docs.aws.amazon.com/step-functions/latest/dg/state-task.html.
   */
  override toStateJson(topLevelQueryLanguage?: QueryLanguage): object {
    const state = super.toStateJson(topLevelQueryLanguage);
    return this.#timeoutExpression === undefined
      ? state
      : { ...state, TimeoutSeconds: this.#timeoutExpression };
  }
}
